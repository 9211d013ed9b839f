internal import Benchmark
internal import Foundation
internal import NotificationCore

extension BenchmarkMetric {
    /// The time of a search beside that of a plain weekday rule's, measured in the same run.
    fileprivate static let percentOfWeekday = BenchmarkMetric.custom(
        "% of a weekday rule",
        polarity: .prefersSmaller,
        useScalingFactor: false
    )
}

/// Finding the next date of a calendar rule, as a share of what a plain weekday rule needs.
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
        let plain = rules.time(rules.weekday)
        benchmark.startMeasurement()
        let measured = rules.time(rules.measured)
        benchmark.stopMeasurement()
        benchmark.measurement(.percentOfWeekday, Int(100 * (measured / plain)))
    }
}

/// A plain weekday rule and one to compare with it, each asked at the same 2,000 instants.
private struct CalendarRules {
    let weekday: CalendarTrigger
    let measured: CalendarTrigger
    private let zone: ZoneRules
    private let instants: [WallInstant]

    init(limits: Bool, _ set: (inout CalendarComponents) -> WeekdaySet) throws {
        var components = CalendarComponents()
        components.hour = 9
        var other = components
        components.weekday = 3
        weekday = try CalendarTrigger(dateComponents: components, repeats: true)
        let weekdays = set(&other)
        var bounds = RecurrenceLimits()
        if limits {
            bounds = try RecurrenceLimits(
                startAt: WallInstant(nanoseconds: 0),
                maxOccurrences: 1_000,
                skippedDays: (0..<50).map { CivilDate(daysSince1970: 20_500 + 90 * $0) },
                repeats: true
            )
        }
        measured = try CalendarTrigger(
            dateComponents: other,
            weekdays: weekdays,
            repeats: true,
            limits: bounds
        )
        let file = URL(filePath: "/usr/share/zoneinfo/America/New_York")
        zone = try ZoneRules(tzif: Array(Data(contentsOf: file)))
        var generator = SplitMix64()
        let year = 365 * 86_400 * Int64.nanosecondsPerSecond
        let start = 1_767_225_600 * Int64.nanosecondsPerSecond
        instants = (0..<2_000).map { _ in
            WallInstant(nanoseconds: .random(in: start...start + 10 * year, using: &generator))
        }
    }

    func time(_ trigger: CalendarTrigger) -> Duration {
        ContinuousClock().measure {
            for instant in instants { blackHole(trigger.nextFire(after: instant, in: zone)) }
        }
    }
}
