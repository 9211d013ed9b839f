internal import NotificationCore

/// The rules of recurrence in their plainest form, to compare with: days are counted one by one,
/// and of a zone only the offset at an instant is asked.
struct RuleOracle {
    /// A day, as it is counted.
    struct Day {
        var number: Int
        var year: Int
        var month: Int
        var day: Int
        var weekday: Int
        var dayOfYear: Int
        /// How many days the month has.
        var length: Int
    }

    /// When a trigger fires on a day.
    private enum Hit { case atItsTime, atMidnight }

    /// The days from 2015-01-01, which was a Thursday, on.
    static let days: [Day] = {
        var days: [Day] = []
        var (number, weekday) = (16_436, 5)
        for year in 2_015...2_099 {
            let isLeap = year % 4 == 0
            var dayOfYear = 1
            for (index, common) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                let length = index == 1 && isLeap ? 29 : common
                for day in 1...length {
                    days.append(
                        Day(
                            number: number,
                            year: year,
                            month: index + 1,
                            day: day,
                            weekday: weekday,
                            dayOfYear: dayOfYear,
                            length: length
                        )
                    )
                    number += 1
                    dayOfYear += 1
                    weekday = weekday == 7 ? 1 : weekday + 1
                }
            }
        }
        return days
    }()

    let zone: ZoneRules
    /// All offsets of the zone in the years that are looked at.
    private let offsets: [Int]

    init(zone: ZoneRules) {
        self.zone = zone
        var offsets: Set<Int> = []
        for day in Self.days {
            offsets.insert(zone.offsetSeconds(at: WallInstant(second: day.number * 86_400)))
        }
        self.offsets = offsets.sorted()
    }

    static func day(_ number: Int) -> Day { days[number - days[0].number] }

    private func offset(_ second: Int) -> Int {
        zone.offsetSeconds(at: WallInstant(second: second))
    }

    /// The number of the day that the clock shows.
    func localDay(_ second: Int) -> Int {
        let local = second + offset(second)
        return (local - (local % 86_400 + 86_400) % 86_400) / 86_400
    }

    /// The instants at which the clock shows a local time, in order.
    private func shown(_ local: Int) -> [Int] {
        offsets.map { local - $0 }.filter { offset($0) == local - $0 }.sorted()
    }

    /// When the clock jumps over a local time.
    private func jump(over local: Int) -> Int {
        var second = (local - (offsets.last ?? 0)) / 60 * 60
        while second + offset(second) < local { second += 60 }
        return second
    }

    /// Whether the clock shows any time of a day.
    private func exists(_ day: Int) -> Bool {
        stride(from: 0, to: 86_400, by: 900).contains { !shown(day * 86_400 + $0).isEmpty }
    }

    // MARK: Calendar triggers

    /// The first occurrence after `now` within the next years, in seconds; nil where there is none.
    func next(_ trigger: CalendarTrigger, after now: Int, years: Int = 6) -> Int? {
        var now = now
        if let start = trigger.limits.startAt { now = max(now, second(start) - 1) }
        let first = localDay(now) - 1
        var found: Int?
        var last = first + years * 366
        var number = first
        while number <= last {
            for second in occurrences(of: trigger, on: number, after: now) where second > now {
                guard !skips(trigger.limits, second) else { continue }
                if found == nil { last = min(last, number + 2) }
                found = min(found ?? second, second)
            }
            number += 1
        }
        guard let found else { return nil }
        if let end = trigger.limits.endAt, found > second(end) { return nil }
        return found
    }

    private func second(_ instant: WallInstant) -> Int {
        Int(instant.nanoseconds / 1_000_000_000)
    }

    private func skips(_ limits: RecurrenceLimits, _ second: Int) -> Bool {
        limits.skippedDays.contains(Int32(localDay(second)))
    }

    private func occurrences(of trigger: CalendarTrigger, on number: Int, after now: Int) -> [Int] {
        guard let hit = hit(trigger, number) else { return [] }
        let parts = trigger.dateComponents
        let midnight = number * 86_400
        if parts.hour == nil, parts.minute != nil || parts.second != nil, hit == .atItsTime {
            let minutes = (0..<1_440).filter { parts.minute == nil || parts.minute == $0 % 60 }
            return minutes.flatMap { shown(midnight + $0 * 60 + (parts.second ?? 0)) }
        }
        var local = midnight
        if hit == .atItsTime {
            let minutes = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
            local += minutes * 60 + (parts.second ?? 0)
        }
        return once(local, after: now)
    }

    /// The occurrence at a local time that comes once on a day.
    private func once(_ local: Int, after now: Int) -> [Int] {
        let shown = shown(local)
        guard let first = shown.first else {
            return exists((local - (local % 86_400 + 86_400) % 86_400) / 86_400)
                ? [jump(over: local)] : []
        }
        if shown.count > 1, first < now, now < shown[1] { return [shown[1]] }
        return [first]
    }

    private func hit(_ trigger: CalendarTrigger, _ number: Int) -> Hit? {
        let parts = trigger.dateComponents
        if matches(trigger, number) {
            let namesDays =
                parts.day != nil || parts.weekday != nil || !trigger.weekdays.isEmpty
                || parts.weekdayOrdinal != nil || parts.dayOfYear != nil
            let spans = parts.year != nil || parts.month != nil || parts.quarter != nil
            return spans && !namesDays && matches(trigger, number - 1) ? nil : .atItsTime
        }
        guard let asked = parts.day, parts.weekday == nil, trigger.weekdays.isEmpty,
            parts.weekdayOrdinal == nil, parts.dayOfYear == nil
        else { return nil }
        switch trigger.shortMonthPolicy {
        case .skip: return nil
        case .lastDay: return isShort(number, for: asked, parts) ? .atItsTime : nil
        case .nextDaySameTime: return isShort(number - 1, for: asked, parts) ? .atItsTime : nil
        case .nextDayMidnight: return isShort(number - 1, for: asked, parts) ? .atMidnight : nil
        }
    }

    /// Whether a day is the last of a month that matches and is shorter than asked for.
    private func isShort(_ number: Int, for asked: Int, _ parts: CalendarComponents) -> Bool {
        let day = Self.day(number)
        return day.day == day.length && day.length < asked && matchesMonth(parts, day)
    }

    private func matchesMonth(_ parts: CalendarComponents, _ day: Day) -> Bool {
        (parts.year == nil || parts.year == day.year)
            && (parts.month == nil || parts.month == day.month)
            && (parts.quarter == nil || parts.quarter == (day.month + 2) / 3)
    }

    private func matches(_ trigger: CalendarTrigger, _ number: Int) -> Bool {
        let day = Self.day(number)
        let parts = trigger.dateComponents
        guard matchesMonth(parts, day), parts.day == nil || parts.day == day.day,
            parts.dayOfYear == nil || parts.dayOfYear == day.dayOfYear,
            parts.weekday == nil || parts.weekday == day.weekday,
            trigger.weekdays.isEmpty || trigger.weekdays.weekdays.contains(day.weekday)
        else { return false }
        guard let ordinal = parts.weekdayOrdinal else { return true }
        // How many days of the same weekday the month has up to this one, or from this one on.
        let same = (1...day.length).filter { ($0 - day.day) % 7 == 0 }
        return ordinal > 0
            ? same.filter { $0 <= day.day }.count == ordinal
            : same.filter { $0 >= day.day }.count == -ordinal
    }

    // MARK: Anchored intervals

    /// The first occurrence after `now`, in seconds; nil where there is none within the next years.
    func next(_ trigger: AnchoredIntervalTrigger, after now: Int, years: Int = 6) -> Int? {
        let anchor = second(trigger.anchor)
        let limit = max(now, anchor) + years * 366 * 86_400
        var step = 0
        while true {
            let (isBehind, second) = instant(trigger, anchor, step, limit)
            if isBehind { return nil }
            step += 1
            guard let second, second > now,
                trigger.limits.startAt.map({ second >= self.second($0) }) ?? true,
                !skips(trigger.limits, second)
            else { continue }
            return trigger.limits.endAt.map { second > self.second($0) } ?? false ? nil : second
        }
    }

    private func instant(
        _ trigger: AnchoredIntervalTrigger,
        _ anchor: Int,
        _ step: Int,
        _ limit: Int
    ) -> (isBehind: Bool, Int?) {
        if case .interval(let nanoseconds) = trigger.step {
            let second = anchor + step * Int(nanoseconds / 1_000_000_000)
            return (second > limit, second)
        }
        if step == 0 { return (false, anchor) }
        let local = anchor + offset(anchor)
        var number = localDay(anchor)
        let time = local - number * 86_400
        var isAtMidnight = false
        switch trigger.step {
        case .interval: break
        case .calendar(let count, .day): number += step * count
        case .calendar(let count, .week): number += step * count * 7
        case .calendar(let count, let unit):
            let first = Self.day(number)
            // To the same month of the year, month by month, then to its day.
            number -= first.day - 1
            for _ in 0..<step * count * (unit == .year ? 12 : 1) {
                guard number * 86_400 <= limit + 40 * 86_400 else { return (true, nil) }
                number += Self.day(number).length
            }
            let length = Self.day(number).length
            if first.day <= length {
                number += first.day - 1
            } else {
                switch trigger.shortMonthPolicy {
                case .skip: return (false, nil)
                case .lastDay: number += length - 1
                case .nextDaySameTime: number += length
                case .nextDayMidnight:
                    number += length
                    isAtMidnight = true
                }
            }
        }
        guard number * 86_400 <= limit else { return (true, nil) }
        // Before every instant, so that a time that comes twice means the first.
        return (false, once(number * 86_400 + (isAtMidnight ? 0 : time), after: .min).first)
    }
}
