/// Fires when the clock of a time zone shows a matching date, once or repeatedly (§7.3).
///
/// The trigger holds no rules of a time zone: each caller passes the rules of
/// ``CalendarComponents/timeZone``, or the rules of the device's zone where that is empty (CAL-1,
/// CAL-2).
package struct CalendarTrigger: Hashable, Sendable {
    /// The parts of the date that have to match.
    package let dateComponents: CalendarComponents
    /// The days of the week that match; empty leaves that to ``dateComponents``.
    package let weekdays: WeekdaySet
    package let repeats: Bool
    /// The treatment of day 29, 30 or 31 in a month that has no such day.
    package let shortMonthPolicy: ShortMonthPolicy
    /// The bounds of the trigger's instants (CAL-11).
    package private(set) var limits: RecurrenceLimits

    /// Checks the parts of the date.
    ///
    /// Components in range may still match no date, for example February 30 or a past year: then
    /// ``nextFire(after:in:)`` gives nil, and the trigger must not be accepted (CAL-9). Whether the
    /// zone exists is not checked.
    ///
    /// - Throws: A refusal that names the first part out of its range, a nanosecond without a
    ///   second (CAL-13), or a weekday beside weekdays; ``Refusal/noDate(_:)`` if no part is set.
    package init(
        dateComponents: CalendarComponents,
        weekdays: WeekdaySet = [],
        repeats: Bool,
        shortMonthPolicy: ShortMonthPolicy = .nextDaySameTime,
        limits: RecurrenceLimits = RecurrenceLimits()
    ) throws(Refusal) {
        if let refusal = dateComponents.outOfRange { throw refusal }
        if weekdays.isEmpty {
            if let refusal = dateComponents.loneNanosecond { throw refusal }
            guard !dateComponents.isEmpty else { throw .noDate([.calendar, .dateComponents]) }
        } else if dateComponents.weekday != nil {
            throw .invalid(
                [.calendar, .weekdays],
                "must be empty where the components have a weekday",
                reason: .dateComponentsInvalid
            )
        }
        self.dateComponents = dateComponents
        self.weekdays = weekdays
        self.repeats = repeats
        self.shortMonthPolicy = shortMonthPolicy
        self.limits = limits
    }

    package var unlimited: CalendarTrigger {
        var trigger = self
        trigger.limits = RecurrenceLimits()
        return trigger
    }

    /// The trigger's instants in a zone, within its bounds; nil where no day can match.
    private func rule(
        in zone: ZoneRules,
        lastFired: WallInstant? = nil
    ) -> LimitedRule<CalendarSearch>? {
        CalendarSearch(self, zone: zone, lastFired: lastFired).map {
            LimitedRule(rule: $0, limits: limits, zone: zone)
        }
    }

    /// Gives the first instant that matches after `now`, at most 60 years ahead of `now` and of
    /// the bounds' start.
    ///
    /// For a repeating trigger, `now` is the instant at which it was due, not the instant of the
    /// delivery, so that a delay neither skips nor doubles an occurrence (CAL-8). A trigger that
    /// does not repeat is asked once.
    ///
    /// - Parameters:
    ///   - now: The result lies strictly after this instant.
    ///   - zone: The rules of the components' zone, or of the device's zone.
    /// - Returns: The instant, or nil where no date is left: an impossible date, a past date
    ///   (CAL-9), a day that the zone skipped (CAL-6), a year that is over (CAL-10).
    /// - Complexity: O(1) for each month before the result that cannot match, and for each day of a
    ///   month that can: under a microsecond where the result is within a year, and at worst a
    ///   fifth of a millisecond, for weeks that never come. No allocation.
    package func nextFire(after now: WallInstant, in zone: ZoneRules) -> WallInstant? {
        rule(in: zone)?.nextRun(after: now)?.first
    }

    /// Gives the dates from `due` to `now`, which one late firing represents (D-8).
    ///
    /// Their number is exact and has no cap, however long the server was down.
    ///
    /// - Parameters:
    ///   - due: The instant at which the trigger was due.
    ///   - now: The instant at which the trigger fires.
    ///   - zone: The rules of the components' zone, or of the device's zone.
    ///   - limit: How many occurrences are left, at least 1.
    /// - Returns: The occurrences; `due` alone if the trigger does not repeat.
    /// - Complexity: One search for each day with occurrences, however many it has. No allocation.
    package func passed(
        from due: WallInstant,
        to now: WallInstant,
        in zone: ZoneRules,
        atMost limit: Int64 = .max
    ) -> PassedOccurrences<WallInstant> {
        guard repeats, now > due, let rule = rule(in: zone) else {
            return PassedOccurrences(latest: due, earlierCount: 0)
        }
        return rule.passed(from: due, to: now, atMost: limit)
    }

    /// Gives when the trigger fires next after its zone's rules or the wall clock changed (CAL-8,
    /// CAL-12).
    ///
    /// - Parameters:
    ///   - now: The instant of the change; every occurrence due by then has fired.
    ///   - lastScheduled: When the last occurrence that fired was due; nil where none fired, or
    ///     where the clock was wrong at that time.
    ///   - skipped: Up to when occurrences were skipped; nil where none was.
    ///   - addedAt: When the trigger was accepted.
    ///   - zone: The rules from now on.
    /// - Returns: The instant, which may be past: the trigger is then late; nil where no date is
    ///   left.
    /// - Complexity: That of ``nextFire(after:in:)``.
    package func nextFire(
        afterChangeAt now: WallInstant,
        lastScheduled: WallInstant?,
        skipped: WallInstant? = nil,
        addedAt: WallInstant,
        in zone: ZoneRules
    ) -> WallInstant? {
        guard isOneDay else {
            // Count a skipped occurrence as one that fired.
            let last = [lastScheduled, skipped].compactMap(\.self).max()
            return rule(in: zone, lastFired: last)?.nextRun(after: max(now, last ?? now))?.first
        }
        // The trigger means one local time: where that time has passed, the trigger is late, not
        // lost. In another zone that time may even lie before the trigger was accepted.
        let first = min(now, addedAt)
        let earlier = first.advanced(byNanoseconds: -Limits.zoneDifferenceNanoseconds)
        return nextFire(after: first, in: zone) ?? nextFire(after: earlier, in: zone)
    }

    /// Whether the trigger fires once, on a day that its parts name in full.
    private var isOneDay: Bool {
        !repeats && dateComponents.year != nil && dateComponents.month != nil
            && dateComponents.day != nil
    }
}
