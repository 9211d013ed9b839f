internal import Benchmark
internal import BenchmarkSupport
internal import NotificationStore

/// Firing: 256 due requests become delivered notifications and events, from the instant at which
/// they are due to the reply that says "on disk".
///
/// The requests that are due together were added at random among all others, as they are in a
/// store that has run for a while. The list of delivered notifications is full, so each delivery
/// also takes the oldest one out and records that. As many requests as fired are added again,
/// unmeasured.
func registerFiring(pendingCount: Int) {
    // One instant after another, each with 256 requests.
    let instantCount = (pendingCount + PendingStore.batchCount - 1) / PendingStore.batchCount
    var filled: PendingStore?
    var lastSecond = Int64(instantCount)

    Benchmark(
        "Fire 256, \(abbreviated(pendingCount)) pending",
        configuration: .batches
    ) { (benchmark: Benchmark, store: PendingStore) async throws in
        let advance = try await benchmark.measureBatch { try await store.advanceOneSecond() }
        precondition(advance.firedCount == PendingStore.batchCount, "not all that was due fired")
        lastSecond += 1
        let seconds = repeatElement(lastSecond, count: PendingStore.batchCount)
        try await store.add(store.makeRequests(dueSeconds: seconds))
    } setup: {
        var generator = SplitMix64()
        let dueSeconds = (0..<instantCount * PendingStore.batchCount)
            .map { Int64(1 + $0 / PendingStore.batchCount) }
            .shuffled(using: &generator)
        let store = try await PendingStore(dueSeconds: dueSeconds)
        filled = store
        return store
    } teardown: {
        try filled?.close()
    }
}
