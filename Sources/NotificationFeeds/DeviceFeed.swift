internal import BelfryLocking
internal import NotificationCore
internal import NotificationStore

/// A watch of a device: tells a watcher what the device is to show, play and run, with at most one
/// message on its way.
///
/// News wait while a message is on its way, once for all watchers of the device. They are not
/// durable: when those of all devices together are too many, the feed that is furthest behind is
/// ended, and its watcher comes back for a new snapshot.
package final class DeviceFeed: PumpedFeed {
    /// The content of the next message to a watcher.
    enum Turn: Sendable {
        case snapshot
        case news(after: NewsPlace)
        case heartbeat
    }

    private struct State {
        var turnstile: Turnstile<DeviceFeed, DeviceFeedMessage>
        /// The rest of the first state that is still to be told; nil once all is told.
        var snapshot: DeviceSnapshot?
        /// The news that were told; nil where the feed is not added, or has ended.
        var place: NewsPlace?
        var untold = UntoldDeliveries()

        /// The place behind which there are news of some apps; nil, and past all others, where
        /// there are none.
        // Bounded: names of apps, which were validated.
        mutating func nextNews(of apps: Set<String>) -> NewsPlace? {
            guard var ahead = place else { return nil }
            if ahead.next(of: apps) != nil { return place }
            place = ahead
            return nil
        }
    }

    /// How many news one message tells at most.
    private static let newsPerMessage = 256

    let device: String
    // Bounded: names of apps, which were validated.
    private let apps: Set<String>
    private let isOfLockScreen: Bool
    // Weak, since the stream may call the feed after the store is gone.
    private weak let feeds: Feeds?
    private let state: Guarded<State>

    init(
        device: String,
        // Bounded: names of apps, which were validated.
        apps: Set<String>,
        isOfLockScreen: Bool = false,
        sink: any FeedSink<DeviceFeed, DeviceFeedMessage>,
        feeds: Feeds
    ) {
        self.device = device
        self.apps = apps
        self.isOfLockScreen = isOfLockScreen
        self.feeds = feeds
        state = Guarded(
            State(
                turnstile: Turnstile(sink, feeds.pump.rooms),
                snapshot: isOfLockScreen ? nil : DeviceSnapshot(device: device, apps: apps)
            )
        )
    }

    func open() { state.withLock { $0.turnstile.open() } }

    package func sent() {
        state.withLock { $0.turnstile.sent() }
        feeds?.pump.schedule(self)
    }

    package func cancel() {
        withExtendedLifetime(leave()) {}
    }

    func end(_ refusal: Refusal) {
        leave(saying: refusal)?.end(refusal)
    }

    /// Ends the feed, and gives the sink where it is to be told now or released.
    private func leave(
        saying refusal: Refusal? = nil
    ) -> (any FeedSink<DeviceFeed, DeviceFeedMessage>)? {
        let sink = state.withLock { state in
            state.place = nil
            return state.turnstile.end(refusal).sink
        }
        feeds?.pump.forget(self)
        return sink
    }

    /// Tells the news that follow those that were noted until now.
    func begin(behind last: SharedNews) {
        state.withLock { $0.place = NewsPlace(behind: last) }
    }

    /// About how many bytes of its device's news, of which so many were noted, wait for this feed.
    func waitingByteCount(of byteCount: Int) -> Int {
        state.withLock { state in state.place.map { byteCount - $0.byteCount } ?? 0 }
    }

    // MARK: On a thread of the pump

    func takeTurn(isHeartbeatDue: Bool) -> Turn? {
        state.withLock { state in
            guard state.turnstile.isFree else { return nil }
            let turn: Turn
            if state.snapshot != nil {
                turn = .snapshot
            } else if let place = state.nextNews(of: apps) {
                turn = .news(after: place)
            } else if isHeartbeatDue {
                turn = .heartbeat
            } else {
                return nil
            }
            state.turnstile.takeTurn()
            return turn
        }
    }

    func serve(_ turn: Turn) {
        guard let feeds else { return }
        let reader = feeds.reader(mayBeLarge: state.withLock { $0.turnstile.mayBeLarge })
        do {
            switch turn {
            case .snapshot:
                switch try nextSnapshotPart(reader) {
                case .success(let part): send(.snapshot(part))
                case .failure(let refusal): end(refusal)
                }
            case .news(let place):
                let frames = try render(after: place, reader)
                if frames.isEmpty {
                    state.withLock { $0.turnstile.skip() }
                } else {
                    send(.frames(frames))
                }
            case .heartbeat: send(.heartbeat)
            }
        } catch {
            end(reader.refusal(for: error))
        }
    }

    func endTurn() {
        let (sink, lastWord) = state.withLock { $0.turnstile.endTurn() }
        if let sink, let lastWord { sink.end(lastWord) }
    }

    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        state.withLock { $0.turnstile.idle(at: bootNanoseconds) }
    }

    /// Reads the part of the state that comes next.
    private func nextSnapshotPart(
        _ reader: StoreReader
    ) throws(ReadError) -> Result<DeviceSnapshotPart, Refusal> {
        guard var snapshot = state.withLock({ $0.snapshot }) else {
            preconditionFailure("a snapshot was told twice")
        }
        let part = try snapshot.nextPart(reader)
        let isComplete = if case .success(let part) = part { part.isComplete } else { false }
        state.withLock { $0.snapshot = isComplete ? nil : snapshot }
        return part
    }

    /// Renders the news behind a place as frames, as many as one message may hold.
    private func render(
        after place: NewsPlace,
        _ reader: StoreReader
    ) throws(ReadError) -> [DeviceFrame] {
        let untold = state.withLock { $0.untold }
        var renderer = DeviceNewsRenderer(
            reader: reader,
            device: device,
            untold: untold,
            isOfLockScreen: isOfLockScreen
        )
        // Take the news before the lists of their apps are read: what is delivered later is not in
        // these lists, and would seem to be gone.
        var taken: [(news: DeviceNews, end: NewsPlace)] = []
        var end = place
        while taken.count < Self.newsPerMessage, let news = end.next(of: apps) {
            taken.append((news, end))
        }
        var frames: [DeviceFrame] = []
        for (index, next) in taken.enumerated() {
            guard renderer.byteCount < reader.limits.eventBytesPerMessage else {
                end = taken[index - 1].end
                break
            }
            frames += try renderer.frames(of: next.news)
        }
        state.withLock { state in
            state.untold = renderer.untold
            if !state.turnstile.isEnded { state.place = end }
        }
        return frames
    }

    private func send(_ message: DeviceFeedMessage) {
        let sink = state.withLock { $0.turnstile.send() }
        sink?.send(message)
    }
}
