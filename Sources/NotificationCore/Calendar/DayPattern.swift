/// The days on which a calendar trigger fires: the day scan of §7.3.3.
///
/// - Invariant: The numbers of the components are in range.
struct DayPattern {
    private let components: CalendarComponents
    private let weekdays: WeekdaySet
    private let policy: ShortMonthPolicy
    private let weekRule: WeekRule
    private let hasWeeks: Bool
    /// Whether some days match and others do not.
    let isRestricted: Bool
    private let firesOnFirstOfRun: Bool
    /// The greatest year in which a day can match.
    private let lastYear: Int

    /// A day to fire on.
    struct Hit {
        /// The day, in days since 1970.
        var daysSince1970: Int
        /// Whether the trigger fires at the day's first instant, whatever the requested time.
        var isAtMidnight = false
    }

    init(_ trigger: CalendarTrigger) {
        let components = trigger.dateComponents
        self.components = components
        weekdays = components.weekday.map(WeekdaySet.init) ?? trigger.weekdays
        policy = trigger.shortMonthPolicy
        weekRule = components.weekRule
        hasWeeks =
            components.weekOfMonth != nil || components.weekOfYear != nil
            || components.yearForWeekOfYear != nil
        let spans =
            hasWeeks || components.year != nil || components.quarter != nil
            || components.month != nil
        let namesDays =
            components.day != nil || !weekdays.isEmpty || components.weekdayOrdinal != nil
            || components.dayOfYear != nil
        isRestricted = spans || namesDays
        // "March" means one occurrence a year, not one for each day of March.
        firesOnFirstOfRun = spans && !namesDays
        // The first days of a year can belong to the weeks of the year before.
        lastYear = min(components.year ?? .max, components.yearForWeekOfYear.map { $0 + 1 } ?? .max)
    }

    /// Gives the first day to fire on, not before `first` and not after `last`.
    ///
    /// - Complexity: O(1) for each month that cannot match, and for each day of one that can; no
    ///   allocation.
    func first(notBefore first: CivilDate, notAfter last: CivilDate) -> Hit? {
        var year = first.year
        var month = first.month
        var day = first.day
        while year < last.year || (year == last.year && month <= last.month) {
            guard year <= lastYear else { return nil }
            if let hit = firstHit(inMonth: month, year: year, fromDay: day) {
                let limit = last.daysSince1970
                return hit.daysSince1970 <= limit ? hit : nil
            }
            day = 1
            month += 1
            if month > 12 { (month, year) = (1, year + 1) }
        }
        return nil
    }

    private func firstHit(inMonth month: Int, year: Int, fromDay: Int) -> Hit? {
        if fromDay == 1, let hit = hitAfterShortMonth(month: month, year: year) { return hit }
        guard isMonth(month, year: year) else { return nil }
        let length = CivilDate.lengthOfMonth(month, year: year)
        let monthStart = CivilDate(existing: year, month, 1).daysSince1970
        if policy == .lastDay, missesItsDay(month: month, year: year) {
            return Hit(daysSince1970: monthStart + length - 1)
        }
        let days = days(ofMonthWith: length)
        var day = max(days.lowerBound, fromDay)
        while day <= days.upperBound {
            if weekdays.matches(daysSince1970: monthStart + day - 1),
                isHit(CivilDate(existing: year, month, day), monthStart: monthStart)
            {
                return Hit(daysSince1970: monthStart + day - 1)
            }
            day += 1
        }
        return nil
    }

    /// The days of a month that can match; empty, with bounds that do not meet, where none can.
    private func days(ofMonthWith length: Int) -> (lowerBound: Int, upperBound: Int) {
        var (first, last) = (1, length)
        if let day = components.day { (first, last) = (day, min(day, length)) }
        if let ordinal = components.weekdayOrdinal {
            // The seven days with an ordinal have the seven weekdays.
            let start = ordinal > 0 ? 7 * ordinal - 6 : length + 7 * ordinal + 1
            (first, last) = (max(first, start), min(last, start + 6))
        }
        return (first, last)
    }

    /// Gives day 1 of a month where it replaces a day that the month before does not have.
    private func hitAfterShortMonth(month: Int, year: Int) -> Hit? {
        // December has 31 days.
        guard month > 1, policy == .nextDaySameTime || policy == .nextDayMidnight,
            isMonth(month - 1, year: year), missesItsDay(month: month - 1, year: year)
        else { return nil }
        return Hit(
            daysSince1970: CivilDate(existing: year, month, 1).daysSince1970,
            isAtMidnight: policy == .nextDayMidnight
        )
    }

    /// Whether a month lacks the requested day, so that the policy applies.
    private func missesItsDay(month: Int, year: Int) -> Bool {
        guard let day = components.day, day > CivilDate.lengthOfMonth(month, year: year) else {
            return false
        }
        return !hasWeeks && weekdays.isEmpty && components.weekdayOrdinal == nil
            && components.dayOfYear == nil
    }

    /// Whether any day of a month can match.
    private func isMonth(_ month: Int, year: Int) -> Bool {
        matches(components.year, year) && matches(components.month, month)
            && matches(components.quarter, (month - 1) / 3 + 1)
            && components.yearForWeekOfYear.map { abs($0 - year) <= 1 } ?? true
    }

    private func isHit(_ date: CivilDate, monthStart: Int) -> Bool {
        let days = monthStart + date.day - 1
        guard isDay(date, daysSince1970: days) else { return false }
        guard firesOnFirstOfRun else { return true }
        let before = CivilDate(daysSince1970: days - 1)
        let matchesBefore =
            isMonth(before.month, year: before.year) && isDay(before, daysSince1970: days - 1)
        return !matchesBefore
    }

    /// Whether a day matches, given that its month can match.
    ///
    /// A pattern that fires on the first day of a run has no day, weekday and ordinal; for the
    /// others only days with these are asked about.
    private func isDay(_ date: CivilDate, daysSince1970 days: Int) -> Bool {
        guard matches(components.dayOfYear, date.dayOfYear) else { return false }
        guard hasWeeks else { return true }
        let (week, year) = date.weekAndYear(by: weekRule)
        return matches(components.weekOfMonth, date.weekOfMonth(by: weekRule))
            && matches(components.weekOfYear, week)
            && matches(components.yearForWeekOfYear, year)
    }

    private func matches(_ part: Int?, _ value: Int) -> Bool {
        part.map { $0 == value } ?? true
    }
}

extension WeekdaySet {
    /// Whether a day matches: the empty set matches any.
    fileprivate func matches(daysSince1970 day: Int) -> Bool {
        isEmpty || contains(CivilDate.weekday(daysSince1970: day))
    }
}
