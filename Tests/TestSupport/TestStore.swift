internal import BelfryLMDB
internal import BelfryLocking
internal import Dispatch
internal import Foundation
package import NotificationCore
package import NotificationFeeds
internal import NotificationLog
internal import NotificationRecords
package import NotificationStore

/// A store in a scratch directory, with `await` in place of completions.
///
/// It runs on a manual clock that starts at ``NotificationCore/WallInstant/newYear``, unless it is
/// told otherwise. Commands without a center mean ``center``.
package final class TestStore: Sendable {
    /// Where it is; gone with the last user of it.
    package let directory: ScratchDirectory
    /// The center that is meant where none is named.
    package let center = CenterName.local("org.example.app")

    private struct State {
        var options: Store.Options
        var feeds: Feeds?
        var failure: StoreError?
        var damagedRows: [DamagedRow] = []
    }

    private let state: Guarded<State>

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - directory: Where; absent makes a new directory.
    ///   - configure: Changes the options that it is opened with.
    /// - Throws: What opening threw.
    package init(
        in directory: ScratchDirectory? = nil,
        _ configure: (inout Store.Options) -> Void = { _ in }
    ) throws {
        let directory = try directory ?? ScratchDirectory()
        self.directory = directory
        var options = Store.Options(directory: directory.path)
        // Many stores are open at once in a test run: together they must fit the address space.
        options.environment.mapSize = 1 << 30
        options.clock = .manual(start: .newYear)
        // A crash in a test copies the log.
        options.limits.changes.log = LogShape(segmentByteCount: 1 << 20, segmentCount: 3)
        options.limits.changes.bytesPerMerge = 256 << 10
        configure(&options)
        state = Guarded(State(options: options))
        try open()
    }

    deinit { close() }

    /// The store; it must be open.
    package var store: Store { feeds.store }

    /// The store and those who follow it; it must be open.
    package var feeds: Feeds {
        guard let feeds = state.withLock({ $0.feeds }) else {
            preconditionFailure("the store is closed")
        }
        return feeds
    }

    package var failure: StoreError? { state.withLock { $0.failure } }

    /// The damaged rows that the stores told of, in their order.
    package var damagedRows: [DamagedRow] { state.withLock { $0.damagedRows } }

    /// Stops the store and frees its directory.
    package func close() {
        state.withLock { $0.feeds.take() }?.stop()
    }

    /// Stops the store and opens it again.
    package func reopen(_ configure: (inout Store.Options) -> Void = { _ in }) throws {
        close()
        state.withLock { configure(&$0.options) }
        try openAgain()
    }

    /// Goes on from the files as they are now, as after a crash: the writes of the stop are not
    /// there.
    package func crash() throws {
        let image = try CrashImage(of: directory.path)
        close()
        try image.write(to: directory.path)
        try openAgain()
    }

    /// Opens a store where another was: a read that was under way when that was stopped may keep
    /// its directory a moment longer.
    private func openAgain() throws {
        let end = ContinuousClock().now + .seconds(60)
        while true {
            do {
                return try open()
            } catch StoreError.failed(.lmdb(let error)) where error.code == EBUSY {
                // Real time: ends the wait for a read that never ends.
                guard ContinuousClock().now < end else { throw error }
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
    }

    private func open() throws {
        let options = state.withLock { $0.options }
        let feeds = try Feeds(opening: options) { [weak self] error in
            self?.state.withLock { $0.failure = error }
        } onDamage: { [weak self] row in
            self?.state.withLock { $0.damagedRows.append(row) }
        }
        state.withLock { $0.feeds = feeds }
    }

    /// Runs `begin`, which hands its completion to the store, and waits for the completion's
    /// result.
    package func result<Reply: Sendable>(
        _ begin: (Store, @escaping Completion<Reply>) -> Void
    ) async -> Result<Reply, Refusal> {
        await withCheckedContinuation { continuation in
            begin(store) { continuation.resume(returning: $0) }
        }
    }

    /// Runs `body` while the writer rests between two batches: commands that `body` submits wait
    /// meanwhile.
    package func whileWriterRests<R>(_ body: () async throws -> R) async rethrows -> R {
        let end = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            store.removePending([], from: center) { _ in
                continuation.resume()
                end.wait()
            }
        }
        defer { end.signal() }
        return try await body()
    }

    /// Waits until the writer has told all durable batches, and the readers have done all their
    /// jobs.
    package func settle() async {
        // Send two commands: the commit of the first is told before the second begins.
        for _ in 0..<2 { _ = await result { $0.removePending([], from: center, completion: $1) } }
        // The pump's two threads are both here only when neither does anything else.
        let met = DispatchGroup()
        for _ in 0..<2 { met.enter() }
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    let sink = MeetingSink(met)
                    let feed = try? self.feeds.watchDevice("settling", sink: sink)
                    if feed == nil { met.leave() } else { _ = await sink.isThere.value }
                    feed?.cancel()
                }
            }
        }
    }
}

/// Keeps the thread that tells it the first message until the others that meet are there.
private final class MeetingSink: FeedSink {
    let isThere = Pending<Void>()
    private let met: DispatchGroup
    private let hasCome = Guarded(false)

    init(_ met: DispatchGroup) {
        self.met = met
    }

    func begin(_ feed: DeviceFeed) {}

    func send(_ message: DeviceFeedMessage) { come { met.wait() } }

    func end(_ refusal: Refusal) { come {} }

    private func come(_ wait: () -> Void) {
        let isFirst = hasCome.withLock { hasCome in
            defer { hasCome = true }
            return !hasCome
        }
        guard isFirst else { return }
        met.leave()
        wait()
        isThere.complete(.success(()))
    }
}
