/// A day of the Gregorian calendar, without a time and without a zone.
///
/// The calendar is proleptic: its rules hold for all years. Year 0 is 1 BC.
package struct CivilDate: Hashable, Comparable, Sendable {
    /// The year; negative before year 0.
    package let year: Int
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    /// Makes the date of a day that the month has, or nil.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1,
            day <= Self.lengthOfMonth(month, year: year)
        else { return nil }
        self.init(existing: year, month, day)
    }

    /// Makes the date of the day that lies `daysSince1970` days after 1970-01-01.
    ///
    /// - Complexity: O(1), no allocation.
    package init(daysSince1970: Int) {
        // Years begin in March here, so that the leap day is the last of its year; eras are the
        // 146,097 days of 400 years.
        let days = daysSince1970 + Self.daysFromMarch0To1970
        let era = days.flooredDivision(by: Self.daysPerEra)
        let dayOfEra = days - era * Self.daysPerEra
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            existing: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
            month,
            dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// Makes the date of a day that is known to exist.
    init(existing year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The days from 1970-01-01 to this one; negative before.
    ///
    /// - Complexity: O(1), no allocation.
    package var daysSince1970: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = yearFromMarch.flooredDivision(by: 400)
        let yearOfEra = yearFromMarch - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysFromMarch0To1970
    }

    package var weekday: Int { Self.weekday(daysSince1970: daysSince1970) }

    /// The day of the year, from 1.
    package var dayOfYear: Int {
        let before = Self.daysBeforeMonth[month - 1]
        return before + day + (month > 2 && Self.isLeap(year: year) ? 1 : 0)
    }

    /// Which day of its weekday this is in the month, from 1.
    package var weekdayOrdinal: Int { (day - 1) / 7 + 1 }

    /// The quarter of the year, 1 to 4.
    package var quarter: Int { (month - 1) / 3 + 1 }

    /// Whether the year has a February 29.
    package static func isLeap(year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Gives the days of a month.
    ///
    /// - Precondition: `month` is 1 to 12.
    package static func lengthOfMonth(_ month: Int, year: Int) -> Int {
        if month == 2 { return isLeap(year: year) ? 29 : 28 }
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    }

    package func advanced(byDays days: Int) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970 + days)
    }

    /// Orders dates by time.
    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    static func weekday(daysSince1970: Int) -> Int {
        // 1970-01-01 was a Thursday.
        (daysSince1970 + 4).flooredRemainder(by: 7) + 1
    }

    private static let daysPerEra = 146_097
    /// From 0000-03-01, the first day of an era, to 1970-01-01.
    private static let daysFromMarch0To1970 = 719_468
    /// The days of a common year before each month.
    private static let daysBeforeMonth: [12 of Int] = [
        0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334,
    ]
}

extension Int {
    package static let secondsPerDay = 86_400

    /// Gives the greatest quotient that is not more than the exact one; `/` rounds towards 0.
    package func flooredDivision(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// Gives what ``flooredDivision(by:)`` leaves, 0 to `divisor` - 1.
    package func flooredRemainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
