internal import Foundation
package import NotificationCore

/// A recurrence that is asked for its next date at random instants.
package struct Recurrences {
    private let trigger: RecurrenceTrigger
    private let zone: ZoneRules
    private let instants: [WallInstant]

    /// A crontab of some times on some weekdays.
    package static let plain = RecurrenceTrigger.Text.cron("0,30 9,18 * * 1-5")
    /// A rule that never comes, of which a search takes all steps that it may.
    package static let never = RecurrenceTrigger.Text.rule(
        "FREQ=SECONDLY;INTERVAL=86399;BYYEARDAY=100;BYHOUR=3;BYMINUTE=3;BYSECOND=3"
    )

    /// Makes a trigger with a rule or a crontab.
    ///
    /// - Parameters:
    ///   - text: The rule, which counts from new year's day of 2026.
    ///   - searchCount: How often a search looks for a date.
    /// - Throws: Why there is no such rule, or no zone.
    package init(_ text: RecurrenceTrigger.Text, searchCount: Int) throws {
        let isRule = if case .rule = text { true } else { false }
        trigger = try RecurrenceTrigger(
            text: text,
            start: isRule ? Self.start : nil,
            repeats: true
        )
        (zone, instants) = try Self.questions(searchCount)
    }

    /// Makes the worst trigger that is accepted: its dates are left out by turns, each or by its
    /// day.
    ///
    /// - Parameter searchCount: How often a search looks for a date, which lies two years ahead.
    /// - Throws: Why there is no such rule, or no zone.
    package init(worstOf searchCount: Int) throws {
        let days = (0..<732).map { Self.start / 86_400 + $0 }
        let excluded = days.filter { !$0.isMultiple(of: 2) }
        let moments = excluded.map { RecurrenceMoment.local($0 * 86_400 + 32_400) }
        trigger = try RecurrenceTrigger(
            text: .rule("FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0"),
            start: Self.start,
            addedDates: moments.reversed(),
            excludedDates: moments,
            repeats: true,
            limits: try RecurrenceLimits(
                skippedDays: days.filter { $0.isMultiple(of: 2) }
                    .map { CivilDate(daysSince1970: $0) },
                repeats: true
            )
        )
        let first = WallInstant(nanoseconds: Int64(Self.start) * .nanosecondsPerSecond)
        (zone, instants) = (try Self.newYork(), Array(repeating: first, count: searchCount))
    }

    private static let start = 1_767_225_600

    private static func newYork() throws -> ZoneRules {
        let file = URL(filePath: "/usr/share/zoneinfo/America/New_York")
        return try ZoneRules(tzif: Array(Data(contentsOf: file)))
    }

    private static func questions(_ count: Int) throws -> (ZoneRules, [WallInstant]) {
        var generator = SplitMix64()
        let year = 365 * 86_400 * Int64.nanosecondsPerSecond
        let first = Int64(start) * Int64.nanosecondsPerSecond
        let instants = (0..<count).map { _ in
            WallInstant(nanoseconds: .random(in: first...first + 10 * year, using: &generator))
        }
        return (try newYork(), instants)
    }

    /// Asks the trigger for its next date, once for each instant.
    package func search() {
        for instant in instants { keep(trigger.nextFire(after: instant, in: zone)) }
    }
}
