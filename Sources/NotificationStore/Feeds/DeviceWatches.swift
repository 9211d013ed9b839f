internal import BelfryLMDB
internal import BelfryLocking
public import NotificationCore

/// Those who watch devices: a commit tells them its news, and reader threads render it.
final class DeviceWatches: Sendable {
    private struct State {
        // Bounded: names of devices, which were validated.
        var open: [String: [ObjectIdentifier: DeviceWatch]] = [:]
        var count = 0
        var isStopped = false
    }

    private let reader: StoreReader
    private let feeders: ReaderPool
    private let state = Guarded(State())
    private let wakeup = Wakeup()
    private let pacer = Guarded<SystemThread?>(nil)

    init(reader: StoreReader, feeders: ReaderPool) {
        self.reader = reader
        self.feeders = feeders
        pacer.withLock { $0 = SystemThread { self.pace() } }
    }

    /// Whether somebody watches a device, so that a batch notes its news.
    func isWatched(_ device: String) -> Bool {
        state.withLock { $0.count > 0 && $0.open[device] != nil }
    }

    /// Opens a watch; it begins with ``begin(_:)``.
    func open(_ watch: DeviceWatch) throws(Refusal) {
        let limit = reader.limits.subscriptions
        let refusal = state.withLock { state -> Refusal? in
            guard !state.isStopped else { return .stopping }
            guard state.count < limit else { return .tooManySubscriptions(limit) }
            state.count += 1
            state.open[watch.device, default: [:]][ObjectIdentifier(watch)] = watch
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Has a watch begin, after a batch that began when it was open already.
    func begin(_ watch: DeviceWatch) {
        watch.becomeReady(
            DeviceSnapshotReader(reader: reader, device: watch.device, apps: watch.apps)
        )
        schedule(watch)
    }

    /// Forgets a watch that has ended.
    func forget(_ watch: DeviceWatch) {
        state.withLock { state in
            let key = ObjectIdentifier(watch)
            guard state.open[watch.device]?.removeValue(forKey: key) != nil else { return }
            state.count -= 1
            if state.open[watch.device]?.isEmpty == true { state.open[watch.device] = nil }
        }
    }

    /// Tells the news of a batch, on the writer thread after the commit.
    ///
    /// Bounded: names of devices, which were validated.
    func wake(_ news: [String: [DeviceNews]]) {
        for (device, items) in news {
            let watches = state.withLock { Array(($0.open[device] ?? [:]).values) }
            for watch in watches {
                watch.note(items)
                schedule(watch)
            }
        }
        if !news.isEmpty { endTheFurthestBehind() }
    }

    /// Ends those who have most to be told, until what waits for all has room.
    private func endTheFurthestBehind() {
        let open = state.withLock { $0.open.values.flatMap(\.values) }
        var behind = open.map { (watch: $0, bytes: $0.queuedBytes) }
        var byteCount = behind.reduce(0) { $0 + $1.bytes }
        guard byteCount > reader.limits.newsBytes else { return }
        behind.sort { $0.bytes > $1.bytes }
        for (watch, bytes) in behind where byteCount > reader.limits.newsBytes {
            byteCount -= bytes
            watch.end(.watcherBehind)
        }
    }

    /// Has a reader thread make a watch's next message, if there is one.
    func schedule(_ watch: DeviceWatch, isHeartbeatDue: Bool = false) {
        guard let turn = watch.takeTurn(isHeartbeatDue: isHeartbeatDue) else { return }
        _ = feeders.submit { self.serve(watch, turn) }
    }

    private func serve(_ watch: DeviceWatch, _ turn: DeviceWatch.Turn) {
        do {
            switch turn {
            case .snapshot:
                switch try watch.nextSnapshotPart() {
                case .success(let part): watch.send(.snapshot(part))
                case .failure(let refusal): watch.end(refusal)
                }
            case .news(let news):
                let frames = try watch.render(news, reader)
                if frames.isEmpty { watch.skipTurn() } else { watch.send(.frames(frames)) }
            case .heartbeat: watch.send(.heartbeat)
            }
        } catch {
            watch.end(reader.damage.refusal(for: error))
        }
    }

    /// Ends every watch with UNAVAILABLE and takes no more.
    func stop() {
        let open = state.withLock { state in
            state.isStopped = true
            return state.open.values.flatMap(\.values)
        }
        for watch in open { watch.end(.stopping) }
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
            for watch in open {
                let idle = watch.idle(at: now)
                if idle.isOnItsWay && idle.nanoseconds >= Subscriptions.stallNanoseconds {
                    watch.end(.stalled)
                } else if !idle.isOnItsWay
                    && idle.nanoseconds >= Subscriptions.heartbeatNanoseconds
                {
                    schedule(watch, isHeartbeatDue: true)
                }
            }
            wakeup.wait(untilBootNanoseconds: now + .nanosecondsPerSecond)
        }
    }
}

extension Store {
    /// Follows a device: first its state, then what it is to show, play and run (W-17).
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - apps: The apps that are told of; empty is all.
    ///   - sink: Where the messages go; kept until the watch ends.
    /// - Returns: The watch, to be cancelled when its reader is gone.
    /// - Throws: That there are too many, or that the store is stopping.
    public func watchDevice(
        _ device: String,
        // Bounded: names of apps, which were validated.
        apps: Set<String> = [],
        sink: any DeviceWatchSink
    ) throws(Refusal) -> DeviceWatch {
        let watch = DeviceWatch(device: device, apps: apps, sink: sink, hub: watches)
        try watches.open(watch)
        // A batch that began before notes nothing for it: its changes are in the snapshot, which is
        // read after the batch that comes next.
        submit(BarrierCommand(), once: nil) { [watches] result in
            switch result {
            case .success: watches.begin(watch)
            case .failure(let refusal): watch.end(refusal)
            }
        }
        return watch
    }
}

/// Changes nothing: it is done when all that was begun before it is durable.
struct BarrierCommand: Command {
    func apply(to batch: Batch) throws(LMDBError) -> Step<Int> { .done(.success(0)) }
}

extension Refusal {
    static let watcherBehind = Refusal(
        .resourceExhausted,
        reason: "SUBSCRIBER_STALLED",
        message: "the watcher is too far behind: watch again for a new snapshot"
    )
}
