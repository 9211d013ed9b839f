internal import BelfryLocking
internal import DequeModule
internal import NotificationCore
internal import NotificationStore

/// A watch of a device: tells a watcher what the device is to show, play and run, with at most one
/// message on its way.
///
/// News wait in a queue while a message is on its way. The queue is not durable: when all queues
/// together hold too much, the feed with the longest queue is ended, and its watcher comes back for
/// a new snapshot.
package final class DeviceFeed: PumpedFeed {
    /// The content of the next message to a watcher.
    enum Turn: Sendable {
        case snapshot
        case news([DeviceNews])
        case heartbeat
    }

    private struct State {
        var turnstile: Turnstile<DeviceFeed, DeviceFeedMessage>
        /// The rest of the first state that is still to be told; nil once all is told.
        var snapshot: DeviceSnapshot?
        var queue = Deque<DeviceNews>()
        var queuedBytes = 0
        var untold = UntoldDeliveries()
    }

    /// How many news one message tells at most.
    private static let newsPerMessage = 256

    let device: String
    // Bounded: names of apps, which were validated.
    private let apps: Set<String>
    // Weak, since the stream may call the feed after the store is gone.
    private weak let feeds: Feeds?
    private let state: Guarded<State>

    init(
        device: String,
        // Bounded: names of apps, which were validated.
        apps: Set<String>,
        sink: any FeedSink<DeviceFeed, DeviceFeedMessage>,
        feeds: Feeds
    ) {
        self.device = device
        self.apps = apps
        self.feeds = feeds
        state = Guarded(
            State(
                turnstile: Turnstile(sink, feeds.pump.rooms),
                snapshot: DeviceSnapshot(device: device, apps: apps)
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
            state.queue = []
            state.queuedBytes = 0
            return state.turnstile.end(refusal).sink
        }
        feeds?.pump.forget(self)
        return sink
    }

    /// About how many bytes of news wait to be told.
    var queuedBytes: Int { state.withLock { $0.queuedBytes } }

    /// Adds news to the queue.
    func note(_ news: [DeviceNews]) {
        let news = news.filter { item in
            apps.isEmpty || item.app.map(apps.contains) ?? true
        }
        state.withLock { state in
            guard !state.turnstile.isEnded else { return }
            state.queue += news
            state.queuedBytes += news.reduce(0) { $0 + $1.byteCount }
        }
    }

    // MARK: On a thread of the pump

    func takeTurn(isHeartbeatDue: Bool) -> Turn? {
        state.withLock { state in
            guard state.turnstile.isFree else { return nil }
            let turn: Turn
            if state.snapshot != nil {
                turn = .snapshot
            } else if !state.queue.isEmpty {
                let news = Array(state.queue.prefix(Self.newsPerMessage))
                state.queue.removeFirst(news.count)
                state.queuedBytes -= news.reduce(0) { $0 + $1.byteCount }
                turn = .news(news)
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
            case .news(let news):
                let frames = try render(news, reader)
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

    /// Renders news as frames, as many as one message may hold.
    ///
    /// The remaining news go back into the queue.
    private func render(
        _ news: [DeviceNews],
        _ reader: StoreReader
    ) throws(ReadError) -> [DeviceFrame] {
        let untold = state.withLock { $0.untold }
        var renderer = DeviceNewsRenderer(reader: reader, device: device, untold: untold)
        var frames: [DeviceFrame] = []
        var count = 0
        while count < news.count, renderer.byteCount < reader.limits.eventBytesPerMessage {
            frames += try renderer.frames(of: news[count])
            count += 1
        }
        state.withLock { state in
            state.untold = renderer.untold
            guard !state.turnstile.isEnded else { return }
            state.queue.prepend(contentsOf: news[count...])
            state.queuedBytes += news[count...].reduce(0) { $0 + $1.byteCount }
        }
        return frames
    }

    private func send(_ message: DeviceFeedMessage) {
        let sink = state.withLock { $0.turnstile.send() }
        sink?.send(message)
    }
}
