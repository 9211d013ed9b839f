internal import Benchmark
internal import BenchmarkSupport
internal import NotificationCore

/// Locations: one fix, from the call to the reply that says "on disk", in two stores that differ in
/// the number of regions alone.
///
/// Regions of 200 m lie at random within 100 km of a city. The device walks between them by steps
/// of 100 m, and stays within the borders of the same regions where it can: a fix that fires is not
/// measured. The fixes of both stores take turns, so that both meet the same machine; the metric is
/// how many times the time of the small store the large one takes, in percent.
func registerFixes(regionCount few: Int, than many: Int) {
    var stores: [PendingStore] = []
    Benchmark(
        "Fix, \(abbreviated(many)) regions over \(abbreviated(few))",
        configuration: .init(
            metrics: [.fixRatio],
            units: [.fixRatio: .count],
            warmupIterations: 5,
            maxDuration: .seconds(600),
            maxIterations: 200
        )
    ) { (benchmark: Benchmark, filled: [PendingStore]) async throws in
        var generator = SplitMix64()
        var times: [Duration] = []
        for store in filled {
            times.append(try await time(of: 32, in: store, using: &generator))
        }
        benchmark.measurement(.fixRatio, Int(100 * (times[1] / times[0])))
    } setup: {
        for count in [few, many] {
            let store = try await PendingStore(dueSeconds: [])
            stores.append(store)
            try await store.allowLocation()
            var generator = SplitMix64()
            for start in stride(from: 0, to: count, by: 1_000) {
                try await store.add(
                    try (start..<start + 1_000).map { try region($0, using: &generator) }
                )
            }
        }
        return stores
    } teardown: {
        for store in stores { try store.close() }
    }
}

extension BenchmarkMetric {
    fileprivate static let fixRatio = BenchmarkMetric.custom(
        "Time of many / few (%)",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
}

/// The time of those fixes of a walk that fire nothing.
private func time(
    of count: Int,
    in store: PendingStore,
    using generator: inout SplitMix64
) async throws -> Duration {
    let clock = ContinuousClock()
    var (time, quiet) = (Duration.zero, 0)
    var place = (38.7, -9.1)
    while quiet < count {
        place.0 += Double.random(in: -0.001...0.001, using: &generator)
        place.1 += Double.random(in: -0.001...0.001, using: &generator)
        guard let there = Coordinate(latitude: place.0, longitude: place.1) else { continue }
        let start = clock.now
        let fired = try await store.report(there)
        guard fired == 0 else { continue }
        time += clock.now - start
        quiet += 1
    }
    return time
}

private func region(
    _ number: Int,
    using generator: inout SplitMix64
) throws -> NotificationRequest {
    var request = NotificationRequest.reminder(inSeconds: 1, using: &generator)
    let region = try Region(
        identifier: "\(number)",
        shape: .circle(
            try CircularRegion(
                latitude: 38.7 + Double.random(in: -0.9...0.9, using: &generator),
                longitude: -9.1 + Double.random(in: -1.1...1.1, using: &generator),
                radiusMeters: 200
            )
        )
    )
    request.trigger = .location(LocationTrigger(region: region, repeats: true))
    return request
}
