/// The local times of a rule in their order, in seconds since 1970 by the zone's clock.
struct RecurrenceTimes {
    private let rule: RecurrenceRule
    private let start: Int
    private var days: RecurrenceDays
    /// How many steps the search may still take (REC-7).
    private var stepsLeft: Int

    /// A span of the rule's frequency, with the times that it has.
    private struct Period {
        var days: DayBits
        /// The day that place 0 is, in days since 1970.
        var firstDay: Int
        var times: TimeSet
    }

    /// Makes the times of a rule.
    ///
    /// - Parameters:
    ///   - rule: The rule, with the parts that its start gives.
    ///   - start: The start: no time is before it.
    ///   - stepLimit: How many periods and days the search looks at.
    init(_ rule: RecurrenceRule, from start: Int, stepLimit: Int = Limits.recurrenceSteps) {
        self.rule = rule
        self.start = start
        days = RecurrenceDays(rule)
        stepsLeft = stepLimit
    }

    /// A time, and the times that follow it at equal distances.
    struct Run {
        var first: Int
        var count = 1
        var step = 0
    }

    /// Gives the first time not before a local time; nil where none is left, or none within 60
    /// years.
    mutating func first(notBefore local: Int) -> Run? {
        guard !rule.isNever else { return nil }
        let from = max(local, start)
        let end = from + Self.secondsAhead
        var cursor = cursor(at: from)
        while let period = next(&cursor, until: end) {
            if let run = run(in: period, notBefore: from) { return run }
        }
        return nil
    }

    /// Gives the time with a number, counted from the start; nil where it is not found within the
    /// steps.
    mutating func time(number: Int) -> Int? {
        guard !rule.isNever else { return nil }
        var rest = number
        var cursor = cursor(at: start)
        while let period = next(&cursor, until: Self.endOfTime) {
            let earlier = count(of: period, before: start)
            let count = count(of: period, before: .max) - earlier
            if rest <= count { return time(in: period, earlier + rest - 1) }
            rest -= count
        }
        return nil
    }

    private static let secondsAhead = 60 * 366 * .secondsPerDay
    private static let endOfTime =
        WallInstant(nanoseconds: .max).seconds + 2 * .secondsPerDay

    // MARK: Periods

    /// Where the search is: the number of a year, month or week, or the first second of a period.
    private func cursor(at local: Int) -> Int {
        let date = CivilDate(localSeconds: local)
        // The first day after a period can stand for a day that it does not have.
        let before = rule.skip == .forward ? 1 : 0
        return switch rule.frequency {
        case .yearly: date.year - before
        case .monthly: date.year * 12 + date.month - 1 - before
        case .weekly: week(of: date.daysSince1970)
        case .daily, .hourly, .minutely, .secondly: local
        }
    }

    private func week(of day: Int) -> Int {
        // 1970-01-01 was a Thursday.
        (day + 5 - rule.weekStart).flooredDivision(by: 7)
    }

    /// Gives the next period with times, from the cursor on, and moves the cursor behind it.
    private mutating func next(_ cursor: inout Int, until end: Int) -> Period? {
        switch rule.frequency {
        case .yearly: nextYear(&cursor, until: end)
        case .monthly: nextMonth(&cursor, until: end)
        case .weekly: nextWeek(&cursor, until: end)
        case .daily: nextOfClock(&cursor, unit: .secondsPerDay, until: end)
        case .hourly: nextOfClock(&cursor, unit: 3_600, until: end)
        case .minutely: nextOfClock(&cursor, unit: 60, until: end)
        case .secondly: nextOfClock(&cursor, unit: 1, until: end)
        }
    }

    /// The first number not before the cursor that lies whole intervals after the start's.
    private func aligned(_ number: Int, to origin: Int, by interval: Int) -> Int {
        guard number > origin else { return origin }
        return origin + (number - origin + interval - 1) / interval * interval
    }

    /// Whether the search ended for want of steps.
    var isExhausted: Bool { stepsLeft < 0 }

    private mutating func takeStep() -> Bool {
        stepsLeft -= 1
        return stepsLeft >= 0
    }

    private mutating func nextYear(_ cursor: inout Int, until end: Int) -> Period? {
        let lastYear = CivilDate(localSeconds: end).year
        var year = aligned(cursor, to: CivilDate(localSeconds: start).year, by: rule.interval)
        while year <= lastYear, takeStep() {
            let firstDay = CivilDate(existing: year, 1, 1).daysSince1970
            var matching = DayBits()
            var place = 0
            for month in 1...12 {
                let bits = days.month(month, of: year, from: firstDay + place)
                if bits != 0 { matching.insert(bits, at: place) }
                place += CivilDate.lengthOfMonth(month, year: year)
            }
            year += rule.interval
            guard !matching.isEmpty else { continue }
            cursor = year
            return Period(days: matching, firstDay: firstDay, times: rule.times)
        }
        return nil
    }

    private mutating func nextMonth(_ cursor: inout Int, until end: Int) -> Period? {
        let (first, last) = (CivilDate(localSeconds: start), CivilDate(localSeconds: end))
        let lastMonth = last.year * 12 + last.month - 1
        var number = aligned(cursor, to: first.year * 12 + first.month - 1, by: rule.interval)
        while number <= lastMonth, takeStep() {
            let (year, month) = (
                number.flooredDivision(by: 12), number.flooredRemainder(by: 12) + 1
            )
            number += rule.interval
            guard rule.days.months == 0 || rule.days.months >> UInt16(month) & 1 != 0 else {
                continue
            }
            let firstDay = CivilDate(existing: year, month, 1).daysSince1970
            let bits = days.month(month, of: year, from: firstDay)
            guard bits != 0 else { continue }
            var matching = DayBits()
            matching.insert(bits, at: 0)
            cursor = number
            return Period(days: matching, firstDay: firstDay, times: rule.times)
        }
        return nil
    }

    private mutating func nextWeek(_ cursor: inout Int, until end: Int) -> Period? {
        let lastWeek = week(of: end.flooredDivision(by: .secondsPerDay))
        let origin = week(of: start.flooredDivision(by: .secondsPerDay))
        var number = aligned(cursor, to: origin, by: rule.interval)
        let turn = UInt64(rule.weekStart - 1)
        let week = UInt64(rule.days.weekdays.rawValue)
        let all = (week >> turn | week << (7 - turn)) & 0x7F
        while number <= lastWeek, takeStep() {
            let firstDay = number * 7 - 5 + rule.weekStart
            number += rule.interval
            let bits = rule.days.months == 0 ? all : all & daysOfMonths(from: firstDay)
            guard bits != 0 else { continue }
            var matching = DayBits()
            matching.insert(bits, at: 0)
            cursor = number
            return Period(days: matching, firstDay: firstDay, times: rule.times)
        }
        return nil
    }

    /// Which of seven days lie in the rule's months.
    private func daysOfMonths(from firstDay: Int) -> UInt64 {
        let date = CivilDate(daysSince1970: firstDay)
        let left = CivilDate.lengthOfMonth(date.month, year: date.year) - date.day + 1
        let own: UInt64 = left >= 7 ? 0x7F : 1 << UInt64(left) - 1
        var bits: UInt64 = 0
        if rule.days.months >> UInt16(date.month) & 1 != 0 { bits |= own }
        if rule.days.months >> UInt16(date.month % 12 + 1) & 1 != 0 { bits |= 0x7F & ~own }
        return bits
    }

    /// Goes on by days, hours, minutes or seconds.
    ///
    /// A part that does not match leads to the next
    /// day, hour, minute or second that does.
    private mutating func nextOfClock(_ cursor: inout Int, unit: Int, until end: Int) -> Period? {
        let origin = start.flooredDivision(by: unit) * unit
        let isRestricted = days.isRestricted
        var time = cursor.flooredDivision(by: unit) * unit
        while takeStep() {
            time = aligned(time, to: origin, by: unit * rule.interval)
            guard time <= end else { return nil }
            let day = time.flooredDivision(by: .secondsPerDay)
            let second = time - day * .secondsPerDay
            if isRestricted, let next = nextMatching(day, until: end), next != day {
                time = next * .secondsPerDay
                continue
            }
            var times = rule.times
            if unit < .secondsPerDay {
                let hour = second / 3_600
                guard rule.times.hours == 0 || rule.times.hours >> UInt32(hour) & 1 != 0 else {
                    time += Self.distance(rule.times.hours, hour, 24, 3_600) - second % 3_600
                    continue
                }
                times.hours = 1 << UInt32(hour)
            }
            if unit < 3_600 {
                let minute = second / 60 % 60
                guard rule.times.minutes == 0 || rule.times.minutes >> UInt64(minute) & 1 != 0
                else {
                    time += Self.distance(rule.times.minutes, minute, 60, 60) - second % 60
                    continue
                }
                times.minutes = 1 << UInt64(minute)
            }
            if unit < 60 {
                guard rule.times.seconds == 0 || rule.times.seconds >> UInt64(second % 60) & 1 != 0
                else {
                    time += Self.distance(rule.times.seconds, second % 60, 60, 1)
                    continue
                }
                times.seconds = 1 << UInt64(second % 60)
            }
            cursor = time + unit
            var one = DayBits()
            one.insert(1, at: 0)
            return Period(days: one, firstDay: day, times: times)
        }
        return nil
    }

    /// The seconds from the start of a unit to the next one whose bit is set, or to the end of the
    /// larger unit.
    private static func distance(
        _ bits: some FixedWidthInteger,
        _ place: Int,
        _ count: Int,
        _ unit: Int
    ) -> Int {
        let rest = bits >> (place + 1)
        return (rest == 0 ? count - place : rest.trailingZeroBitCount + 1) * unit
    }

    /// Gives the first matching day from `day` on; a day after the end where there is none.
    private mutating func nextMatching(_ day: Int, until end: Int) -> Int? {
        let lastDay = end.flooredDivision(by: .secondsPerDay)
        var date = CivilDate(daysSince1970: day)
        var start = day - date.day + 1
        while start <= lastDay {
            let bits = days.month(date.month, of: date.year, from: start) >> UInt64(date.day - 1)
            if bits != 0 { return start + date.day - 1 + bits.trailingZeroBitCount }
            guard takeStep() else { break }
            start += CivilDate.lengthOfMonth(date.month, year: date.year)
            date = CivilDate(
                existing: date.month == 12 ? date.year + 1 : date.year,
                date.month % 12 + 1,
                1
            )
        }
        return lastDay + 1
    }

    // MARK: Times of a period

    private func run(in period: Period, notBefore from: Int) -> Run? {
        guard rule.positions.isEmpty else {
            let count = period.days.count * period.times.count
            let found = rule.positions.lazy.compactMap { position -> Int? in
                let number = position > 0 ? position - 1 : count + position
                guard (0..<count).contains(number) else { return nil }
                let time = element(number, of: period)
                return time >= from ? time : nil
            }
            return found.min().map { Run(first: $0) }
        }
        let today = from.flooredDivision(by: .secondsPerDay) - period.firstDay
        guard var day = period.days.first(notBefore: max(0, today)) else { return nil }
        var second = period.times.first
        if day == today {
            let now = from.flooredRemainder(by: .secondsPerDay)
            if let later = period.times.first(notBefore: now) {
                second = later
            } else if let next = period.days.first(notBefore: day + 1) {
                day = next
            } else {
                return nil
            }
        }
        let (count, step) = period.times.run(from: second)
        return Run(
            first: (period.firstDay + day) * .secondsPerDay + second,
            count: count,
            step: step
        )
    }

    private func element(_ number: Int, of period: Period) -> Int {
        let perDay = period.times.count
        return (period.firstDay + period.days[number / perDay]) * .secondsPerDay
            + period.times[number % perDay]
    }

    /// How many times of a period lie before a local time.
    private func count(of period: Period, before local: Int) -> Int {
        guard rule.positions.isEmpty else {
            return orderedTimes(of: period).count { $0 < local }
        }
        let perDay = period.times.count
        let today = local.flooredDivision(by: .secondsPerDay) - period.firstDay
        guard today >= 0 else { return 0 }
        guard today < 384 else { return period.days.count * perDay }
        let earlier = period.days.count(before: today) * perDay
        guard period.days.contains(today) else { return earlier }
        return earlier + period.times.count(before: local.flooredRemainder(by: .secondsPerDay))
    }

    private func time(in period: Period, _ number: Int) -> Int {
        guard !rule.positions.isEmpty else { return element(number, of: period) }
        return orderedTimes(of: period)[number]
    }

    /// The times of a period that the rule's positions choose.
    private func orderedTimes(of period: Period) -> [Int] {
        let count = period.days.count * period.times.count
        // Two positions can be one time.
        let numbers = Set(rule.positions.map { $0 > 0 ? $0 - 1 : count + $0 })
        return numbers.filter { (0..<count).contains($0) }.sorted().map { element($0, of: period) }
    }
}
