internal import Benchmark
internal import BenchmarkSupport

/// Recovery: the opening of a store after a crash, which replays the changes that are not merged,
/// and of the same store after a stop, which merged them.
func registerRecovery(pendingCount: Int) {
    for isStopped in [false, true] {
        var filled: PendingStore?
        Benchmark(
            "Open \(abbreviated(pendingCount)) pending, \(isStopped ? "stopped" : "crashed")",
            configuration: .starts
        ) { (benchmark: Benchmark, store: PendingStore) async throws in
            let copy = try StoreCopy(of: store)
            benchmark.startMeasurement()
            try copy.open()
            benchmark.stopMeasurement()
            try copy.close()
        } setup: {
            let store = try await PendingStore(dueSeconds: (1...Int64(pendingCount)).map { $0 })
            if isStopped { store.stop() }
            filled = store
            return store
        } teardown: {
            try filled?.close()
        }
    }
}

extension Benchmark.Configuration {
    /// 10 runs, however long they take.
    static var starts: Benchmark.Configuration {
        Benchmark.Configuration(
            metrics: [.wallClock],
            warmupIterations: 1,
            maxDuration: .seconds(600),
            maxIterations: 10
        )
    }
}
