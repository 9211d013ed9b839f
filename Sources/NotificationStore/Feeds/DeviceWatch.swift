internal import BelfryLMDB
internal import BelfryLocking
internal import DequeModule
public import NotificationCore

/// Where a watcher's messages go.
///
/// Called on a reader thread or the watches' own, one call at a time; must not block.
public protocol DeviceWatchSink: AnyObject, Sendable {
    /// Sends one message; the next one comes after ``DeviceWatch/sent()``.
    func send(_ message: DeviceWatchMessage)
    /// Ends the stream; nothing follows.
    func end(_ refusal: Refusal)
}

/// One who is told what a device is to show, play and run, with at most one message on its way.
///
/// What happens meanwhile waits in a queue. Nothing is durable: when all queues together hold too
/// much, the one with the longest is ended, and comes back for a new snapshot.
public final class DeviceWatch: Sendable {
    /// What the next message is about.
    enum Turn {
        case snapshot
        case news([DeviceNews])
        case heartbeat
    }

    private struct State {
        /// Whether what is read now holds all that was not noted for it.
        var isReady = false
        var isSnapshotTold = false
        var snapshot: DeviceSnapshotReader?
        var queue = Deque<DeviceNews>()
        var queuedBytes = 0
        var untold = UntoldDeliveries()
        /// Whether a thread makes the next message, or one is on its way.
        var isBusy = false
        var isOnItsWay = false
        var isEnded = false
        /// Let go at the end, since a sink may hold its watch.
        var sink: (any DeviceWatchSink)?
        var lastSentBootNanoseconds = SystemTime.now().bootNanoseconds

        mutating func end() {
            isEnded = true
            queue = []
            queuedBytes = 0
        }
    }

    /// News of one message.
    private static let newsPerMessage = 256

    let device: String
    // Bounded: names of apps, which were validated.
    let apps: Set<String>
    // Weak, since whoever reads the stream may speak to it after the store is gone.
    private weak let hub: DeviceWatches?
    private let state: Guarded<State>

    init(
        device: String,
        // Bounded: names of apps, which were validated.
        apps: Set<String>,
        sink: any DeviceWatchSink,
        hub: DeviceWatches
    ) {
        self.device = device
        self.apps = apps
        self.hub = hub
        state = Guarded(State(sink: sink))
    }

    /// Says that the last message was taken and the next may come; from any thread.
    public func sent() {
        state.withLock { state in
            state.isBusy = false
            state.isOnItsWay = false
            state.lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
        }
        hub?.schedule(self)
    }

    /// Ends the watch without a word; from any thread.
    public func cancel() {
        let sink = state.withLock { state in
            state.end()
            return state.sink.take()
        }
        withExtendedLifetime(sink) { hub?.forget(self) }
    }

    /// Ends it with a word to the sink.
    func end(_ refusal: Refusal) {
        let sink = state.withLock { state in
            state.end()
            return state.sink.take()
        }
        sink?.end(refusal)
        hub?.forget(self)
    }

    /// Has it begin, now that all that happens is noted for it.
    func becomeReady(_ snapshot: DeviceSnapshotReader) {
        state.withLock { state in
            state.snapshot = snapshot
            state.isReady = true
        }
    }

    /// About how many bytes wait to be told.
    var queuedBytes: Int { state.withLock { $0.queuedBytes } }

    /// Notes what happened.
    func note(_ news: [DeviceNews]) {
        let news = news.filter { item in
            apps.isEmpty || item.app.map(apps.contains) ?? true
        }
        state.withLock { state in
            guard !state.isEnded else { return }
            state.queue += news
            state.queuedBytes += news.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// Takes the turn to make the next message, if there is one and nobody else makes it.
    func takeTurn(isHeartbeatDue: Bool) -> Turn? {
        state.withLock { state in
            guard state.isReady && !state.isBusy && !state.isEnded else { return nil }
            let turn: Turn
            if !state.isSnapshotTold {
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
            state.isBusy = true
            return turn
        }
    }

    /// The part of the state that comes next; used by whoever has the turn.
    func nextSnapshotPart() throws -> Result<DeviceSnapshotPart, Refusal> {
        guard var snapshot = state.withLock({ $0.snapshot.take() }) else {
            preconditionFailure("a snapshot was read by two")
        }
        let part = try snapshot.nextPart()
        state.withLock { state in
            state.snapshot = snapshot
            if case .success(let part) = part { state.isSnapshotTold = part.isComplete }
        }
        return part
    }

    /// Gives the frames of news as they look now, as many as one message may hold.
    ///
    /// The rest waits again. Used by whoever has the turn.
    func render(_ news: [DeviceNews], _ reader: StoreReader) throws(LMDBError) -> [DeviceFrame] {
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
            guard !state.isEnded else { return }
            state.queue.prepend(contentsOf: news[count...])
            state.queuedBytes += news[count...].reduce(0) { $0 + $1.byteCount }
        }
        return frames
    }

    /// Gives the turn back without a message.
    func skipTurn() {
        state.withLock { $0.isBusy = false }
        hub?.schedule(self)
    }

    /// Sends a message in a turn, unless the watch ended meanwhile.
    func send(_ message: DeviceWatchMessage) {
        let sink = state.withLock { state -> (any DeviceWatchSink)? in
            guard !state.isEnded else { return nil }
            state.isOnItsWay = true
            state.lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
            return state.sink
        }
        sink?.send(message)
    }

    /// How long nothing was sent, and whether a message is still on its way.
    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        state.withLock { (bootNanoseconds - $0.lastSentBootNanoseconds, $0.isOnItsWay) }
    }
}
