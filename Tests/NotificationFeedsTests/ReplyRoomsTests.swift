internal import BelfryLocking
internal import NotificationCore
internal import NotificationStore
internal import Testing

@testable internal import NotificationFeeds

/// A call waits where its caller does not read what it was answered.
@Suite("Replies that are not read (FD-8)")
struct ReplyRoomsTests {
    private static let each = 8 * 1_024

    /// Room for sixteen replies: a connection may have two, an account four.
    private let rooms = ReplyRooms(byteCount: 16 * each) { job in
        job()
        return true
    }
    private let calls = Calls()

    /// The calls that began, and those that did not.
    private final class Calls: Sendable {
        private struct State {
            var begun: [Int] = []
            var refusals: [Refusal] = []
            var ended: [Int] = []
            var rooms: [Int: ReplyRoom] = [:]
        }

        private let state = Guarded(State())

        var begun: [Int] { state.withLock { $0.begun } }
        var refusals: [Refusal] { state.withLock { $0.refusals } }
        var ended: [Int] { state.withLock { $0.ended } }

        /// Notes that a call begins, and that its reply has `byteCount` bytes.
        func note(_ number: Int, _ result: Result<ReplyRoom?, Refusal>, _ byteCount: Int) {
            switch result {
            case .success(let room):
                room?.keep(byteCount) { [self] in
                    state.withLock { $0.ended.append(number) }
                    read(number)
                }
                state.withLock { state in
                    state.begun.append(number)
                    state.rooms[number] = room
                }
            case .failure(let refusal): state.withLock { $0.refusals.append(refusal) }
            }
        }

        /// The client has the reply.
        func read(_ number: Int) {
            withExtendedLifetime(state.withLock { $0.rooms.removeValue(forKey: number) }) {}
        }
    }

    private func call(
        _ number: Int,
        of caller: TurnOwner,
        for byteCount: Int = each,
        request: Int = 100,
        reply: Int = each
    ) {
        rooms.enter(caller, for: byteCount, requestByteCount: request) { [calls] result in
            calls.note(number, result, reply)
        }
    }

    @Test("A connection has an eighth of all room, and its next calls wait until it reads")
    func share() {
        for number in 1...4 { call(number, of: .connection(1)) }
        #expect(calls.begun == [1, 2])
        // Neither others nor what needs no room of its own waits for it.
        call(5, of: .connection(2))
        call(6, of: .connection(3), for: 100)
        #expect(calls.begun == [1, 2, 5, 6])
        // A short reply waits, too, of one who reads nothing.
        call(7, of: .connection(1), for: 100)
        #expect(calls.begun == [1, 2, 5, 6])
        calls.read(1)
        #expect(calls.begun == [1, 2, 5, 6, 3])
        calls.read(5)
        #expect(calls.begun == [1, 2, 5, 6, 3])
        calls.read(2)
        calls.read(3)
        #expect(calls.begun == [1, 2, 5, 6, 3, 4, 7])
    }

    @Test("A call takes the room of the longest reply, and keeps that of its own")
    func shrinks() {
        for number in 1...8 { call(number, of: .connection(1), reply: 4 * 1_024) }
        #expect(calls.begun == [1, 2, 3])
        for number in 11...15 { call(number, of: .connection(2), reply: 0) }
        #expect(calls.begun == [1, 2, 3, 11, 12, 13, 14, 15])
        // One of any length is let in, alone.
        call(21, of: .connection(3), for: 5 * Self.each, reply: 5 * Self.each)
        call(22, of: .connection(3))
        #expect(calls.begun.suffix(1) == [21])
    }

    @Test("An account has a quarter over all its connections")
    func account() {
        let account = TurnOwner.registrant(Registrant(.token, "a"))
        for number in 1...6 { call(number, of: account) }
        #expect(calls.begun == [1, 2, 3, 4])
        call(7, of: .registrant(Registrant(.token, "b")))
        #expect(calls.begun == [1, 2, 3, 4, 7])
    }

    /// Takes all room with calls 0 to 15: two of connections 0 to 3, one of 8 to 15.
    private func takeAll() {
        for number in 0..<16 {
            call(number, of: .connection(UInt(number < 8 ? number / 2 : number)))
        }
        #expect(calls.begun == Array(0..<16))
    }

    @Test("The last quarter of all room is for callers who have none")
    func lastQuarter() {
        for number in 0..<16 { call(number, of: .connection(UInt(number / 2))) }
        #expect(calls.begun == Array(0..<13) + [14])
        call(20, of: .connection(20))
        #expect(calls.begun.last == 20)
    }

    @Test("Where all room is taken, who waits with one call and has no room goes first")
    func turns() {
        takeAll()
        for number in 20..<22 { call(number, of: .connection(20)) }
        call(30, of: .connection(30))
        #expect(calls.begun.count == 16)
        for number in [0, 2, 4, 6, 8, 9] { calls.read(number) }
        #expect(calls.begun.suffix(2) == [30, 20])
        calls.read(10)
        #expect(calls.begun.last == 21)
    }

    @Test("Who waits for room ends the replies that were not read for a second")
    func pressed() {
        takeAll()
        let now = SystemTime.now().bootNanoseconds
        rooms.lookAfter(at: now + 2_000_000_000)
        #expect(calls.ended == [])
        // One of who has most goes, not the only one of another.
        calls.read(0)
        call(20, of: .connection(20))
        call(30, of: .connection(30))
        rooms.lookAfter(at: now + 500_000_000)
        #expect(calls.ended == [])
        rooms.lookAfter(at: now + 2_000_000_000)
        #expect(calls.ended.count == 1)
        #expect((2...7).contains(calls.ended.first ?? 0))
        #expect(calls.begun.suffix(1) == [30])
    }

    @Test("A reply that is not read for 60 s ends its call")
    func stalled() {
        call(1, of: .connection(1))
        call(2, of: .connection(1), reply: 0)
        let now = SystemTime.now().bootNanoseconds
        rooms.lookAfter(at: now + 50_000_000_000)
        #expect(calls.ended == [])
        rooms.lookAfter(at: now + 61_000_000_000)
        #expect(calls.ended.sorted() == [1, 2])
    }

    @Test("As many calls wait as a connection has open ones, with as many bytes as it may have")
    func refused() throws {
        for number in 1...2 { call(number, of: .connection(1)) }
        for number in 0..<1_024 { call(10 + number, of: .connection(1), request: 1) }
        #expect(calls.refusals.isEmpty)
        call(2_000, of: .connection(1), request: 1)
        let refusal = try #require(calls.refusals.first)
        #expect(refusal.kind == .resourceExhausted)
        #expect(refusal.reason == .overloaded)
        #expect(refusal.retryAfterNanoseconds == 1_000_000_000)
        for number in 3_001...3_005 {
            call(number, of: .connection(2), request: Self.each)
        }
        #expect(calls.refusals.count == 2)
    }

    @Test("The stop refuses the calls that wait")
    func stop() {
        for number in 1...3 { call(number, of: .connection(1)) }
        rooms.stop()
        call(4, of: .connection(2))
        #expect(calls.refusals == [.stopping, .stopping])
        calls.read(1)
        #expect(calls.begun == [1, 2])
    }
}
