internal import Benchmark
internal import BenchmarkSupport
internal import Glibc

// The benchmarks whose iteration is one durable batch.

extension BenchmarkMetric {
    /// The requests of the batches in a second of the wall clock.
    fileprivate static let requestsPerSecond = BenchmarkMetric.custom(
        "Requests / s",
        polarity: .prefersLarger,
        useScalingFactor: false
    )
    /// The processor time of all threads.
    ///
    /// The library's own metric counts ticks of 10 ms.
    fileprivate static let processTime = BenchmarkMetric.custom(
        "Time (CPU) (μs)",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
}

extension Benchmark.Configuration {
    /// 100 batches, however long they take.
    static var batches: Benchmark.Configuration {
        Benchmark.Configuration(
            metrics: [.wallClock, .processTime, .requestsPerSecond],
            timeUnits: .microseconds,
            units: [.processTime: .count, .requestsPerSecond: .count],
            warmupIterations: 5,
            maxDuration: .seconds(600),
            maxIterations: 100
        )
    }
}

extension Benchmark {
    /// Measures `body`, which handles one batch.
    func measureBatch<Result>(_ body: () async throws -> Result) async throws -> Result {
        let clock = ContinuousClock()
        startMeasurement()
        let processTime = Glibc.clock()
        let start = clock.now
        let result = try await body()
        let passed = clock.now - start
        let used = Glibc.clock() - processTime
        stopMeasurement()
        measurement(.processTime, used)
        measurement(
            .requestsPerSecond,
            Int(Double(PendingStore.batchCount) * (.seconds(1) / passed))
        )
        return result
    }
}
