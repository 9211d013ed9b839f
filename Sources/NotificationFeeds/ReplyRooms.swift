internal import BelfryLocking
internal import DequeModule
internal import Faults
package import NotificationCore
package import NotificationStore

/// The rooms for the replies of unary calls that are on their way, by their bytes.
///
/// A reply is in memory until its client has it. So a call whose reply may be long takes a room
/// before it is carried out. The room gets the size of the reply, and is given back when the client
/// has the reply or the call is over. A connection has an eighth of all room, an account a quarter:
/// the next calls of a caller wait where its share is taken. A call with a long reply also waits
/// where all room is taken, of which the last quarter is for callers who have none.
package final class ReplyRooms: Sendable {
    package typealias Call = @Sendable (Result<ReplyRoom?, Refusal>) -> Void

    private struct Waiting {
        /// The bytes of the room that the call needs; 0 for a short reply.
        let byteCount: Int
        let requestByteCount: Int
        let call: Call
    }

    private struct Caller {
        /// The bytes of all its rooms, and those of them that are replies.
        var byteCount = 0
        var unreadByteCount = 0
        var line = Deque<Waiting>()
        var requestByteCount = 0
    }

    private struct Unread {
        let caller: TurnOwner
        let byteCount: Int
        let since: Int64
        let end: @Sendable () -> Void
    }

    private struct State {
        var callers: [TurnOwner: Caller] = [:]
        var byteCount = 0
        /// The callers of whom calls wait, in turn.
        var queue = Deque<TurnOwner>()
        var unread: [ObjectIdentifier: Unread] = [:]
        var isStopped = false
    }

    /// The bytes of a reply that needs no room.
    package static let shortByteCount = MessageRooms.smallByteCount
    /// The calls of one caller that may wait: as many as a connection has open calls.
    private static let waitingPerCaller = 1_024
    /// For how long a client may not read a reply, as the next message of a stream (FD-2).
    private static let stallNanoseconds = 60 * Int64.nanosecondsPerSecond
    /// For how long it may not while others wait for its room.
    private static let pressedNanoseconds = Int64.nanosecondsPerSecond

    private let limit: Int
    private let submit: @Sendable (@escaping @Sendable () -> Void) -> Bool
    private let state = Guarded(State())

    /// Makes the rooms of a server, for so many bytes of replies.
    ///
    /// `submit` runs a call that has waited, on another thread; false where it is too late.
    init(
        byteCount: Int,
        submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool
    ) {
        limit = byteCount
        self.submit = submit
    }

    /// The bytes of all rooms that are taken.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// How many calls wait.
    package var waitingCount: Int {
        state.withLock { $0.callers.values.reduce(0) { $0 + $1.line.count } }
    }

    private func share(_ caller: TurnOwner) -> Int {
        switch caller {
        case .registrant: limit / 4
        case .center, .connection, .server: limit / 8
        }
    }

    /// Whether a caller's share has room; a caller without any may have one of any size.
    ///
    /// A short reply needs none, but its caller has to read.
    private func hasShare(_ caller: TurnOwner, _ state: State, for byteCount: Int) -> Bool {
        guard let present = state.callers[caller] else { return true }
        if byteCount == 0 { return present.unreadByteCount < share(caller) }
        return present.byteCount == 0 || present.byteCount + byteCount <= share(caller)
    }

    /// Whether all room has some for a caller; the last quarter is for those who have none.
    private func hasRoom(_ caller: TurnOwner, _ state: State, for byteCount: Int) -> Bool {
        let isFirst = (state.callers[caller]?.byteCount ?? 0) == 0
        let most = isFirst ? limit : limit / 4 * 3
        return byteCount == 0 || state.byteCount == 0 || state.byteCount + byteCount <= most
    }

    // MARK: Calls

    /// Carries a call out now, or when there is room for its reply; then on another thread.
    ///
    /// - Parameters:
    ///   - caller: Who calls.
    ///   - byteCount: The most bytes of the reply, about; no room is needed for a few.
    ///   - requestByteCount: The bytes of the request, which wait with the call.
    ///   - call: Gets the room, nil where none is needed; or why there will be none.
    package func enter(
        _ caller: TurnOwner,
        for byteCount: Int,
        requestByteCount: Int,
        _ call: @escaping Call
    ) {
        let byteCount = byteCount > Self.shortByteCount ? byteCount : 0
        let waiting = Waiting(
            byteCount: byteCount,
            requestByteCount: requestByteCount,
            call: call
        )
        let now = state.withLock { state -> Result<ReplyRoom?, Refusal>? in
            guard !state.isStopped else { return .failure(.stopping) }
            let present = state.callers[caller]
            guard byteCount > 0 || present != nil else { return .success(nil) }
            let isNext = byteCount == 0 || present?.line.isEmpty ?? true
            let isFree =
                isNext && hasShare(caller, state, for: byteCount)
                && hasRoom(caller, state, for: byteCount)
            if isFree || Fault.unreadRepliesNotBounded.isPlanted {
                return .success(take(byteCount, for: caller, &state))
            }
            return wait(waiting, of: caller, &state).map { .failure($0) }
        }
        if let now { call(now) }
    }

    /// Makes the room of a reply that turned out long.
    package func room(of caller: TurnOwner) -> ReplyRoom { ReplyRoom(self, caller, 0) }

    private func take(
        _ byteCount: Int,
        for caller: TurnOwner,
        _ state: inout State
    ) -> ReplyRoom? {
        guard byteCount > 0 else { return nil }
        state.callers[caller, default: Caller()].byteCount += byteCount
        state.byteCount += byteCount
        return ReplyRoom(self, caller, byteCount)
    }

    /// Lets a call wait; gives the refusal where too much waits.
    private func wait(
        _ waiting: Waiting,
        of caller: TurnOwner,
        _ state: inout State
    ) -> Refusal? {
        var present = state.callers[caller] ?? Caller()
        let requestByteCount = present.requestByteCount + waiting.requestByteCount
        guard present.line.count < Self.waitingPerCaller,
            present.line.isEmpty || requestByteCount <= share(caller)
        else { return .repliesNotRead(share(caller)) }
        if present.line.isEmpty { state.queue.append(caller) }
        present.requestByteCount = requestByteCount
        present.line.append(waiting)
        state.callers[caller] = present
        return nil
    }

    // MARK: Replies

    /// Notes the bytes of a room's reply, which its client now has to read.
    fileprivate func keep(
        _ room: ReplyRoom,
        _ byteCount: Int,
        insteadOf before: Int,
        _ end: @escaping @Sendable () -> Void
    ) {
        let unread = Unread(
            caller: room.caller,
            byteCount: byteCount,
            since: SystemTime.now().bootNanoseconds,
            end: end
        )
        change(room.caller, by: byteCount - before) { state in
            state.unread[ObjectIdentifier(room)] = unread
            state.callers[room.caller, default: Caller()].unreadByteCount += byteCount
        }
    }

    fileprivate func giveBack(_ room: ReplyRoom, _ byteCount: Int) {
        let identifier = ObjectIdentifier(room)
        change(room.caller, by: -byteCount) { state in
            let unread = state.unread.removeValue(forKey: identifier)
            state.callers[room.caller]?.unreadByteCount -= unread?.byteCount ?? 0
        }
    }

    /// Changes what a caller has, and begins the calls for which there is room now.
    private func change(
        _ caller: TurnOwner,
        by byteCount: Int,
        _ body: (inout State) -> Void
    ) {
        let begun = state.withLock { state in
            body(&state)
            state.callers[caller, default: Caller()].byteCount += byteCount
            state.byteCount += byteCount
            forgetIdle(caller, &state)
            return takeWaiting(&state)
        }
        for (call, room) in begun where !submit({ call(.success(room)) }) {
            call(.failure(.stopping))
        }
    }

    private func forgetIdle(_ caller: TurnOwner, _ state: inout State) {
        guard let present = state.callers[caller] else { return }
        if present.byteCount == 0 && present.line.isEmpty { state.callers[caller] = nil }
    }

    /// Takes the waiting calls for which there is room, one of each caller in turn.
    private func takeWaiting(_ state: inout State) -> [(Call, ReplyRoom?)] {
        var begun: [(Call, ReplyRoom?)] = []
        while let index = nextInQueue(state) {
            let caller = state.queue.remove(at: index)
            guard let next = state.callers[caller]?.line.popFirst() else { continue }
            state.callers[caller]?.requestByteCount -= next.requestByteCount
            if state.callers[caller]?.line.isEmpty == false { state.queue.append(caller) }
            begun.append((next.call, take(next.byteCount, for: caller, &state)))
            forgetIdle(caller, &state)
        }
        return begun
    }

    /// The place of the next caller for whom there is room: first who has no room and no second
    /// call that waits, then who has no room.
    ///
    /// - Complexity: O(*n*) in the callers of whom calls wait.
    private func nextInQueue(_ state: State) -> Int? {
        var best: (index: Int, rank: Int)?
        for (index, caller) in state.queue.enumerated() {
            guard let present = state.callers[caller], let next = present.line.first,
                hasShare(caller, state, for: next.byteCount),
                hasRoom(caller, state, for: next.byteCount)
            else { continue }
            let rank = present.byteCount > 0 ? 2 : present.line.count > 1 ? 1 : 0
            if rank == 0 { return index }
            if rank < best?.rank ?? 3 { best = (index, rank) }
        }
        return best?.index
    }

    // MARK: Ends

    /// Ends the calls whose replies are not read for long, or whose room others wait for; those of
    /// who has most first.
    func lookAfter(at bootNanoseconds: Int64) {
        let ends = state.withLock { state in
            var ended = state.unread.values.filter {
                bootNanoseconds - $0.since >= Self.stallNanoseconds
            }
            var wanted = state.queue.reduce(0) { sum, caller in
                let byteCount = state.callers[caller]?.line.first?.byteCount ?? 0
                return hasShare(caller, state, for: byteCount) ? sum + byteCount : sum
            }
            wanted -= ended.reduce(0) { $0 + $1.byteCount }
            guard wanted > 0 else { return ended.map(\.end) }
            let pressed = state.unread.values.filter { unread in
                let nanoseconds = bootNanoseconds - unread.since
                return (Self.pressedNanoseconds..<Self.stallNanoseconds).contains(nanoseconds)
            }
            let held = state.callers.mapValues(\.byteCount)
            let order = pressed.sorted { one, other in
                (held[one.caller] ?? 0, other.since) > (held[other.caller] ?? 0, one.since)
            }
            for unread in order where wanted > 0 {
                ended.append(unread)
                wanted -= unread.byteCount
            }
            return ended.map(\.end)
        }
        for end in ends { end() }
    }

    /// Refuses the calls that wait, and takes no more.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            state.queue = []
            let calls = state.callers.values.flatMap { $0.line.map(\.call) }
            for caller in state.callers.keys {
                state.callers[caller]?.line = []
            }
            return calls
        }
        for call in waiting { call(.failure(.stopping)) }
    }
}

/// The room of one reply, which is given back when this object is released.
package final class ReplyRoom: Sendable {
    fileprivate let caller: TurnOwner
    private let rooms: ReplyRooms
    private let byteCount: Guarded<Int>

    fileprivate init(_ rooms: ReplyRooms, _ caller: TurnOwner, _ byteCount: Int) {
        self.rooms = rooms
        self.caller = caller
        self.byteCount = Guarded(byteCount)
    }

    deinit { rooms.giveBack(self, byteCount.withLock { $0 }) }

    /// Notes the bytes of the reply; `end` ends its call where the client does not read it.
    package func keep(_ byteCount: Int, end: @escaping @Sendable () -> Void) {
        let before = self.byteCount.withLock { count in
            defer { count = byteCount }
            return count
        }
        rooms.keep(self, byteCount, insteadOf: before, end)
    }
}
