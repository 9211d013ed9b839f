internal import NotificationCore

/// A zone's clock, minute by minute, for 40 days around an instant: the calendar trigger's rules in
/// their plainest form, to compare with.
struct MinuteScan {
    /// A minute, and what the clock shows at it.
    private struct Minute {
        var instant: Int
        var day: Int
        var minuteOfDay: Int
    }

    private let first: Int
    private let last: Int
    private let minutes: [Minute]
    /// The instants at which a day's minute is shown, by the day and the minute.
    private let shown: [Int: [Int: [Int]]]

    init(zone: ZoneRules, around instant: Int) {
        first = (instant - 20 * 86_400) / 60 * 60
        last = first + 40 * 86_400
        minutes = stride(from: first, to: last, by: 60).map { instant in
            let local = instant + zone.offsetSeconds(at: WallInstant(second: instant))
            return Minute(
                instant: instant,
                day: local / 86_400,
                minuteOfDay: local / 60 % 1_440
            )
        }
        shown = Dictionary(grouping: minutes, by: \.day).mapValues { minutes in
            Dictionary(grouping: minutes, by: \.minuteOfDay).mapValues { $0.map(\.instant) }
        }
    }

    /// Whether an instant lies far enough within the minutes that its days are whole.
    func contains(_ instant: WallInstant) -> Bool {
        WallInstant(second: first + 3 * 86_400) <= instant
            && instant <= WallInstant(second: last - 3 * 86_400)
    }

    /// An occurrence, and the one that takes its place after a late start.
    struct Occurrences {
        fileprivate var all: [(first: Int, second: Int?)]
        fileprivate var scan: MinuteScan

        /// Gives the first after an instant, if the minutes reach so far.
        func first(after now: WallInstant) -> WallInstant? {
            for (first, second) in all {
                if WallInstant(second: first) > now { return within(first) }
                guard let second, WallInstant(second: first) < now,
                    now < WallInstant(second: second)
                else { continue }
                return within(second)
            }
            return nil
        }

        private func within(_ second: Int) -> WallInstant? {
            let instant = WallInstant(second: second)
            return scan.contains(instant) ? instant : nil
        }
    }

    /// Gives the occurrences of a trigger that has no year, no quarter, and no second but 0.
    func occurrences(of trigger: CalendarTrigger) -> Occurrences {
        let components = trigger.dateComponents
        let firing = shown.keys.reduce(into: [Int: Bool]()) { firing, day in
            firing[day] = isHit(day, trigger)
        }
        guard components.hour == nil, components.minute != nil || components.second != nil else {
            let minute = (components.hour ?? 0) * 60 + (components.minute ?? 0)
            let all = shown.keys.sorted().compactMap { day -> (Int, Int?)? in
                guard let isAtMidnight = firing[day] ?? nil else { return nil }
                return instants(day: day, minute: isAtMidnight ? 0 : minute)
            }
            return Occurrences(all: all, scan: self)
        }
        let every = minutes.compactMap { minute -> (Int, Int?)? in
            guard firing[minute.day] == false else { return nil }
            let isHit = components.minute.map { $0 == minute.minuteOfDay % 60 } ?? true
            return isHit ? (minute.instant, nil) : nil
        }
        let midnights = firing.filter(\.value).keys.compactMap { instants(day: $0, minute: 0) }
        return Occurrences(all: (every + midnights).sorted { $0.0 < $1.0 }, scan: self)
    }

    /// The instants of a local time; of one that is skipped, the first minute after it.
    private func instants(day: Int, minute: Int) -> (Int, Int?)? {
        guard let minutes = shown[day] else { return nil }
        if let instants = minutes[minute], let first = instants.first {
            return (first, instants.dropFirst().first)
        }
        let after = self.minutes.first { shown in
            shown.day > day || (shown.day == day && shown.minuteOfDay > minute)
        }
        return after.map { ($0.instant, nil) }
    }

    /// Whether a trigger fires on a day: false at its time, true at midnight, nil not at all.
    private func isHit(_ day: Int, _ trigger: CalendarTrigger) -> Bool? {
        let components = trigger.dateComponents
        let date = CivilDate(daysSince1970: day)
        let spans = components.month != nil || components.weekOfMonth != nil
        let namesDays = components.day != nil || components.weekday != nil
        if matches(date, components) {
            let isInRun = spans && !namesDays && matches(date.advanced(byDays: -1), components)
            return isInRun ? nil : false
        }
        guard let asked = components.day, components.weekday == nil else { return nil }
        switch trigger.shortMonthPolicy {
        case .skip: return nil
        case .lastDay:
            return date.advanced(byDays: 1).day == 1 && asked > date.day ? false : nil
        case .nextDaySameTime, .nextDayMidnight:
            let isAfterShortMonth = date.day == 1 && asked > date.advanced(byDays: -1).day
            return isAfterShortMonth ? trigger.shortMonthPolicy == .nextDayMidnight : nil
        }
    }

    private func matches(_ date: CivilDate, _ components: CalendarComponents) -> Bool {
        let pairs = [
            (components.month, date.month), (components.day, date.day),
            (components.weekday, date.weekday), (components.weekdayOrdinal, date.weekdayOrdinal),
            (components.weekOfMonth, date.weekOfMonth()),
        ]
        return pairs.allSatisfy { part, value in part == nil || part == value }
    }
}
