/// Searches for the instants of a calendar trigger in a zone (§7.3.3).
struct CalendarSearch: OccurrenceRule {
    private let zone: ZoneRules
    private let days: DayPattern
    private let times: TimePattern
    private let nanosecond: Int
    /// When the last occurrence that fired was due.
    private let lastFired: WallInstant?

    /// The local times of a day at which the trigger fires.
    private enum TimePattern {
        /// One time, in seconds after midnight.
        case once(Int)
        /// Each second since 1970 whose remainder by `step` is `phase`; `step` divides a day.
        case every(step: Int, phase: Int)
    }

    /// Makes a search, or nil where no day of the Gregorian calendar's common era can match.
    init?(_ trigger: CalendarTrigger, zone: ZoneRules, lastFired: WallInstant? = nil) {
        let components = trigger.dateComponents
        guard components.era != 0, components.isLeapMonth != true else { return nil }
        self.zone = zone
        self.lastFired = lastFired
        days = DayPattern(trigger)
        nanosecond = components.nanosecond ?? 0
        let second = components.second ?? 0
        if let hour = components.hour {
            times = .once((hour * 60 + (components.minute ?? 0)) * 60 + second)
        } else if let minute = components.minute {
            times = .every(step: 3_600, phase: minute * 60 + second)
        } else if components.second != nil {
            times = .every(step: 60, phase: second)
        } else {
            // The parts must choose days: a part that every day matches, such as an era, is no
            // date.
            guard days.isRestricted else { return nil }
            times = .once(0)
        }
    }

    /// Gives the first occurrence after `now`, and the occurrences that follow it on the same day
    /// at equal distances.
    func nextRun(after now: WallInstant) -> OccurrenceRun? {
        let localSeconds = now.seconds + zone.offsetSeconds(at: now)
        let today = CivilDate(localSeconds: localSeconds)
        let last = CivilDate(existing: today.year + Self.yearsAhead, today.month, today.day)
        switch times {
        case .once(let secondOfDay):
            return nextDaily(secondOfDay, after: now, from: today.advanced(byDays: -1), to: last)
        case .every(let step, let phase):
            return nextWithinDay(step: step, phase: phase, after: now, to: last)
        }
    }

    /// How far ahead the search looks, in years: February 29 on a given weekday can take 40.
    private static let yearsAhead = 60

    private func nextDaily(
        _ secondOfDay: Int,
        after now: WallInstant,
        from first: CivilDate,
        to last: CivilDate
    ) -> OccurrenceRun? {
        // The search starts on the day before, which can come again when a clock is set back.
        var date = first
        while let hit = days.first(notBefore: date, notAfter: last) {
            if let instant = instant(hit, secondOfDay, after: now) {
                return OccurrenceRun(first: instant)
            }
            date = CivilDate(daysSince1970: hit.daysSince1970 + 1)
        }
        return nil
    }

    /// Gives the instant of a local time if it lies after `now`.
    private func instant(
        _ hit: DayPattern.Hit,
        _ secondOfDay: Int,
        after now: WallInstant
    ) -> WallInstant? {
        let midnight = hit.daysSince1970 * .secondsPerDay
        let nanosecond = hit.isAtMidnight ? 0 : nanosecond
        let local = midnight + (hit.isAtMidnight ? 0 : secondOfDay)
        let found: WallInstant?
        switch zone.meaning(ofLocalSeconds: local) {
        case .once(let instant):
            found = WallInstant(seconds: instant, nanosecond: nanosecond)
        case .twice(let first, let second):
            let early = WallInstant(seconds: first, nanosecond: nanosecond)
            // Of a time that comes twice, the second counts only where the first has passed without
            // a firing: a daily trigger fires once on that day.
            if let early, early < now, lastFired.map({ $0 < early }) ?? true {
                found = WallInstant(seconds: second, nanosecond: nanosecond)
            } else {
                found = early
            }
        case .never(let change, let skipped):
            let isDaySkipped =
                skipped.lowerBound <= midnight && midnight + .secondsPerDay <= skipped.upperBound
            found = isDaySkipped ? nil : WallInstant(seconds: change, nanosecond: 0)
        }
        guard let found, found > now else { return nil }
        return found
    }

    /// Searches one span of equal offset after another, so that occurrences come in the order of
    /// instants: a local time that comes twice fires twice, a skipped local time never.
    private func nextWithinDay(
        step: Int,
        phase: Int,
        after now: WallInstant,
        to last: CivilDate
    ) -> OccurrenceRun? {
        var start = now.seconds + (now.nanosecond < nanosecond ? 0 : 1)
        var span = zone.span(at: start)
        var local = start + span.offset
        while true {
            // Where the clock is set back soon, a day that is over can come again.
            let mayGoBack = span.end <= start + Self.greatestSetBack
            let date = CivilDate(localSeconds: local)
            let hit = days.first(notBefore: date, notAfter: last)
            guard hit != nil || mayGoBack else { return nil }
            let midnight = (hit?.daysSince1970).map { $0 * .secondsPerDay } ?? .max
            if let hit, hit.isAtMidnight {
                if let instant = instant(hit, 0, after: now) {
                    return OccurrenceRun(first: instant)
                }
                local = midnight + .secondsPerDay
                continue
            }
            let spanEnd = span.end == .max ? .max : span.end + span.offset
            if midnight < spanEnd {
                let dayEnd = midnight + .secondsPerDay
                let end = min(dayEnd, spanEnd)
                let earliest = max(local, midnight)
                let next = earliest + (phase - earliest).flooredRemainder(by: step)
                if next < end {
                    let count = (end - next + step - 1) / step
                    return run(from: next - span.offset, count: count, step: step)
                }
                if dayEnd < spanEnd {
                    local = dayEnd
                    continue
                }
            }
            start = mayGoBack ? span.end : max(span.end, midnight - ZoneRules.greatestOffset)
            span = zone.span(at: start)
            local = start + span.offset
        }
    }

    /// The seconds that a clock can be set back at most.
    private static let greatestSetBack = ZoneRules.greatestOffset - ZoneRules.leastOffset

    private func run(from second: Int, count: Int, step: Int) -> OccurrenceRun? {
        guard let first = WallInstant(seconds: second, nanosecond: nanosecond) else { return nil }
        return OccurrenceRun(
            first: first,
            count: Int64(count),
            step: Int64(step) * .nanosecondsPerSecond
        )
    }
}
