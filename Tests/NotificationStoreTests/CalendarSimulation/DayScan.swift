internal import NotificationCore

/// The next date of date components, by looking at one day after the other (§7.3.3).
///
/// Slow, and plain: nothing is skipped. Instants are in seconds.
struct DayScan {
    let trigger: CalendarTrigger
    let zone: SimulatedZone

    private var components: CalendarComponents { trigger.dateComponents }

    /// A day of the Gregorian calendar.
    struct Day {
        /// Days since 1970-01-01.
        let number: Int64
        let year: Int
        let month: Int
        let day: Int

        init(_ number: Int64) {
            self.number = number
            // 400 years have 146,097 days; years begin in March, so that leap days end them.
            let shifted = number + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let ofEra = shifted - era * 146_097
            let years = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
            let ofYear = ofEra - (365 * years + years / 4 - years / 100)
            let part = (5 * ofYear + 2) / 153
            day = Int(ofYear - (153 * part + 2) / 5 + 1)
            month = Int(part < 10 ? part + 3 : part - 9)
            year = Int(years + era * 400) + (month <= 2 ? 1 : 0)
        }

        /// 1 is Sunday; 1970-01-01 was a Thursday.
        var weekday: Int { Int(((number + 4) % 7 + 7) % 7) + 1 }
        var weekdayOrdinal: Int { (day - 1) / 7 + 1 }
        /// How many days of its weekday the month has from it on.
        var ordinalFromEnd: Int {
            var count = 1
            while Day(number + 7 * Int64(count)).month == month { count += 1 }
            return count
        }
        var quarter: Int { (month - 1) / 3 + 1 }
        var isLastOfMonth: Bool { Day(number + 1).day == 1 }
        var ofYear: Int {
            let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return before + day + (isLeap && month > 2 ? 1 : 0)
        }
    }

    private func matches(_ day: Day) -> Bool {
        if let year = components.year, year != day.year { return false }
        if let quarter = components.quarter, quarter != day.quarter { return false }
        if let month = components.month, month != day.month { return false }
        if let number = components.day, number != day.day { return false }
        if let weekday = components.weekday, weekday != day.weekday { return false }
        if let ordinal = components.weekdayOrdinal {
            guard ordinal == (ordinal > 0 ? day.weekdayOrdinal : -day.ordinalFromEnd) else {
                return false
            }
        }
        if !trigger.weekdays.isEmpty, !trigger.weekdays.weekdays.contains(day.weekday) {
            return false
        }
        if let ofYear = components.dayOfYear, ofYear != day.ofYear { return false }
        return true
    }

    /// Whether the day is one of the dates; of a month or a year alone, its first day is.
    private func isHit(_ day: Day) -> Bool {
        guard matches(day) else { return false }
        let namesDay =
            components.day != nil || components.weekday != nil || !trigger.weekdays.isEmpty
            || components.weekdayOrdinal != nil || components.dayOfYear != nil
        let namesSpan =
            components.year != nil || components.quarter != nil || components.month != nil
        return namesDay || !namesSpan || !matches(Day(day.number - 1))
    }

    /// Whether the date is missing in a month that is too short, whose last day this is.
    private func endsShortMonth(_ day: Day) -> Bool {
        guard let asked = components.day, asked >= 29, asked > day.day, day.isLastOfMonth,
            components.weekday == nil, components.weekdayOrdinal == nil, trigger.weekdays.isEmpty
        else { return false }
        if let year = components.year, year != day.year { return false }
        if let month = components.month, month != day.month { return false }
        return true
    }

    private func local(_ day: Int64, _ hour: Int, _ minute: Int, _ second: Int) -> Int64 {
        day * .secondsPerDay + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// The instant that the components' time has on a day.
    private func instant(on day: Int64, after: Int64) -> Int64? {
        guard zone.hasDay(from: day * .secondsPerDay) else { return nil }
        let local = local(
            day,
            components.hour ?? 0,
            components.minute ?? 0,
            components.second ?? 0
        )
        let instants = zone.instants(of: local)
        guard let first = instants.first, let last = instants.last else {
            return zone.gap(around: local)
        }
        return first < after && after < last ? last : first
    }

    /// The instants of a day at which an hour that is not named comes by.
    private func instantsOfHours(on day: Int64) -> [Int64] {
        var found: [Int64] = []
        for hour in 0..<24 {
            let minutes = components.minute.map { $0...$0 } ?? 0...59
            for minute in minutes {
                found += zone.instants(of: local(day, hour, minute, components.second ?? 0))
            }
        }
        return found.sorted()
    }

    /// When the local time of an instant comes first.
    func firstPass(of instant: Int64) -> Int64 {
        zone.instants(of: instant + zone.offset(at: instant)).first ?? instant
    }

    /// The first date after an instant within the bounds; nil where there is none in 60 years.
    func next(after: Int64) -> Int64? {
        let limits = trigger.limits
        var after = after
        if let start = limits.startAt { after = max(after, start.wholeSeconds - 1) }
        while let found = nextUnlimited(after: after) {
            if let end = limits.endAt, found > end.wholeSeconds { return nil }
            guard zone.skips(found, limits) else { return found }
            after = found
        }
        return nil
    }

    private func nextUnlimited(after: Int64) -> Int64? {
        let isHourless =
            components.hour == nil && (components.minute != nil || components.second != nil)
        let local = after + zone.offset(at: after)
        let today = local.floored(by: .secondsPerDay) / .secondsPerDay
        for number in (today - 1)...(today + 60 * 366) {
            let day = Day(number)
            if let year = components.year, day.year > year + 1 { return nil }
            if isHourless {
                guard isHit(day) else { continue }
                if let first = instantsOfHours(on: number).first(where: { $0 > after }) {
                    return first
                }
            } else if isHit(day) {
                if let instant = instant(on: number, after: after), instant > after {
                    return instant
                }
            } else if endsShortMonth(day),
                let instant = instant(on: number + 1, after: after), instant > after
            {
                return instant
            }
        }
        return nil
    }

    /// The last date after an instant and up to another, and how many there are, of a few.
    func last(
        after: Int64,
        through end: Int64,
        atMost limit: Int64
    ) -> (instant: Int64, count: Int64)? {
        var found: (instant: Int64, count: Int64)?
        let limits = trigger.limits
        let first = limits.startAt.map { max(after, $0.wholeSeconds - 1) } ?? after
        let end = limits.endAt.map { min(end, $0.wholeSeconds) } ?? end
        guard limit > 0 else { return nil }
        if components.hour == nil, components.minute != nil || components.second != nil {
            // Each day is looked at once: there may be hundreds of them, with many dates each.
            guard first < end else { return nil }
            let days = (first / .secondsPerDay - 2)...(end / .secondsPerDay + 2)
            for number in days where isHit(Day(number)) {
                for instant in instantsOfHours(on: number)
                where first < instant && instant <= end && !zone.skips(instant, limits) {
                    found = (instant, (found?.count ?? 0) + 1)
                    if found?.count == limit { return found }
                }
            }
        } else {
            while found?.count != limit, let next = next(after: found?.instant ?? after),
                next <= end
            {
                found = (next, (found?.count ?? 0) + 1)
            }
        }
        return found
    }

    /// The one instant that a whole date means (CAL-12).
    var onlyInstant: Int64? {
        let day = components.day ?? 1
        var number = Int64((components.year ?? 1970) - 1970) * 365
        while Day(number).year != components.year || Day(number).month != components.month
            || Day(number).day != day
        {
            number += 1
        }
        return instant(on: number, after: .min)
    }

    /// Whether a day has one date at the most.
    var isOnceADay: Bool {
        components.hour != nil || (components.minute == nil && components.second == nil)
    }

    var namesOneDay: Bool {
        components.year != nil && components.month != nil && components.day != nil
    }
}
