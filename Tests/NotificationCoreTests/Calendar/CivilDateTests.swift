internal import NotificationCore
internal import Testing

@Suite("Days of the Gregorian calendar")
struct CivilDateTests {
    @Test("Every day of 1600 to 2399 follows the one before it")
    func everyDay() throws {
        // Count up a calendar, with which the arithmetic must agree.
        var (year, month, day) = (1_600, 1, 1)
        var (weekday, dayOfYear) = (7, 1)
        var number = -135_140
        var problems: [String] = []
        while year < 2_400 {
            let date = CivilDate(daysSince1970: number)
            let counted = try #require(CivilDate(year: year, month: month, day: day))
            if date != counted || counted.daysSince1970 != number || date.weekday != weekday
                || date.dayOfYear != dayOfYear || date.weekdayOrdinal != (day + 6) / 7
                || date.quarter != (month + 2) / 3
            {
                problems.append("\(number): \(date)")
            }
            (number, day, dayOfYear) = (number + 1, day + 1, dayOfYear + 1)
            weekday = weekday % 7 + 1
            if day > CivilDate.lengthOfMonth(month, year: year) { (day, month) = (1, month + 1) }
            if month > 12 { (year, month, dayOfYear) = (year + 1, 1, 1) }
        }
        #expect(problems.isEmpty)
        #expect(number == 157_054, "1600-01-01 to 2400-01-01 are 800 years of 365.2425 days")
    }

    @Test(
        "Days that are known from elsewhere",
        arguments: [
            (1_970, 1, 1, 0, 5), (2_000, 2, 29, 11_016, 3), (1_900, 3, 1, -25_508, 5),
            (2_025, 11, 2, 20_394, 1), (0, 3, 1, -719_468, 4), (-1, 12, 31, -719_529, 6),
        ]
    )
    func known(year: Int, month: Int, day: Int, days: Int, weekday: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.daysSince1970 == days)
        #expect(date.weekday == weekday)
        #expect(CivilDate(daysSince1970: days) == date)
    }

    @Test(
        "A day that its month does not have is no date",
        arguments: [
            (2_025, 2, 29), (1_900, 2, 29), (2_025, 4, 31), (2_025, 1, 0), (2_025, 0, 1),
            (2_025, 13, 1), (2_025, 12, 32),
        ]
    )
    func noDate(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test("Dates are in the order of time, and a step of days keeps it")
    func order() throws {
        let date = try #require(CivilDate(year: 2_024, month: 12, day: 31))
        let next = date.advanced(byDays: 1)
        #expect(next == CivilDate(year: 2_025, month: 1, day: 1))
        #expect(date < next)
        #expect(date.advanced(byDays: -366) < date)
    }
}

@Suite("Weeks of a month and of a year (D-5)")
struct WeekTests {
    @Test("Weeks of every rule, day by day, by what defines the first week")
    func everyRule() throws {
        for firstWeekday in 1...7 {
            for minimumDays in 1...7 {
                let rule = WeekRule(
                    firstWeekday: firstWeekday,
                    minimumDaysInFirstWeek: minimumDays
                )
                // Within 28 years a year begins on each weekday, with a leap day and without.
                let problems = (1_972...1_999).filter { !isRight(year: $0, rule) }
                #expect(problems.isEmpty, "\(rule)")
            }
        }
    }

    /// Whether the weeks of a year are those that a count from its first week gives.
    private func isRight(year: Int, _ rule: WeekRule) -> Bool {
        guard let start = firstDayOfWeek1(year: year, month: 1, rule),
            let end = firstDayOfWeek1(year: year + 1, month: 1, rule)
        else { return false }
        return (start..<end).allSatisfy { number in
            let date = CivilDate(daysSince1970: number)
            return date.yearForWeekOfYear(by: rule) == year
                && date.weekOfYear(by: rule) == (number - start) / 7 + 1
                && isMonthRight(date, rule)
        }
    }

    private func isMonthRight(_ date: CivilDate, _ rule: WeekRule) -> Bool {
        guard let start = firstDayOfWeek1(year: date.year, month: date.month, rule) else {
            return false
        }
        let days = date.daysSince1970 - start
        return date.weekOfMonth(by: rule) == (days < 0 ? 0 : days / 7 + 1)
    }

    /// The day on which the first week of a month begins that has enough of its days.
    private func firstDayOfWeek1(year: Int, month: Int, _ rule: WeekRule) -> Int? {
        guard let first = CivilDate(year: year, month: month, day: 1)?.daysSince1970 else {
            return nil
        }
        return (first - 6...first + 6).first { number in
            CivilDate(daysSince1970: number).weekday == rule.firstWeekday
                && number + 6 >= first + rule.minimumDaysInFirstWeek - 1
        }
    }

    @Test(
        "Weeks that are known from elsewhere",
        arguments: [
            (2_025, 12, 28, 1, 2_026, 5, 52, 2_025), (2_026, 1, 1, 1, 2_026, 1, 1, 2_026),
            (2_026, 12, 28, 1, 2_027, 5, 53, 2_026), (2_027, 1, 1, 1, 2_027, 1, 53, 2_026),
            (2_027, 1, 4, 2, 2_027, 2, 1, 2_027),
        ]
    )
    func known(
        year: Int,
        month: Int,
        day: Int,
        week: Int,
        weekYear: Int,
        weekOfMonth: Int,
        isoWeek: Int,
        isoYear: Int
    ) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.weekOfYear() == week)
        #expect(date.yearForWeekOfYear() == weekYear)
        #expect(date.weekOfMonth() == weekOfMonth)
        #expect(date.weekOfYear(by: .iso8601) == isoWeek)
        #expect(date.yearForWeekOfYear(by: .iso8601) == isoYear)
    }
}
