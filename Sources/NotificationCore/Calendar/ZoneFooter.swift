/// The rule of a zone for the time after its last listed change: the footer of a TZif file.
///
/// The footer has the form of the environment variable TZ (POSIX), with the hours of RFC 8536,
/// 3.3.1.
struct ZoneFooter {
    /// Seconds east of UTC outside daylight saving time.
    var standardOffset: Int
    /// Daylight saving time, in zones that have it.
    var daylight: Daylight?

    /// Daylight saving time as it comes each year.
    ///
    /// In Ireland, daylight saving time is the time in winter, behind the standard time of summer.
    struct Daylight {
        /// The offset of daylight saving time, in seconds east of UTC.
        var offset: Int
        /// When it starts, on the clock that shows the standard time.
        var start: YearlyTime
        /// When it ends, on the clock that shows daylight saving time.
        var end: YearlyTime
    }

    /// A time that comes once a year.
    struct YearlyTime {
        var day: YearlyDay
        /// Seconds from the day's midnight; may be negative or more than a day.
        var seconds: Int

        func localSeconds(year: Int) -> Int {
            day.daysSince1970(year: year) * .secondsPerDay + seconds
        }
    }

    /// A day that comes once a year.
    enum YearlyDay {
        /// `Jn`: the day 1 to 365, where February 29 has no number.
        case julian(Int)
        /// `n`: the day 0 to 365, where February 29 has one.
        case dayOfYear(Int)
        /// `Mm.w.d`: a weekday, from 0 for Sunday, of the month's week 1 to 4, or 5 for the last.
        case weekday(month: Int, week: Int, weekday: Int)

        func daysSince1970(year: Int) -> Int {
            switch self {
            case .julian(let day):
                let isAfterLeapDay = day >= 60 && CivilDate.isLeap(year: year)
                return Self.first(of: 1, year) + day - (isAfterLeapDay ? 0 : 1)
            case .dayOfYear(let day):
                return Self.first(of: 1, year) + day
            case .weekday(let month, let week, let weekday):
                let first = Self.first(of: month, year)
                let firstWeekday = CivilDate.weekday(daysSince1970: first) - 1
                var day = (weekday - firstWeekday).flooredRemainder(by: 7) + (week - 1) * 7
                if day >= CivilDate.lengthOfMonth(month, year: year) { day -= 7 }
                return first + day
            }
        }

        private static func first(of month: Int, _ year: Int) -> Int {
            CivilDate(existing: year, month, 1).daysSince1970
        }
    }

    /// Gives the changes after `last`, or all, in the years that ``WallInstant`` can show.
    func changes(after last: Int?) -> [ZoneRules.Change] {
        guard let daylight else { return [] }
        let last = last ?? .min
        let firstDay = max(last.flooredDivision(by: .secondsPerDay), Self.shownDays.lowerBound)
        // The rule's times may lie up to a week outside of their year.
        let firstYear = CivilDate(daysSince1970: firstDay).year - 1
        let lastYear = CivilDate(daysSince1970: Self.shownDays.upperBound).year
        guard firstYear <= lastYear else { return [] }
        var changes: [ZoneRules.Change] = []
        for year in firstYear...lastYear {
            let start = daylight.start.localSeconds(year: year) - standardOffset
            let end = daylight.end.localSeconds(year: year) - daylight.offset
            changes.append(ZoneRules.Change(time: start, offset: daylight.offset))
            changes.append(ZoneRules.Change(time: end, offset: standardOffset))
        }
        return Self.ordered(changes, daylight: daylight).filter { $0.time > last }
    }

    /// Orders changes by time, and keeps one change of those at the same time.
    ///
    /// Where one period of daylight saving time ends as the next starts, daylight saving goes on: a
    /// zone with daylight saving all year says so in this way.
    private static func ordered(
        _ changes: [ZoneRules.Change],
        daylight: Daylight
    ) -> [ZoneRules.Change] {
        let sorted = changes.sorted { left, right in
            guard left.time == right.time else { return left.time < right.time }
            return left.offset != daylight.offset && right.offset == daylight.offset
        }
        var ordered: [ZoneRules.Change] = []
        for change in sorted {
            if ordered.last?.time == change.time { ordered.removeLast() }
            ordered.append(change)
        }
        return ordered
    }

    /// The days that ``WallInstant`` can show, with some to spare.
    private static let shownDays: ClosedRange<Int> = {
        let days = Int(Int64.max) / .nanosecondsPerSecond / .secondsPerDay
        return -days - 400...days + 400
    }()
}
