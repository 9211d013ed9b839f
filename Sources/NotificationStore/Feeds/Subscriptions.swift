internal import BelfryLMDB
internal import BelfryLocking
public import NotificationCore

/// The open subscriptions: a commit wakes those of its centers, and reader threads serve them.
final class Subscriptions: Sendable {
    /// How long a subscriber hears nothing before it is told that the server is there.
    static let heartbeatNanoseconds: Int64 = 15_000_000_000
    /// How long a subscriber may take nothing before its stream ends (FD-2).
    static let stallNanoseconds: Int64 = 60_000_000_000

    private struct State {
        var open: [UInt32: [ObjectIdentifier: Subscription]] = [:]
        var count = 0
        var isStopped = false
    }

    private let reader: StoreReader
    private let feeders: ReaderPool
    private let delegates: Delegates
    private let clock: Clock
    private let limits: StoreLimits
    private let state = Guarded(State())
    private let recentSlices = RecentSlices()
    private let wakeup = Wakeup()
    private let pacer = Guarded<SystemThread?>(nil)

    init(
        reader: StoreReader,
        feeders: ReaderPool,
        delegates: Delegates,
        clock: Clock,
        limits: StoreLimits
    ) {
        self.reader = reader
        self.feeders = feeders
        self.delegates = delegates
        self.clock = clock
        self.limits = limits
        pacer.withLock { $0 = SystemThread { self.pace() } }
    }

    var count: Int { state.withLock { $0.count } }

    /// Opens a subscription; its messages begin at once, on a reader thread.
    func open(
        _ request: SubscriptionRequest,
        _ sink: any SubscriptionSink
    ) throws(Refusal) -> Subscription {
        let request = try takingUp(request)
        let subscription = try makeSubscription(request, sink)
        let refusal = state.withLock { state -> Refusal? in
            guard !state.isStopped else { return .stopping }
            guard state.count < limits.subscriptions else {
                return .tooManySubscriptions(limits.subscriptions)
            }
            state.count += 1
            state.open[subscription.number, default: [:]][ObjectIdentifier(subscription)] =
                subscription
            return nil
        }
        if let refusal { throw refusal }
        sink.begin(subscription)
        attach(subscription)
        // What was committed between the reading of the center and the registration woke nobody.
        guard isRegistered(subscription) else {
            end(subscription, .notRegistered(request.center))
            return subscription
        }
        if let newest = try? reader.newest(of: subscription.number) {
            subscription.commit(event: newest.event, callback: newest.callback)
        }
        subscription.open()
        schedule(subscription)
        return subscription
    }

    /// Gives a request that takes up a subscription the identifier, role and state of that one.
    private func takingUp(_ request: SubscriptionRequest) throws(Refusal) -> SubscriptionRequest {
        guard let resumed = request.resumedIdentifier else { return request }
        let number: UInt32?
        do throws(LMDBError) {
            number = try reader.center(request.center)?.number
        } catch {
            throw reader.damage.refusal(for: error)
        }
        guard let number else { throw .notRegistered(request.center) }
        guard let said = delegates.said(by: resumed, for: number, at: clock.now().elapsed) else {
            throw .subscriptionLost
        }
        var request = request
        request.identifier = resumed
        request.role = said.role
        request.appState = said.appState
        return request
    }

    /// Notes who answers for an app from now on, and tells those who do so no longer.
    private func attach(_ subscription: Subscription) {
        let request = subscription.request
        let number = subscription.number
        // The client may know of a cut before the server does.
        if let resumed = other(than: subscription, named: request.identifier) {
            end(resumed, .takenUp)
        }
        let owner = ObjectIdentifier(subscription)
        let now = clock.now().elapsed
        let demoted = delegates.attach(request, owner: owner, to: number, at: now)
        if subscription.isEnded {
            delegates.detach(request.identifier, owner: owner, from: number)
        }
        // Looked up only now: one that opened meanwhile may be the one that was demoted.
        guard let demoted, let other = other(than: subscription, named: demoted) else { return }
        other.demote()
        schedule(other)
    }

    /// The subscription of the same center that has an identifier.
    private func other(than subscription: Subscription, named name: String) -> Subscription? {
        state.withLock { state in
            (state.open[subscription.number] ?? [:]).values.first {
                $0 !== subscription && $0.request.identifier == name
            }
        }
    }

    /// Whether the app of a subscription is still there; where that cannot be read, it is.
    private func isRegistered(_ subscription: Subscription) -> Bool {
        do {
            return try reader.center(subscription.request.center)?.number == subscription.number
        } catch {
            return true
        }
    }

    private func makeSubscription(
        _ request: SubscriptionRequest,
        _ sink: any SubscriptionSink
    ) throws(Refusal) -> Subscription {
        do {
            return try reader.environment.read { transaction throws(LMDBError) in
                guard let number = try transaction.centerNumber(request.center, reader.tables)
                else {
                    return Result<Subscription, Refusal>.failure(.notRegistered(request.center))
                }
                let center = try transaction.center(number, reader.tables)
                if let after = request.after, after > center.lastEvent {
                    return .failure(.eventNumberUnknown(newest: center.lastEvent))
                }
                if let after = request.after, after > 0, after + 1 < center.firstEvent {
                    return .failure(.eventsTrimmed(first: center.firstEvent))
                }
                return .success(
                    Subscription(
                        request: request,
                        number: number,
                        center: center,
                        newestCallback: try transaction.state(reader.tables).nextSequence - 1,
                        sink: sink,
                        hub: self
                    )
                )
            }.get()
        } catch {
            throw reader.damage.refusal(for: error)
        }
    }

    /// Forgets a subscription that has ended.
    ///
    /// Whether its reader was cut off is asked only where something would be kept.
    func forget(_ subscription: Subscription, isCut: @autoclosure () -> Bool = false) {
        let identifier = subscription.request.identifier
        let owner = ObjectIdentifier(subscription)
        let number = subscription.number
        if delegates.speaks(identifier, for: number) && isCut() {
            delegates.cut(identifier, owner: owner, from: number, at: clock.now().elapsed)
        } else {
            delegates.detach(identifier, owner: owner, from: number)
        }
        state.withLock { state in
            let key = ObjectIdentifier(subscription)
            guard state.open[subscription.number]?.removeValue(forKey: key) != nil else { return }
            state.count -= 1
            if state.open[subscription.number]?.isEmpty == true {
                state.open[subscription.number] = nil
            }
        }
    }

    /// Wakes the subscriptions that a batch has news for, on the writer thread after the commit.
    func wake(_ news: Commit) {
        for (number, name) in news.unregistered {
            let open = state.withLock { state in (state.open[number] ?? [:]).values.map { $0 } }
            for subscription in open { end(subscription, .notRegistered(name)) }
        }
        let numbers = Set(news.lastEvents.keys).union(news.openedCallbacks.keys)
            .union(news.endedCallbacks.keys)
        guard !numbers.isEmpty else { return }
        let woken = state.withLock { state -> [Subscription] in
            guard state.count > 0 else { return [] }
            return numbers.flatMap { (state.open[$0] ?? [:]).values }
        }
        for subscription in woken {
            let number = subscription.number
            subscription.commit(
                event: news.lastEvents[number] ?? 0,
                callback: news.openedCallbacks[number] ?? 0,
                ended: news.endedCallbacks[number] ?? []
            )
            schedule(subscription)
        }
    }

    /// The last event that all were told who follow a center's log at its end, or did so before
    /// the newest events came; nil where nobody does.
    func toldByFollowers(of number: UInt32) -> UInt64? {
        let open = state.withLock { state in (state.open[number] ?? [:]).values.map { $0 } }
        return open.compactMap(\.toldAsFollower).min()
    }

    /// Has a reader thread make the subscription's next message, if there is one.
    func schedule(_ subscription: Subscription, isHeartbeatDue: Bool = false) {
        guard let turn = subscription.takeTurn(isHeartbeatDue: isHeartbeatDue) else { return }
        let isTaken = feeders.submit { self.serve(subscription, turn) }
        if !isTaken { subscription.endTurn() }
    }

    private func serve(_ subscription: Subscription, _ turn: Subscription.Turn) {
        defer {
            subscription.endTurn()
            // The message may have been taken before the sink returned.
            schedule(subscription)
        }
        do {
            var message = SubscriptionMessage(bookmark: 0)
            switch turn {
            case .start:
                message.beginning = subscription.beginning
                let now = clock.now().elapsed
                message.beginning?.appState = delegates.appState(of: subscription.number, at: now)
            case .notices(let isDemoted, let ended):
                message.isDemoted = isDemoted
                message.endedCallbacks = ended
            case .callbacks(let after, let newest):
                let found = try reader.callbacks(
                    of: subscription.number,
                    after: after,
                    upTo: newest,
                    asOf: clock.now()
                )
                message.callbacks = found.callbacks.filter { callback in
                    subscription.request.role?.answers(callback.question) == true
                }
                subscription.noteAsked(upTo: found.upTo, told: message.callbacks)
                guard !message.callbacks.isEmpty else { return subscription.skipTurn() }
            case .snapshot(let begun):
                var snapshot = try begun ?? reader.snapshot(of: subscription.number)
                message.snapshot = try reader.nextPart(of: &snapshot)
                subscription.keep(snapshot)
            case .events(let after):
                switch try slice(of: subscription.number, after: after) {
                case .success(let slice): message.slice = slice
                case .failure(let refusal): return end(subscription, refusal)
                }
            case .heartbeat:
                message.isHeartbeat = true
            }
            subscription.send(message)
        } catch {
            // The rows of an app that is gone may go while they are read.
            let isThere = isRegistered(subscription)
            let center = subscription.request.center
            end(subscription, isThere ? reader.damage.refusal(for: error) : .notRegistered(center))
        }
    }

    private func slice(
        of center: UInt32,
        after: UInt64
    ) throws(LMDBError) -> Result<EventSlice, Refusal> {
        let isShared = state.withLock { $0.open[center]?.count ?? 0 > 1 }
        if isShared, let slice = recentSlices.slice(of: center, after: after) {
            return .success(slice)
        }
        return try reader.events(of: center, after: after).map { events in
            let slice = EventSlice(events)
            if isShared && !events.isEmpty { recentSlices.keep(slice, of: center, after: after) }
            return slice
        }
    }

    private func end(_ subscription: Subscription, _ refusal: Refusal) {
        if subscription.end(refusal) { forget(subscription) }
    }

    /// Ends every subscription with UNAVAILABLE and takes no more.
    func stop() {
        let open = state.withLock { state in
            state.isStopped = true
            return state.open.values.flatMap(\.values)
        }
        for subscription in open { end(subscription, .stopping) }
        wakeup.signal()
        pacer.withLock { $0.take() }?.join()
    }

    /// Looks after the quiet and the stalled once a second, until the stop.
    private func pace() {
        while true {
            let now = SystemTime.now().bootNanoseconds
            let (open, isStopped) = state.withLock { state in
                (state.open.values.flatMap(\.values), state.isStopped)
            }
            if isStopped { return }
            delegates.forgetLost(at: clock.now().elapsed)
            for subscription in open {
                let idle = subscription.idle(at: now)
                if idle.isOnItsWay && idle.nanoseconds >= Self.stallNanoseconds {
                    end(subscription, .stalled)
                } else if !idle.isOnItsWay && idle.nanoseconds >= Self.heartbeatNanoseconds {
                    schedule(subscription, isHeartbeatDue: true)
                }
            }
            wakeup.wait(untilBootNanoseconds: now + .nanosecondsPerSecond)
        }
    }
}

extension Store {
    /// Follows a center's events (FD-1).
    ///
    /// - Parameters:
    ///   - request: The center, and where to begin.
    ///   - sink: Where the messages go; kept until the subscription ends.
    /// - Returns: The subscription, to be cancelled when its reader is gone; the sink has it, too.
    /// - Throws: That the app is not registered, that `after` lies ahead, or a limit.
    @discardableResult
    public func subscribe(
        _ request: SubscriptionRequest,
        sink: any SubscriptionSink
    ) throws(Refusal) -> Subscription {
        try subscriptions.open(request, sink)
    }
}
