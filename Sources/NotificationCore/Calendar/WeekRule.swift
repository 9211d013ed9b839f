/// How weeks are counted: where they begin, and which week of a month or year is the first.
package struct WeekRule: Hashable, Sendable {
    /// The day on which weeks begin: 1 is Sunday, 7 is Saturday.
    package let firstWeekday: Int
    /// The days that the first week must have in its month or year, 1 to 7.
    package let minimumDaysInFirstWeek: Int

    /// The default rule: weeks begin on Sunday, and the week of day 1 is the first (D-5).
    package static let standard = WeekRule(firstWeekday: 1, minimumDaysInFirstWeek: 1)

    /// The weeks of ISO 8601.
    package static let iso8601 = WeekRule(firstWeekday: 2, minimumDaysInFirstWeek: 4)

    /// Makes a rule.
    ///
    /// - Precondition: Both are 1 to 7.
    package init(firstWeekday: Int, minimumDaysInFirstWeek: Int) {
        precondition((1...7).contains(firstWeekday), "a weekday is 1 to 7")
        precondition((1...7).contains(minimumDaysInFirstWeek), "a week has 1 to 7 days")
        self.firstWeekday = firstWeekday
        self.minimumDaysInFirstWeek = minimumDaysInFirstWeek
    }

    /// Gives how many days of its week lie before a day.
    fileprivate func daysIntoWeek(daysSince1970: Int) -> Int {
        let weekday = CivilDate.weekday(daysSince1970: daysSince1970)
        return (weekday - firstWeekday).flooredRemainder(by: 7)
    }

    /// Gives the week of the day `day`, from 1, of a month or year.
    ///
    /// The result is 0 where the day lies before the first week. `daysBefore` is how many days of
    /// day 1's week lie in the month or year before.
    fileprivate func week(ofDay day: Int, daysBefore: Int) -> Int {
        let weeks = (day - 1 + daysBefore) / 7
        return isFirstWeek(daysBefore: daysBefore) ? weeks + 1 : weeks
    }

    fileprivate func isFirstWeek(daysBefore: Int) -> Bool {
        7 - daysBefore >= minimumDaysInFirstWeek
    }
}

extension CivilDate {
    /// Gives the week of the month, from 1; 0 for the days before the first week.
    ///
    /// - Complexity: O(1), no allocation.
    package func weekOfMonth(by rule: WeekRule = .standard) -> Int {
        let first = daysSince1970 - (day - 1)
        return rule.week(ofDay: day, daysBefore: rule.daysIntoWeek(daysSince1970: first))
    }

    /// Gives the week of ``yearForWeekOfYear(by:)``, from 1.
    ///
    /// - Complexity: O(1), no allocation.
    package func weekOfYear(by rule: WeekRule = .standard) -> Int {
        weekAndYear(by: rule).week
    }

    /// Gives the year to which the week of this day belongs: for some days around New Year, the
    /// year before or after ``year``.
    ///
    /// - Complexity: O(1), no allocation.
    package func yearForWeekOfYear(by rule: WeekRule = .standard) -> Int {
        weekAndYear(by: rule).year
    }

    func weekAndYear(by rule: WeekRule) -> (week: Int, year: Int) {
        let dayOfYear = dayOfYear
        let newYear = daysSince1970 - (dayOfYear - 1)
        let length = Self.lengthOfYear(year)
        let daysBeforeNext = rule.daysIntoWeek(daysSince1970: newYear + length)
        if dayOfYear > length - daysBeforeNext, rule.isFirstWeek(daysBefore: daysBeforeNext) {
            return (1, year + 1)
        }
        let daysBefore = rule.daysIntoWeek(daysSince1970: newYear)
        let week = rule.week(ofDay: dayOfYear, daysBefore: daysBefore)
        guard week == 0 else { return (week, year) }
        // The day is in the last week of the year before, which has its own first week.
        let before = Self.lengthOfYear(year - 1)
        let daysBeforePrevious = rule.daysIntoWeek(daysSince1970: newYear - before)
        return (rule.week(ofDay: before + dayOfYear, daysBefore: daysBeforePrevious), year - 1)
    }

    private static func lengthOfYear(_ year: Int) -> Int { isLeap(year: year) ? 366 : 365 }
}
