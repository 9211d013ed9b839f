internal import Benchmark
internal import BenchmarkSupport

/// Fan-out: 256 requests fire, from the instant at which they are due until each subscriber of
/// their center was told all of them.
///
/// As many requests as fired are added again, unmeasured.
func registerFanOut(subscriberCount: Int) {
    var filled: PendingStore?
    var lastSecond: Int64 = 1

    Benchmark(
        "Fire 256, to \(subscriberCount) subscribers",
        configuration: .batches
    ) { (benchmark: Benchmark, state: (PendingStore, Subscribers)) async throws in
        let (store, subscribers) = state
        try await benchmark.measureBatch {
            _ = try await store.advanceOneSecond()
            await subscribers.wait(forEach: PendingStore.batchCount)
        }
        lastSecond += 1
        let seconds = repeatElement(lastSecond, count: PendingStore.batchCount)
        try await store.add(store.makeRequests(dueSeconds: seconds))
    } setup: {
        let seconds = repeatElement(lastSecond, count: PendingStore.batchCount)
        let store = try await PendingStore(dueSeconds: Array(seconds))
        filled = store
        return (store, try await Subscribers(subscriberCount, of: store))
    } teardown: {
        try filled?.close()
    }
}
