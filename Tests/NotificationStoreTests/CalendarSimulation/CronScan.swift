internal import NotificationCore

/// The next date of a crontab, one local day after the other (REC-2, REC-4).
///
/// The simulations write minutes, hours and weekdays as lists of numbers or stars.
/// Instants are in seconds.
struct CronScan {
    private let minutes: [Int]
    private let hours: [Int]
    /// 0 is Sunday.
    private let weekdays: [Int]
    /// Local times that are no occurrences.
    private let excluded: [Int64]
    private let limits: RecurrenceLimits
    private let zone: SimulatedZone

    /// Makes the scan of a crontab; nil for another recurrence.
    init?(of recurrence: RecurrenceTrigger, zone: SimulatedZone) {
        guard case .cron(let text)? = recurrence.text else { return nil }
        let fields = text.split(separator: " ")
        func numbers(_ field: Substring, _ count: Int) -> [Int] {
            field == "*" ? Array(0..<count) : field.split(separator: ",").compactMap { Int($0) }
        }
        minutes = numbers(fields[0], 60)
        hours = numbers(fields[1], 24)
        weekdays = numbers(fields[4], 7)
        excluded = recurrence.excludedDates.compactMap {
            guard case .local(let second) = $0 else { return nil }
            return Int64(second)
        }
        limits = recurrence.limits
        self.zone = zone
    }

    func next(after: Int64) -> Int64? {
        let end = limits.endAt.map(\.wholeSeconds) ?? .max
        let start = max(after, limits.startAt.map { $0.wholeSeconds - 1 } ?? .min)
        let today = (start + zone.offset(at: start)).floored(by: .secondsPerDay)
        // Days to skip are a few weeks at most.
        for number in -2...60 {
            let days = [number, number + 1].map { today + Int64($0) * .secondsPerDay }
            let found = days.flatMap(instants(of:))
                .filter { $0 > start && !zone.skips($0, limits) }
            if let first = found.min() { return first <= end ? first : nil }
        }
        return nil
    }

    private func instants(of day: Int64) -> [Int64] {
        // 1970-01-01 was a Thursday.
        let weekday = Int((day / .secondsPerDay + 4) % 7)
        guard weekdays.contains(weekday), zone.hasDay(from: day) else { return [] }
        return hours.flatMap { hour in
            minutes.flatMap { minute -> [Int64] in
                let local = day + Int64(hour * 60 + minute) * 60
                guard !excluded.contains(local) else { return [] }
                let passes = zone.instants(of: local)
                // Each hour is none that is named: it fires as the clock shows it.
                if hours.count == 24 { return passes }
                return (passes.first ?? zone.gap(around: local)).map { [$0] } ?? []
            }
        }
    }
}
