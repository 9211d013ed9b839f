/// The days that a rule matches, a month at a time.
///
/// The counts within a year are kept for the year that was asked about last.
struct RecurrenceDays {
    private let rule: RecurrenceRule
    private var year: Year?

    /// The days of one year that a rule matches, by places in it: place 0 is January 1.
    private struct Year {
        let number: Int
        /// In days since 1970.
        let start: Int
        /// The days of the rule's weeks and days of the year.
        var filter: DayBits?
        /// The weekdays that are counted within the year.
        var ordinals: DayBits?
    }

    init(_ rule: RecurrenceRule) {
        self.rule = rule
        hasYearFilter = !rule.days.yearDays.isEmpty || rule.days.weeks | rule.days.weeksFromEnd != 0
        hasMonthDays =
            rule.days.monthDays | rule.days.monthDaysFromEnd | rule.days.nearestWorkdays != 0
        hasWeekdays = !rule.days.weekdays.isEmpty || !rule.days.ordinalWeekdays.isEmpty
        countsInYear = rule.frequency == .yearly && rule.days.months == 0
    }

    private let hasYearFilter: Bool
    private let hasMonthDays: Bool
    private let hasWeekdays: Bool
    /// Whether weekdays with an ordinal are those of the year, not of the month.
    private let countsInYear: Bool

    /// Whether some day does not match.
    var isRestricted: Bool { rule.days.months != 0 || hasYearFilter || hasMonthDays || hasWeekdays }

    /// Gives the matching days of a month as bits, of which bit 0 is the first day; the bit after
    /// the last day is the first day of the next month, where that stands for a day that the month
    /// does not have.
    mutating func month(_ month: Int, of year: Int, from start: Int) -> UInt64 {
        guard rule.days.months == 0 || rule.days.months >> UInt16(month) & 1 != 0 else { return 0 }
        let length = CivilDate.lengthOfMonth(month, year: year)
        let all: UInt64 = 1 << UInt64(length) - 1
        var days = all
        if hasYearFilter || countsInYear && !rule.days.ordinalWeekdays.isEmpty { look(at: year) }
        if hasYearFilter, let known = self.year, let filter = known.filter {
            days = filter.bits(from: start - known.start) & (month == 12 ? all << 1 | 1 : all)
        }
        let weekday = CivilDate.weekday(daysSince1970: start)
        guard hasMonthDays else {
            return hasWeekdays ? days & weekdays(length, weekday, start) : days
        }
        let named = monthDays(month, length, all, weekday)
        guard hasWeekdays else { return hasYearFilter ? days & named : named }
        let matching = weekdays(length, weekday, start)
        let joined = rule.days.areEither ? named | matching & all : named & matching
        return hasYearFilter ? days & joined : joined
    }

    // MARK: Days of the month

    private func monthDays(_ month: Int, _ length: Int, _ all: UInt64, _ weekday: Int) -> UInt64 {
        let asked = UInt64(rule.days.monthDays >> 1)
        var days = asked & all
        if rule.days.monthDaysFromEnd != 0 {
            days |=
                UInt64((rule.days.monthDaysFromEnd >> 1).bitReversed >> UInt32(32 - length)) & all
        }
        if asked & ~all != 0 {
            switch rule.skip {
            case .omit: break
            case .backward: days |= 1 << UInt64(length - 1)
            case .forward where !nextMonthHasItsFirst(after: month): days |= 1 << UInt64(length)
            case .forward: break
            }
        }
        var workdays = rule.days.nearestWorkdays
        while workdays != 0 {
            let day = workdays.trailingZeroBitCount
            workdays &= workdays - 1
            if let found = workday(nearest: day, length, weekday) { days |= 1 << UInt64(found - 1) }
        }
        return days
    }

    /// Whether the first day of the next month matches by itself, so that it must not count twice.
    private func nextMonthHasItsFirst(after month: Int) -> Bool {
        rule.days.monthDays & 2 != 0 && rule.frequency == .monthly && rule.interval == 1
            && (rule.days.months == 0 || rule.days.months >> UInt16(month % 12 + 1) & 1 != 0)
    }

    /// The day from Monday to Friday that is nearest to a day of the same month; 0 is the last.
    private func workday(nearest day: Int, _ length: Int, _ firstWeekday: Int) -> Int? {
        guard day <= length else { return nil }
        let wanted = day == 0 ? length : day
        switch (firstWeekday - 1 + wanted - 1) % 7 + 1 {
        case 1 where day == 0: return wanted - 2
        case 1: return wanted < length ? wanted + 1 : wanted - 2
        case 7: return wanted > 1 ? wanted - 1 : wanted + 2
        default: return wanted
        }
    }

    // MARK: Weekdays

    private func weekdays(_ length: Int, _ first: Int, _ start: Int) -> UInt64 {
        // Five weeks and a day, from the weekday of the month's first day on.
        let week = UInt64(rule.days.weekdays.rawValue)
        let turned = (week >> UInt64(first - 1) | week << UInt64(8 - first)) & 0x7F
        var days = turned &* 0x8_1020_4081 & (1 << UInt64(length + 1) - 1)
        guard !rule.days.ordinalWeekdays.isEmpty else { return days }
        if countsInYear, let year, let ordinals = year.ordinals {
            return days | ordinals.bits(from: start - year.start) & (1 << UInt64(length) - 1)
        }
        for one in rule.days.ordinalWeekdays {
            if let day = Self.place(of: one, length, first) { days |= 1 << UInt64(day) }
        }
        return days
    }

    /// The place of a counted weekday in a month or year that begins with `first`; nil where there
    /// are not so many.
    private static func place(
        of one: RecurrenceRule.OrdinalWeekday,
        _ length: Int,
        _ first: Int
    ) -> Int? {
        let earliest = (one.weekday - first + 7) % 7
        guard one.ordinal < 0 else {
            let place = earliest + 7 * (one.ordinal - 1)
            return place < length ? place : nil
        }
        let place = earliest + (length - 1 - earliest) / 7 * 7 + 7 * (one.ordinal + 1)
        return place >= 0 ? place : nil
    }

    // MARK: Within a year

    private mutating func look(at number: Int) {
        guard year?.number != number else { return }
        var year = Year(number: number, start: CivilDate(existing: number, 1, 1).daysSince1970)
        let length = CivilDate.isLeap(year: number) ? 366 : 365
        if !rule.days.yearDays.isEmpty { year.filter = yearDays(length) }
        if rule.days.weeks | rule.days.weeksFromEnd != 0 {
            let weeks = weeks(of: number, from: year.start, length)
            year.filter?.formIntersection(weeks)
            year.filter = year.filter ?? weeks
        }
        if countsInYear {
            let first = CivilDate.weekday(daysSince1970: year.start)
            var ordinals = DayBits()
            for one in rule.days.ordinalWeekdays {
                if let day = Self.place(of: one, length, first) { ordinals.insert(1, at: day) }
            }
            year.ordinals = ordinals
        }
        self.year = year
    }

    private func yearDays(_ length: Int) -> DayBits {
        var days = DayBits()
        for day in rule.days.yearDays {
            let place = day > 0 ? day - 1 : length + day
            if (0..<length).contains(place) {
                days.insert(1, at: place)
            } else if day > 0 {
                switch rule.skip {
                case .omit: break
                case .backward: days.insert(1, at: length - 1)
                case .forward: days.insert(1, at: length)
                }
            }
        }
        return days
    }

    /// The days of the rule's weeks, of which those at the ends of the year may be weeks of its
    /// neighbours.
    private func weeks(of year: Int, from start: Int, _ length: Int) -> DayBits {
        let first = Self.firstWeek(from: start, rule.weekStart)
        let next = length + Self.firstWeek(from: start + length, rule.weekStart)
        let lengthBefore = CivilDate.isLeap(year: year - 1) ? 366 : 365
        let lengthAfter = CivilDate.isLeap(year: year + 1) ? 366 : 365
        let before = Self.firstWeek(from: start - lengthBefore, rule.weekStart) - lengthBefore
        let after =
            length + lengthAfter
            + Self.firstWeek(from: start + length + lengthAfter, rule.weekStart)
        var days = DayBits()
        func add(_ begin: Int, week: Int, of count: Int) {
            guard
                rule.days.weeks >> UInt64(week) & 1 != 0
                    || rule.days.weeksFromEnd >> UInt64(count + 1 - week) & 1 != 0
            else { return }
            for day in max(0, begin)..<min(length, begin + 7) { days.insert(1, at: day) }
        }
        if first > 0 {
            let count = (first - before) / 7
            add(first - 7, week: count, of: count)
        }
        let count = (next - first) / 7
        for week in 1...count { add(first + 7 * (week - 1), week: week, of: count) }
        if next < length { add(next, week: 1, of: (after - next) / 7) }
        return days
    }

    /// Where the first week with four days of a year begins, counted from the year's first day.
    private static func firstWeek(from start: Int, _ weekStart: Int) -> Int {
        let passed = (CivilDate.weekday(daysSince1970: start) - weekStart + 7) % 7
        return passed <= 3 ? -passed : 7 - passed
    }
}

extension UInt32 {
    /// The bits in the opposite order.
    fileprivate var bitReversed: UInt32 {
        var bits = byteSwapped
        bits = (bits & 0x0F0F_0F0F) << 4 | (bits & 0xF0F0_F0F0) >> 4
        bits = (bits & 0x3333_3333) << 2 | (bits & 0xCCCC_CCCC) >> 2
        return (bits & 0x5555_5555) << 1 | (bits & 0xAAAA_AAAA) >> 1
    }
}
