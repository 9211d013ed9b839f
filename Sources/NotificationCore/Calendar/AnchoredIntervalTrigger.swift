/// Fires on a grid of instants: the anchor, and every whole number of steps after it (CAL-11).
///
/// Each instant is counted from the anchor, so that the grid does not drift: one month after
/// January 31 is a day of February or March by the policy, and two months after it is March 31. The
/// dates are those of the wall clock.
package struct AnchoredIntervalTrigger: Hashable, Sendable {
    /// A step from one instant of the grid to the next.
    package enum Step: Hashable, Sendable {
        /// A fixed time, in nanoseconds.
        case interval(Int64)
        /// Units of the calendar, at the anchor's local time.
        case calendar(count: Int, CalendarUnit)
    }

    /// The first instant of the grid; it may lie in the past.
    package let anchor: WallInstant
    /// The step from one instant of the grid to the next.
    package let step: Step
    /// The zone by its name in the zone database, in which a calendar step and the days to skip
    /// count; empty follows the device's zone.
    package let timeZone: String
    /// The treatment of a month without the anchor's day, for a step of months or years.
    package let shortMonthPolicy: ShortMonthPolicy
    package let repeats: Bool
    /// The bounds of the trigger's instants.
    package private(set) var limits: RecurrenceLimits
    /// The local time of the anchor when the request was accepted, in seconds.
    ///
    /// A later change of the zone keeps the local time. Nil before that, and for a fixed time.
    package private(set) var localAnchor: Int?

    /// Makes a trigger; whether the zone exists is not checked.
    ///
    /// - Parameters:
    ///   - anchor: The first instant of the grid.
    ///   - step: The distance between two instants.
    ///   - timeZone: The zone's name; empty is the device's zone.
    ///   - shortMonthPolicy: What a month without the anchor's day means.
    ///   - repeats: Whether the trigger fires repeatedly.
    ///   - limits: The bounds of the instants.
    ///   - localAnchor: The local time of the anchor, of a request that was accepted.
    /// - Throws: A refusal that names the field: an interval that is not 60 seconds to 100 years, a
    ///   count that is not 1-1,000, a policy without a use.
    package init(
        anchor: WallInstant,
        step: Step,
        timeZone: String = "",
        shortMonthPolicy: ShortMonthPolicy = .nextDaySameTime,
        repeats: Bool,
        limits: RecurrenceLimits = RecurrenceLimits(),
        localAnchor: Int? = nil
    ) throws(Refusal) {
        switch step {
        case .interval(let nanoseconds):
            guard nanoseconds >= Limits.repeatingIntervalNanoseconds,
                nanoseconds <= Limits.intervalNanoseconds
            else {
                throw .invalid(
                    [.anchoredInterval, .interval],
                    "must be 60 seconds to 100 years",
                    reason: .timeIntervalInvalid
                )
            }
        case .calendar(let count, _):
            guard (1...Limits.calendarStepCount).contains(count) else {
                throw .invalid(
                    [.anchoredInterval, .calendarStep, .count],
                    "must be 1 to \(Limits.calendarStepCount)",
                    reason: .dateComponentsInvalid
                )
            }
        }
        guard shortMonthPolicy == .nextDaySameTime || step.countsMonths else {
            throw .invalid(
                [.anchoredInterval, .shortMonthPolicy],
                "is only for steps of months or years",
                reason: .dateComponentsInvalid
            )
        }
        // An offset is less than two days.
        let earliest = Int(WallInstant(nanoseconds: .min).seconds) - 2 * .secondsPerDay
        let latest = Int(WallInstant(nanoseconds: .max).seconds) + 2 * .secondsPerDay
        if let localAnchor, !(earliest...latest).contains(localAnchor) {
            throw .invalid([.anchoredInterval, .anchor], "has no such local time")
        }
        self.anchor = anchor
        self.step = step
        self.timeZone = timeZone
        self.shortMonthPolicy = shortMonthPolicy
        self.repeats = repeats
        self.limits = limits
        self.localAnchor = localAnchor
    }

    package var unlimited: AnchoredIntervalTrigger {
        var trigger = self
        trigger.limits = RecurrenceLimits()
        return trigger
    }

    /// Gives the trigger of a request that is accepted, with the local time of its anchor.
    package func accepted(in zone: ZoneRules) -> AnchoredIntervalTrigger {
        guard case .calendar = step, localAnchor == nil else { return self }
        var accepted = self
        accepted.localAnchor = anchor.seconds + zone.offsetSeconds(at: anchor)
        return accepted
    }

    /// Gives the first instant of the grid after `now`; nil where none is left.
    ///
    /// The result lies strictly after `now`.
    ///
    /// - Complexity: O(1): the number of steps is found by division.
    package func nextFire(after now: WallInstant, in zone: ZoneRules) -> WallInstant? {
        rule(in: zone).nextRun(after: now)?.first
    }

    /// Gives the instants of the grid from `due` to `now`, which one late firing represents (D-8).
    ///
    /// `due` is the instant at which the trigger was due. `now` is the instant at which the trigger
    /// fires. `limit` is how many occurrences are left, at least 1.
    ///
    /// - Returns: The occurrences; `due` alone if the trigger does not repeat.
    /// - Complexity: O(1) for a fixed time and no days to skip, else a search for each occurrence.
    package func passed(
        from due: WallInstant,
        to now: WallInstant,
        in zone: ZoneRules,
        atMost limit: Int64 = .max
    ) -> PassedOccurrences<WallInstant> {
        guard repeats else { return PassedOccurrences(latest: due, earlierCount: 0) }
        return rule(in: zone).passed(from: due, to: now, atMost: limit)
    }

    private func rule(in zone: ZoneRules) -> LimitedRule<AnchoredGrid> {
        LimitedRule(rule: AnchoredGrid(trigger: self, zone: zone), limits: limits, zone: zone)
    }
}

/// A unit of a calendar step; the numbers are stored, and are the wire's.
package enum CalendarUnit: UInt8, Hashable, Sendable, CaseIterable {
    case day = 1
    /// Seven days.
    case week = 2
    case month = 3
    case year = 4
}

extension AnchoredIntervalTrigger.Step {
    /// Whether the step is a number of months: a year is twelve.
    fileprivate var countsMonths: Bool {
        switch self {
        case .interval, .calendar(_, .day), .calendar(_, .week): false
        case .calendar(_, .month), .calendar(_, .year): true
        }
    }
}

/// The instants of an anchored interval, without its bounds.
struct AnchoredGrid: OccurrenceRule {
    let trigger: AnchoredIntervalTrigger
    let zone: ZoneRules

    func nextRun(after now: WallInstant) -> OccurrenceRun? {
        switch trigger.step {
        case .interval(let nanoseconds): run(after: now, UInt64(nanoseconds))
        case .calendar(let count, .day): date(after: now, days: count)
        case .calendar(let count, .week): date(after: now, days: 7 * count)
        case .calendar(let count, .month): date(after: now, months: count)
        case .calendar(let count, .year): date(after: now, months: 12 * count)
        }
    }

    /// The rest of the grid of a fixed time.
    private func run(after now: WallInstant, _ step: UInt64) -> OccurrenceRun? {
        let anchor = trigger.anchor
        let last = WallInstant(nanoseconds: .max).nanosecondsAhead(of: anchor) / step
        let next = now < anchor ? 0 : now.nanosecondsAhead(of: anchor) / step + 1
        guard next <= last else { return nil }
        return OccurrenceRun(
            first: WallInstant(
                nanoseconds: anchor.nanoseconds &+ Int64(bitPattern: next &* step)
            ),
            // A step is at least a minute, so the count is small.
            count: Int64(last - next) + 1,
            step: Int64(step)
        )
    }

    // MARK: Steps of the calendar

    private var localAnchor: Int {
        trigger.localAnchor ?? trigger.anchor.seconds + zone.offsetSeconds(at: trigger.anchor)
    }

    /// The first local day after the last that an instant can show, in days since 1970.
    private static let endOfTime =
        WallInstant(nanoseconds: .max).seconds.flooredDivision(by: .secondsPerDay) + 3

    private func date(after now: WallInstant, days step: Int) -> OccurrenceRun? {
        let first = localAnchor.flooredDivision(by: .secondsPerDay)
        let today = localDay(at: now)
        // The day before can come again, where a clock is set back.
        var index = max(0, (today - first).flooredDivision(by: step) - 1)
        while first + index * step < Self.endOfTime {
            let hit = DayPattern.Hit(daysSince1970: first + index * step)
            if let found = instant(hit, index), found > now { return OccurrenceRun(first: found) }
            index += 1
        }
        return nil
    }

    private func date(after now: WallInstant, months step: Int) -> OccurrenceRun? {
        let first = CivilDate(localSeconds: localAnchor)
        let today = CivilDate(daysSince1970: localDay(at: now))
        let months = (today.year - first.year) * 12 + today.month - first.month
        var index = max(0, months.flooredDivision(by: step) - 1)
        while true {
            let month = first.year * 12 + first.month - 1 + index * step
            let (year, number) = (month.flooredDivision(by: 12), month.flooredRemainder(by: 12) + 1)
            let start = CivilDate(existing: year, number, 1).daysSince1970
            guard start < Self.endOfTime else { return nil }
            if let hit = hit(first.day, inMonth: number, year: year, from: start),
                let found = instant(hit, index), found > now
            {
                return OccurrenceRun(first: found)
            }
            index += 1
        }
    }

    private func localDay(at instant: WallInstant) -> Int {
        (instant.seconds + zone.offsetSeconds(at: instant)).flooredDivision(by: .secondsPerDay)
    }

    /// The day that the anchor's day means in a month (D-6); nil for none.
    private func hit(
        _ day: Int,
        inMonth month: Int,
        year: Int,
        from start: Int
    ) -> DayPattern.Hit? {
        let length = CivilDate.lengthOfMonth(month, year: year)
        guard day > length else { return .init(daysSince1970: start + day - 1) }
        return switch trigger.shortMonthPolicy {
        case .nextDaySameTime: .init(daysSince1970: start + length)
        case .nextDayMidnight: .init(daysSince1970: start + length, isAtMidnight: true)
        case .skip: nil
        case .lastDay: .init(daysSince1970: start + length - 1)
        }
    }

    /// The instant of the anchor's local time on a day; nil for a day that the zone skipped.
    private func instant(_ hit: DayPattern.Hit, _ index: Int) -> WallInstant? {
        let anchor = localAnchor
        // The anchor may be the second pass of a time that comes twice.
        if index == 0, trigger.anchor.seconds + zone.offsetSeconds(at: trigger.anchor) == anchor {
            return trigger.anchor
        }
        let midnight = hit.daysSince1970 * .secondsPerDay
        let secondOfDay = hit.isAtMidnight ? 0 : anchor.flooredRemainder(by: .secondsPerDay)
        switch zone.meaning(ofLocalSeconds: midnight + secondOfDay) {
        case .once(let second), .twice(let second, _):
            return WallInstant(
                seconds: second,
                nanosecond: hit.isAtMidnight ? 0 : trigger.anchor.nanosecond
            )
        case .never(let change, let skipped):
            let isDaySkipped =
                skipped.lowerBound <= midnight && midnight + .secondsPerDay <= skipped.upperBound
            return isDaySkipped ? nil : WallInstant(seconds: change, nanosecond: 0)
        }
    }
}
