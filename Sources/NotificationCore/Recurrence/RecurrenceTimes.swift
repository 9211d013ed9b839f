/// The local times of a rule in their order, in seconds since 1970 by the zone's clock.
struct RecurrenceTimes {
    private let rule: RecurrenceRule
    private let start: Int
    private var days: RecurrenceDays
    /// How many steps the search took (REC-7).
    private(set) var steps = 0

    /// A span of the rule's frequency, with the times that it has.
    struct Period {
        fileprivate var days: DayBits
        /// The day that place 0 is, in days since 1970.
        fileprivate var firstDay: Int
        fileprivate var times: TimeSet
    }

    /// Makes the times of a rule.
    ///
    /// - Parameters:
    ///   - rule: The rule, with the parts that its start gives.
    ///   - start: The start: no time is before it.
    init(_ rule: RecurrenceRule, from start: Int) {
        self.rule = rule
        self.start = start
        days = RecurrenceDays(rule)
    }

    /// A time, and times that follow it: at equal distances, or the rest of a period.
    struct Run {
        private(set) var first: Int
        private(set) var count = 1
        private var step = 0
        private var period: Period?
        /// The number of the first time in its period, from 0.
        private var number = 0

        init(first: Int) { self.first = first }

        fileprivate init(first: Int, count: Int, step: Int) {
            self.first = first
            self.count = count
            self.step = step
        }

        fileprivate init(from first: Int, of period: Period) {
            self.first = first
            self.period = period
            number = period.count(before: first)
            count = period.count - number
        }

        /// Gives a time of the run by its number, from 0 on.
        func time(_ index: Int) -> Int { period?[number + index] ?? first + index * step }

        /// Gives the times after the first; nil where there is none.
        func dropFirst() -> Run? {
            guard count > 1 else { return nil }
            var run = self
            (run.first, run.count, run.number) = (time(1), count - 1, number + 1)
            return run
        }

        /// Gives the times up to a local time, and the first in any case.
        func prefix(notAfter local: Int) -> Run {
            guard count > 1 else { return self }
            var run = self
            let passed =
                period.map { $0.count(before: local + 1) - number } ?? (local - first) / step + 1
            run.count = local > first ? min(count, passed) : 1
            return run
        }
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
            if count == 1, period.count == 1, let step = everyStep {
                let last = time(in: period, earlier) + (rest - 1) * step
                return last <= Self.endOfTime ? last : nil
            }
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
    var isExhausted: Bool { steps > Limits.recurrenceSteps }

    private mutating func takeStep() -> Bool {
        steps += 1
        return !isExhausted
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
            let count = period.count
            let found = rule.positions.lazy.compactMap { position -> Int? in
                let number = position > 0 ? position - 1 : count + position
                guard (0..<count).contains(number) else { return nil }
                let time = period[number]
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
        let first = (period.firstDay + day) * .secondsPerDay + second
        guard let step = everyStep, period.count == 1 else { return Run(from: first, of: period) }
        return Run(first: first, count: max(1, Self.secondsAhead / step), step: step)
    }

    /// The distance of a rule's times where no part but the interval chooses the periods of days,
    /// hours, minutes or seconds.
    private var everyStep: Int? {
        guard !days.isRestricted else { return nil }
        let (hours, minutes) = (rule.times.hours, rule.times.minutes)
        let hasAllHours = hours == 0 || hours == RecurrenceRule.everyHour
        let hasAllMinutes = minutes == 0 || minutes == RecurrenceRule.everyMinute
        return switch rule.frequency {
        case .daily where rule.times.count == 1: rule.interval * .secondsPerDay
        case .hourly where hasAllHours: rule.interval * 3_600
        case .minutely where hasAllHours && hasAllMinutes: rule.interval * 60
        case .secondly where hasAllHours && hasAllMinutes && rule.times.seconds == 0: rule.interval
        default: nil
        }
    }

    /// How many times of a period lie before a local time.
    private func count(of period: Period, before local: Int) -> Int {
        guard rule.positions.isEmpty else {
            return orderedTimes(of: period).count { $0 < local }
        }
        return period.count(before: local)
    }

    private func time(in period: Period, _ number: Int) -> Int {
        guard !rule.positions.isEmpty else { return period[number] }
        return orderedTimes(of: period)[number]
    }

    /// The times of a period that the rule's positions choose.
    private func orderedTimes(of period: Period) -> [Int] {
        let count = period.count
        // Two positions can be one time.
        let numbers = Set(rule.positions.map { $0 > 0 ? $0 - 1 : count + $0 })
        return numbers.filter { (0..<count).contains($0) }.sorted().map { period[$0] }
    }
}

extension RecurrenceTimes.Period {
    /// How many times there are, whatever positions choose.
    var count: Int { days.count * times.count }

    /// Gives the number of the period's times before a local time.
    func count(before local: Int) -> Int {
        let today = local.flooredDivision(by: .secondsPerDay) - firstDay
        guard today >= 0 else { return 0 }
        guard today < 384 else { return count }
        let earlier = days.count(before: today) * times.count
        guard days.contains(today) else { return earlier }
        return earlier + times.count(before: local.flooredRemainder(by: .secondsPerDay))
    }

    /// Gives a time of the period by its number, from 0 on.
    subscript(number: Int) -> Int {
        let perDay = times.count
        return (firstDay + days[number / perDay]) * .secondsPerDay + times[number % perDay]
    }
}
