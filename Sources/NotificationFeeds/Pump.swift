internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationStore

/// A feed that the pump drives: at most one of its messages is on its way.
protocol PumpedFeed: AnyObject, Sendable {
    /// The content of a message that is to be made.
    associatedtype Turn: Sendable

    /// Takes the turn to make the next message, if there is one and no other thread makes it.
    func takeTurn(isHeartbeatDue: Bool) -> Turn?
    /// Makes the message of a turn, and sends it.
    func serve(_ turn: Turn)
    /// Gives the turn back, and tells the sink the end if the feed ended during the turn.
    func endTurn()
    /// For how long nothing was sent, and whether a message is still on its way.
    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool)
    /// Ends the feed and tells the sink why, after the message of a turn that is under way.
    func end(_ refusal: Refusal)
}

/// All open feeds, and the threads that make their messages.
///
/// A commit wakes the feeds that it concerns. Two threads make the messages, one message of each
/// waiting feed in turn.
final class Pump: CommitObserver {
    /// For how long nothing is sent to a subscriber before it gets a heartbeat.
    private static let heartbeatNanoseconds: Int64 = 15_000_000_000
    /// For how long a subscriber may take no message before its stream ends (FD-2).
    private static let stallNanoseconds: Int64 = 60_000_000_000

    private struct State {
        var centers = OpenFeeds<CenterNumber, EventFeed>()
        // Bounded: names of devices, which were validated.
        var devices = OpenFeeds<String, DeviceFeed>()
        /// The last news of each device that is watched.
        // Bounded: names of devices, which were validated.
        var news: [String: SharedNews] = [:]
        // Bounded: names of apps, which were validated.
        var extensions = OpenFeeds<String, ExtensionFeed>()
        var pushes = OpenFeeds<TagPushNumber, TagPushFeed>()
        var answers = OpenFeeds<CenterNumber, AnswerFeed>()
        var isStopped = false

        var all: [any PumpedFeed] {
            centers.all + devices.all + extensions.all + pushes.all + answers.all
        }
    }

    private let extensions: ExtensionSessions
    private let limits: StoreLimits
    private let sessions: AppSessions
    private let state = Guarded(State())
    private let readers = ReaderPool(threadCount: 2)
    private let wakeup = Wakeup()
    private let pacer = Guarded<SystemThread?>(nil)

    /// The rooms of the feeds' large messages.
    let rooms: MessageRooms
    /// The rooms of the replies of unary calls.
    let replies: ReplyRooms

    init(limits: StoreLimits, sessions: AppSessions, extensions: ExtensionSessions) {
        self.limits = limits
        self.sessions = sessions
        self.extensions = extensions
        rooms = MessageRooms(
            byteCount: limits.messageBytes,
            each: limits.eventBytesPerMessage
        )
        replies = ReplyRooms(byteCount: limits.messageBytes) { [readers] in readers.submit($0) }
    }

    /// Begins to look after quiet and stalled feeds, once there is a store.
    func start(_ store: Store) {
        pacer.withLock { $0 = SystemThread(named: "events") { self.pace(store) } }
    }

    /// Ends every feed with UNAVAILABLE and takes no more.
    func stop() {
        let feeds = state.withLock { state in
            state.isStopped = true
            return state.all
        }
        for feed in feeds { feed.end(.stopping) }
        replies.stop()
        wakeup.signal()
        pacer.withLock { $0.take() }?.join()
        readers.stop()
    }

    // MARK: The feeds

    /// How many feeds follow centers.
    var eventFeedCount: Int { state.withLock { $0.centers.count } }

    func feeds(of center: CenterNumber) -> [EventFeed] {
        state.withLock { $0.centers.following(center) }
    }

    /// Whether several feeds follow a center.
    func isShared(_ center: CenterNumber) -> Bool {
        state.withLock(unless: Fault.pumpWithoutLock.isPlanted) {
            $0.centers.count(following: center) > 1
        }
    }

    /// Adds a subscription, which the commits of its center wake from now on.
    func add(_ feed: EventFeed) throws(Refusal) {
        let refusal = state.withLock { state in
            state.isStopped
                ? .stopping
                : state.centers.insert(feed, following: feed.number, limit: limits.subscriptions)
        }
        if let refusal { throw refusal }
    }

    /// Adds a feed, for which batches note the news of its device from now on.
    func add(_ feed: DeviceFeed) throws(Refusal) {
        let refusal = state.withLock { state -> Refusal? in
            guard !state.isStopped else { return .stopping }
            let limit = limits.subscriptions
            if let refusal = state.devices.insert(feed, following: feed.device, limit: limit) {
                return refusal
            }
            let last = state.news[feed.device] ?? SharedNews()
            state.news[feed.device] = last
            feed.begin(behind: last)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Adds a feed, which the questions to its app's extensions wake from now on.
    func add(_ feed: ExtensionFeed) throws(Refusal) {
        let app = feed.request.app
        let refusal = state.withLock { state in
            state.isStopped
                ? .stopping
                : state.extensions.insert(feed, following: app, limit: limits.subscriptions)
        }
        if let refusal { throw refusal }
    }

    /// The feed of a call in which an extension of an app serves.
    func feed(of app: String, named serving: String) -> ExtensionFeed? {
        state.withLock { $0.extensions.following(app) }
            .first { $0.request.identifier == serving }
    }

    func forget(_ feed: ExtensionFeed) {
        state.withLock { $0.extensions.remove(feed, following: feed.request.app) }
    }

    func add(_ feed: TagPushFeed) throws(Refusal) {
        let refusal = state.withLock { state in
            state.isStopped
                ? .stopping
                : state.pushes.insert(feed, following: feed.number, limit: limits.subscriptions)
        }
        if let refusal { throw refusal }
    }

    func add(_ feed: AnswerFeed) throws(Refusal) {
        let center = feed.awaited.center
        let refusal = state.withLock { state in
            state.isStopped
                ? .stopping
                : state.answers.insert(feed, following: center, limit: limits.subscriptions)
        }
        if let refusal { throw refusal }
    }

    func forget(_ feed: AnswerFeed) {
        state.withLock { $0.answers.remove(feed, following: feed.awaited.center) }
    }

    func forget(_ feed: TagPushFeed) {
        state.withLock { $0.pushes.remove(feed, following: feed.number) }
    }

    func forget(_ feed: EventFeed) {
        state.withLock { $0.centers.remove(feed, following: feed.number) }
    }

    func forget(_ feed: DeviceFeed) {
        let news = state.withLock { state in
            state.devices.remove(feed, following: feed.device)
            let isWatched = state.devices.count(following: feed.device) > 0
            return isWatched ? nil : state.news.removeValue(forKey: feed.device)
        }
        // Release many news outside the lock.
        withExtendedLifetime(news) {}
    }

    // MARK: From the store

    func isWatched(_ device: String) -> Bool {
        state.withLock { $0.devices.count(following: device) > 0 }
    }

    func toldByFollowers(of center: CenterNumber) -> EventNumber? {
        feeds(of: center).compactMap(\.toldAsFollower).min()
    }

    func committed(_ commit: Commit) {
        for (center, name) in commit.unregistered {
            for feed in feeds(of: center) { feed.end(.notRegistered(name)) }
            for feed in state.withLock({ $0.answers.following(center) }) {
                feed.end(.notRegistered(name))
            }
        }
        let centers = Set(commit.lastEvents.keys).union(commit.openedCallbacks.keys)
            .union(commit.endedCallbacks.keys)
        let woken = state.withLock(unless: Fault.pumpWithoutLock.isPlanted) { state in
            centers.flatMap { state.centers.following($0) }
        }
        for feed in woken {
            feed.commit(
                event: commit.lastEvents[feed.number] ?? 0,
                callback: commit.openedCallbacks[feed.number] ?? 0,
                ended: commit.endedCallbacks[feed.number] ?? []
            )
            schedule(feed)
        }
        for (center, names) in commit.named {
            for feed in state.withLock({ $0.answers.following(center) })
            where names.containsExactly(feed.awaited.identifier) {
                feed.commit()
                schedule(feed)
            }
        }
        for (app, news) in commit.extensions {
            for feed in state.withLock({ $0.extensions.following(app) }) {
                feed.commit(news)
                schedule(feed)
            }
        }
        for push in commit.tagPushes {
            for feed in state.withLock({ $0.pushes.following(push) }) {
                feed.commit()
                schedule(feed)
            }
        }
        for (device, news) in commit.devices {
            let watching = state.withLock { state in
                state.news[device] = state.news[device]?.appending(news)
                return state.devices.following(device)
            }
            for feed in watching { schedule(feed) }
        }
        if !commit.devices.isEmpty { endTheFurthestBehind() }
    }

    /// Ends the feeds that are furthest behind, until the news that wait are within the limit.
    ///
    /// The watchers of a device share its news, which wait for the one that is furthest behind.
    private func endTheFurthestBehind() {
        let (open, last) = state.withLock { ($0.devices.all, $0.news) }
        var behind = open.map { feed in
            let noted = last[feed.device]?.endByteCount ?? 0
            return (feed: feed, bytes: feed.waitingByteCount(of: noted))
        }
        // News that are shared count several times here: mostly even so they are few.
        guard behind.reduce(0, { $0 + $1.bytes }) > limits.newsBytes else { return }
        let most = Dictionary(behind.map { ($0.feed.device, $0.bytes) }, uniquingKeysWith: max)
        var byteCount = most.values.reduce(0, +)
        guard byteCount > limits.newsBytes else { return }
        behind.sort { $0.bytes < $1.bytes }
        // A feed that ends releases the news that no other feed of its device waits for.
        var next: [String: Int] = [:]
        let released = behind.map { feed, bytes in
            defer { next[feed.device] = bytes }
            return bytes - (next[feed.device] ?? 0)
        }
        for ((feed, _), bytes) in zip(behind, released).reversed()
        where byteCount > limits.newsBytes {
            byteCount -= bytes
            feed.end(.watcherBehind)
        }
    }

    // MARK: Messages

    /// Has a thread make a feed's next message, if there is one.
    func schedule(_ feed: some PumpedFeed, isHeartbeatDue: Bool = false) {
        guard let turn = feed.takeTurn(isHeartbeatDue: isHeartbeatDue) else { return }
        let isTaken = readers.submit {
            feed.serve(turn)
            feed.endTurn()
            // Look again: the message may have been taken before the sink returned.
            self.schedule(feed)
        }
        if !isTaken { feed.endTurn() }
    }

    /// Looks after quiet and stalled feeds, and replies that are not read, once a second until the
    /// stop.
    private func pace(_ store: Store) {
        var freed = FreedMemory()
        while true {
            let now = SystemTime.now().bootNanoseconds
            let (feeds, isStopped) = state.withLock { ($0.all, $0.isStopped) }
            if isStopped { return }
            let elapsed = store.clock.now().elapsed
            sessions.forgetLost(at: elapsed)
            for app in extensions.forgetLost(at: elapsed) { store.endUnservedQuestions(of: app) }
            for feed in feeds { lookAfter(feed, at: now) }
            replies.lookAfter(at: now)
            freed.giveBack()
            wakeup.wait(untilBootNanoseconds: now + .nanosecondsPerSecond)
        }
    }

    private func lookAfter(_ feed: some PumpedFeed, at bootNanoseconds: Int64) {
        let idle = feed.idle(at: bootNanoseconds)
        if idle.isOnItsWay && idle.nanoseconds >= Self.stallNanoseconds {
            feed.end(.stalled)
        } else if !idle.isOnItsWay && idle.nanoseconds >= Self.heartbeatNanoseconds {
            schedule(feed, isHeartbeatDue: true)
        }
    }
}
