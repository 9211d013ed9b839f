internal import Benchmark
internal import BenchmarkSupport
internal import NotificationStore

/// Scheduling: one writer batch of 256 adds, from the command to the reply that says "on disk".
///
/// Identifiers and due instants are random, so that both indexes are touched all over, as they are
/// when many apps schedule. The requests are removed again, unmeasured: each iteration meets the
/// same number of pending requests.
func registerAdds(pendingCount: Int) {
    var filled: PendingStore?
    var generator = SplitMix64()
    func randomSeconds(_ count: Int) -> [Int64] {
        (0..<count).map { _ in .random(in: 1...365 * 24 * 3_600, using: &generator) }
    }

    Benchmark(
        "Add 256, \(abbreviated(pendingCount)) pending",
        configuration: .batches
    ) { (benchmark: Benchmark, store: PendingStore) async throws in
        let requests = store.makeRequests(dueSeconds: randomSeconds(PendingStore.batchCount))
        try await benchmark.measureBatch { try await store.add(requests) }
        try await store.remove(requests)
    } setup: {
        let store = try await PendingStore(dueSeconds: randomSeconds(pendingCount))
        filled = store
        return store
    } teardown: {
        try filled?.close()
    }
}
