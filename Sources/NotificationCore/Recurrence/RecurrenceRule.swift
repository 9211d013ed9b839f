/// A rule that gives local times: the recurrence rule of RFC 5545 with RFC 7529's SKIP, and what a
/// crontab says (REC-1, REC-2).
///
/// The parts are sets of bits: a search asks them for each period.
package struct RecurrenceRule: Hashable, Sendable {
    /// The length of a period, of which an interval counts.
    package enum Frequency: UInt8, Hashable, Sendable, Comparable, CaseIterable {
        case secondly, minutely, hourly, daily, weekly, monthly, yearly

        /// Orders frequencies by the length of their periods.
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The treatment of a day that its month or year does not have (RFC 7529).
    package enum Skip: UInt8, Hashable, Sendable {
        case omit, backward, forward
    }

    /// The parts that choose days.
    struct Days: Hashable, Sendable {
        /// Bit n is month n; no bit is no part.
        var months: UInt16 = 0
        /// Bit n is day n of the month, and day n from its end.
        var monthDays: UInt32 = 0
        var monthDaysFromEnd: UInt32 = 0
        /// Bit n is week n of the year, and week n from its end.
        var weeks: UInt64 = 0
        var weeksFromEnd: UInt64 = 0
        /// The days of the year, 1 to 366 and -366 to -1, ascending.
        var yearDays: [Int] = []
        var weekdays: WeekdaySet = []
        var ordinalWeekdays: [OrdinalWeekday] = []
        /// The days of the month to which the nearest day from Monday to Friday is meant.
        ///
        /// Bit 0 is the last such day of the month. Crontabs alone have them.
        var nearestWorkdays: UInt32 = 0
        /// Whether a day matches by its day of the month or by its weekday, as crond joins the two.
        var areEither = false
    }

    /// A weekday of a month or year, counted from its start or, below zero, from its end.
    struct OrdinalWeekday: Hashable, Sendable {
        var ordinal: Int
        /// 1 is Sunday.
        var weekday: Int
    }

    var frequency: Frequency
    var interval = 1
    var count: Int?
    var until: RecurrenceMoment?
    /// The seconds, minutes and hours; no bit is no part.
    var times = TimeSet(hours: 0, minutes: 0, seconds: 0)
    var days = Days()
    /// The positions of a period's times that count, 1 to 366 and -366 to -1, ascending.
    var positions: [Int] = []
    /// The first day of a week; 1 is Sunday.
    var weekStart = 2
    var skip = Skip.omit
    /// Whether the times are those that a running clock shows (V6, V11).
    ///
    /// Each that it shows twice comes twice, and one that it never shows does not come. Other times
    /// are named, and come once each.
    private(set) var followsClock = false
    /// Whether no time matches.
    private(set) var isNever = false

    init(frequency: Frequency) { self.frequency = frequency }

    static let everyHour: UInt32 = 0xFF_FFFF
    static let everyMinute: UInt64 = 1 << 60 - 1

    /// Gives the rule as it is searched: with the parts that its start gives where the rule has
    /// none (RFC 5545, 3.3.10), and with sets of times in place of short intervals.
    ///
    /// - Parameter start: The local time of the start, in seconds since 1970.
    /// - Returns: The rule.
    func completed(from start: Int) -> RecurrenceRule {
        var rule = self
        let second = start.flooredRemainder(by: .secondsPerDay)
        if frequency > .secondly, times.seconds == 0 {
            rule.times.seconds = 1 << UInt64(second % 60)
        }
        if frequency > .minutely, times.minutes == 0 {
            rule.times.minutes = 1 << UInt64(second / 60 % 60)
        }
        if frequency > .hourly, times.hours == 0 { rule.times.hours = 1 << UInt32(second / 3_600) }
        rule.nameDays(from: CivilDate(localSeconds: start))
        if frequency < .monthly { rule.skip = .omit }
        if frequency == .monthly || days.months != 0 {
            rule.days.ordinalWeekdays.removeAll { abs($0.ordinal) > 5 }
            if days.weekdays.isEmpty, !days.ordinalWeekdays.isEmpty,
                rule.days.ordinalWeekdays.isEmpty
            {
                rule.isNever = true
            }
        }
        let namesNoHours = rule.times.hours == 0 || rule.times.hours == Self.everyHour
        rule.followsClock = namesNoHours && isWithinHour
        if positions.isEmpty { rule.simplifyTimes(from: start) }
        return rule
    }

    /// Whether a period begins in each hour of the rule's days.
    private var isWithinHour: Bool {
        switch frequency {
        case .secondly: interval <= 3_600
        case .minutely: interval <= 60
        case .hourly: interval == 1
        case .daily, .weekly, .monthly, .yearly: true
        }
    }

    private mutating func nameDays(from date: CivilDate) {
        guard days.monthDays | days.monthDaysFromEnd | days.nearestWorkdays == 0,
            days.yearDays.isEmpty,
            days.weekdays.isEmpty, days.ordinalWeekdays.isEmpty
        else { return }
        switch frequency {
        case .yearly where days.weeks | days.weeksFromEnd != 0:
            days.weekdays = WeekdaySet(weekday: date.weekday)
        case .yearly:
            days.monthDays = 1 << UInt32(date.day)
            if days.months == 0 { days.months = 1 << UInt16(date.month) }
        case .monthly: days.monthDays = 1 << UInt32(date.day)
        case .weekly: days.weekdays = WeekdaySet(weekday: date.weekday)
        case .secondly, .minutely, .hourly, .daily: break
        }
    }

    /// Replaces seconds, minutes and hours at equal distances that divide a minute, an hour and a
    /// day, or are whole ones, by sets of times of longer periods.
    private mutating func simplifyTimes(from start: Int) {
        let second = start.flooredRemainder(by: .secondsPerDay)
        if frequency == .secondly {
            guard let bits = takeInterval(of: 60, at: second % 60, .minutely) else { return }
            times.seconds = times.seconds == 0 ? bits : times.seconds & bits
            isNever = isNever || times.seconds == 0
        }
        if frequency == .minutely {
            guard let bits = takeInterval(of: 60, at: second / 60 % 60, .hourly) else { return }
            times.minutes = times.minutes == 0 ? bits : times.minutes & bits
            isNever = isNever || times.minutes == 0
        }
        if frequency == .hourly {
            guard let bits = takeInterval(of: 24, at: second / 3_600, .daily) else { return }
            times.hours = times.hours == 0 ? UInt32(bits) : times.hours & UInt32(bits)
            isNever = isNever || times.hours == 0
        }
    }

    /// Gives the places of a longer period that are whole intervals from the start's, and makes the
    /// rule count the longer periods; nil where the places change from one to the next.
    private mutating func takeInterval(of count: Int, at place: Int, _ longer: Frequency) -> UInt64?
    {
        var bits: UInt64 = 0
        if count % interval == 0 {
            for place in stride(from: place % interval, to: count, by: interval) {
                bits |= 1 << UInt64(place)
            }
            interval = 1
        } else if interval % count == 0 {
            bits = 1 << UInt64(place)
            interval /= count
        } else {
            return nil
        }
        frequency = longer
        return bits
    }
}

/// A moment that a rule names, in seconds since 1970.
package enum RecurrenceMoment: Hashable, Sendable {
    /// A local time, by the zone's clock.
    case local(Int)
    /// An instant.
    case instant(Int)

    /// The seconds.
    var second: Int {
        switch self {
        case .local(let second), .instant(let second): second
        }
    }
}
