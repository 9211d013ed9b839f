internal import Benchmark
internal import BenchmarkSupport
internal import NotificationCore

extension BenchmarkMetric {
    /// The time of a search beside that of a plain weekday rule's, measured in the same run.
    fileprivate static let percentOfWeekday = BenchmarkMetric.custom(
        "% of a weekday rule",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
}

/// Finding the next date of a calendar rule, as a share of the time of a plain weekday rule.
///
/// Rules with ordinals from the end and with several weekdays may take three times as long.
func registerCalendarRules() {
    register("Calendar rule, last Friday") {
        ($0.weekday, $0.weekdayOrdinal) = (6, -1)
        return []
    }
    register("Calendar rule, second Tuesday") {
        ($0.weekday, $0.weekdayOrdinal) = (3, 2)
        return []
    }
    register("Calendar rule, Monday, Thursday and Saturday") { _ in
        [WeekdaySet(weekday: 2), WeekdaySet(weekday: 5), WeekdaySet(weekday: 7)]
    }
    register("Calendar rule, last Monday and last Thursday") {
        $0.weekdayOrdinal = -1
        return [WeekdaySet(weekday: 2), WeekdaySet(weekday: 5)]
    }
    register("Calendar rule, Tuesday within bounds and without 50 days", limits: true) {
        $0.weekday = 3
        return []
    }
}

private func register(
    _ name: String,
    limits: Bool = false,
    _ set: @escaping @Sendable (inout CalendarComponents) -> WeekdaySet
) {
    Benchmark(
        name,
        configuration: .init(
            metrics: [.wallClock, .percentOfWeekday],
            units: [.percentOfWeekday: .count],
            maxDuration: .seconds(2),
            maxIterations: 200
        )
    ) { benchmark in
        let rules = try CalendarRules(limits: limits, set)
        let clock = ContinuousClock()
        let plain = clock.measure { rules.search(rules.weekday) }
        benchmark.startMeasurement()
        let measured = clock.measure { rules.search(rules.measured) }
        benchmark.stopMeasurement()
        benchmark.measurement(.percentOfWeekday, Int(100 * (measured / plain)))
    }
}
