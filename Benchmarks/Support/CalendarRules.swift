internal import Foundation
package import NotificationCore

/// A plain weekday rule and one to compare with it, each asked at the same instants.
package struct CalendarRules {
    /// The plain rule: a time on Tuesdays.
    package let weekday: CalendarTrigger
    /// The rule to compare with it.
    package let measured: CalendarTrigger
    private let zone: ZoneRules
    private let instants: [WallInstant]

    /// How often a search looks for a date.
    package static let searchCount = 2_000

    /// Makes the rules.
    ///
    /// - Parameters:
    ///   - limits: Whether the rule to compare has bounds and skipped days.
    ///   - set: Sets what the rule to compare has beside a time, and gives its weekdays.
    /// - Throws: Why there is no such rule, or no zone.
    package init(limits: Bool, _ set: (inout CalendarComponents) -> WeekdaySet) throws {
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
        instants = (0..<Self.searchCount).map { _ in
            WallInstant(nanoseconds: .random(in: start...start + 10 * year, using: &generator))
        }
    }

    /// Finds the next date after each of the instants.
    package func search(_ trigger: CalendarTrigger) {
        for instant in instants { keep(trigger.nextFire(after: instant, in: zone)) }
    }
}
