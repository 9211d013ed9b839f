internal import Benchmark
internal import BenchmarkSupport
internal import NotificationCore

/// Finding the next date of a recurrence: at most 5 us for plain rules and 200 us for the worst.
///
/// That a rule never comes is to be known within 1 ms.
func registerRecurrences() {
    let searchCount = 1_000
    register("Recurrence, crontab on weekdays", searchCount) {
        try Recurrences(Recurrences.plain, searchCount: searchCount)
    }
    register("Recurrence, every second Tuesday and Thursday", searchCount) {
        try Recurrences(.rule("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH"), searchCount: searchCount)
    }
    register("Recurrence, last working day", searchCount) {
        let days = "MO,TU,WE,TH,FR"
        return try Recurrences(
            .rule("FREQ=MONTHLY;BYDAY=\(days);BYSETPOS=-1"),
            searchCount: searchCount
        )
    }
    register("Recurrence, the worst", 100) { try Recurrences(worstOf: 100) }
    register("Recurrence, never", 100) { try Recurrences(Recurrences.never, searchCount: 100) }
}

private func register(
    _ name: String,
    _ searchCount: Int,
    _ make: @escaping @Sendable () throws -> Recurrences
) {
    Benchmark(
        "\(name), \(searchCount) times",
        configuration: .init(
            metrics: [.wallClock, .throughput],
            maxDuration: .seconds(2),
            maxIterations: 200
        )
    ) { benchmark in
        let recurrences = try make()
        benchmark.startMeasurement()
        recurrences.search()
        benchmark.stopMeasurement()
    }
}
