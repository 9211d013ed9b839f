/// A date in parts; a part that is nil matches any value.
///
/// ``CalendarTrigger`` checks that each part is in its range.
package struct CalendarComponents: Hashable, Sendable {
    /// 1 is the common era; 0, the era before it, never matches.
    package var era: Int?
    /// The year.
    ///
    /// A trigger with a year matches in that year alone, repeating or not.
    package var year: Int?
    /// The year that ``weekOfYear`` counts in.
    package var yearForWeekOfYear: Int?
    /// 1 to 4.
    package var quarter: Int?
    /// The month, from 1 for January to 12 for December.
    package var month: Int?
    /// The day of the month, 1 to 31.
    package var day: Int?
    /// The day of the year, 1 to 366.
    package var dayOfYear: Int?
    /// The day of the week, from 1 for Sunday to 7 for Saturday.
    package var weekday: Int?
    /// Which occurrence of its weekday in the month the day is, 1 to 5, or -1 to -5 counted from
    /// the end: weekday 2 with ordinal 2 is the second Monday, with -1 the last Monday.
    package var weekdayOrdinal: Int?
    /// The week of the month, 1 to 6.
    package var weekOfMonth: Int?
    /// The week of the year, 1 to 53.
    package var weekOfYear: Int?
    /// 0 to 23.
    package var hour: Int?
    /// The minute of the hour, 0 to 59.
    package var minute: Int?
    package var second: Int?
    /// 0 to 999,999,999.
    package var nanosecond: Int?
    /// Whether the month is a leap month, of which the Gregorian calendar has none.
    package var isLeapMonth: Bool?

    /// The time zone by its name in the zone database; empty follows the device's zone.
    package var timeZone = ""

    /// The day on which weeks begin, 1 to 7; nil is Sunday (D-5).
    package var firstWeekday: Int?
    /// How many days of the first week lie in the month or year at least, 1 to 7; nil is 1.
    package var minimumDaysInFirstWeek: Int?

    /// Makes components without any part.
    package init() {}
}

extension CalendarComponents {
    var weekRule: WeekRule {
        WeekRule(
            firstWeekday: firstWeekday ?? WeekRule.standard.firstWeekday,
            minimumDaysInFirstWeek: minimumDaysInFirstWeek
                ?? WeekRule.standard.minimumDaysInFirstWeek
        )
    }

    /// Whether no part that can match is set; the zone and the rule of weeks do not match.
    var isEmpty: Bool {
        let parts = [
            era, year, yearForWeekOfYear, quarter, month, day, dayOfYear, weekday, weekdayOrdinal,
            weekOfMonth, weekOfYear, hour, minute, second, nanosecond,
        ]
        return parts.allSatisfy { $0 == nil } && isLeapMonth == nil
    }

    /// Refuses a nanosecond that is alone or only beside an era: no part then says which second it
    /// belongs to (CAL-13).
    var loneNanosecond: Refusal? {
        guard nanosecond != nil else { return nil }
        var others = self
        others.nanosecond = nil
        others.era = nil
        guard others.isEmpty else { return nil }
        return .invalid(
            [.calendar, .dateComponents, .nanosecond],
            "sets no date: it needs another part beside it, such as hour",
            reason: .dateComponentsInvalid
        )
    }

    /// The refusal of the first number that is outside of its part's range, or nil.
    var outOfRange: Refusal? {
        for (field, value, range) in numbers {
            guard let value, !range.contains(value) || field == .weekdayOrdinal && value == 0
            else { continue }
            return .invalid(
                [.calendar, .dateComponents, field],
                field == .weekdayOrdinal
                    ? "must be 1 to 5, or -1 to -5 from the end"
                    : "must be \(range.lowerBound) to \(range.upperBound)",
                reason: .dateComponentsInvalid
            )
        }
        return nil
    }

    /// The numeric parts in the order in which they are checked, with their ranges.
    private var numbers: [(field: Field, value: Int?, range: ClosedRange<Int>)] {
        [
            (.era, era, 0...1),
            (.year, year, 1...9_999),
            (.month, month, 1...12),
            (.day, day, 1...31),
            (.hour, hour, 0...23),
            (.minute, minute, 0...59),
            (.second, second, 0...59),
            (.nanosecond, nanosecond, 0...999_999_999),
            (.weekday, weekday, 1...7),
            (.weekdayOrdinal, weekdayOrdinal, -5...5),
            (.quarter, quarter, 1...4),
            (.weekOfMonth, weekOfMonth, 1...6),
            (.weekOfYear, weekOfYear, 1...53),
            (.yearForWeekOfYear, yearForWeekOfYear, 1...9_999),
            (.dayOfYear, dayOfYear, 1...366),
            (.firstWeekday, firstWeekday, 1...7),
            (.minimumDaysInFirstWeek, minimumDaysInFirstWeek, 1...7),
        ]
    }
}
