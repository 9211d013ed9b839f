/// Fires when the clock of a time zone shows a date that matches, once or again and again
/// (§7.3).
///
/// It is a value without a time zone's rules: who asks brings those of
/// ``CalendarComponents/timeZone``, or of the device where that is empty (CAL-1, CAL-2).
public struct CalendarTrigger: Hashable, Sendable {
    /// What to match.
    public let dateComponents: CalendarComponents
    /// Whether it fires again.
    public let repeats: Bool
    /// What day 29, 30 or 31 means in a month that has no such day.
    public let shortMonthPolicy: ShortMonthPolicy

    /// Makes a trigger.
    ///
    /// Components in range may still match no date, such as February 30 or a year that is past:
    /// then ``nextFire(after:in:)`` gives nil, and the trigger must not be accepted (CAL-9).
    /// Whether the zone exists is not checked.
    ///
    /// - Throws: A refusal that names the first part out of its range, such as
    ///   `calendar.date_components.hour`, or a nanosecond that nothing stands beside (CAL-13);
    ///   ``Refusal/noDate(_:)`` if no part is set.
    public init(
        dateComponents: CalendarComponents,
        repeats: Bool,
        shortMonthPolicy: ShortMonthPolicy = .nextDaySameTime
    ) throws(Refusal) {
        if let refusal = dateComponents.outOfRange { throw refusal }
        if let refusal = dateComponents.loneNanosecond { throw refusal }
        guard !dateComponents.isEmpty else { throw .noDate("calendar.date_components") }
        self.dateComponents = dateComponents
        self.repeats = repeats
        self.shortMonthPolicy = shortMonthPolicy
    }

    /// Gives the first instant that matches after `now`, at most 60 years ahead.
    ///
    /// A repeating trigger goes on from the instant it was due at, not from the delivery, so that
    /// a delay neither skips nor doubles an occurrence (CAL-8). One that does not
    /// repeat is asked once.
    ///
    /// - Parameters:
    ///   - now: The instant that the result lies strictly after.
    ///   - zone: The rules of the components' zone, or of the device's.
    /// - Returns: The instant, or nil where none is left: an unsatisfiable date, a past one
    ///   (CAL-9), a day that the zone skipped (CAL-6), a year that is over (CAL-10).
    /// - Complexity: O(1) for each month up to it that cannot match, and for each day of one that
    ///   can: under a microsecond where it comes within a year, and at worst a fifth of a
    ///   millisecond, for weeks that never come. No allocation.
    public func nextFire(after now: WallInstant, in zone: ZoneRules) -> WallInstant? {
        CalendarSearch(self, zone: zone)?.nextRun(after: now)?.first
    }

    /// Gives the occurrences from `due` on and not after `now`, for all of which one late firing
    /// stands (D-8).
    ///
    /// Their number is exact however long the server was down, so it has no cap.
    ///
    /// - Parameters:
    ///   - due: The instant at which it was due.
    ///   - now: The instant at which it fires.
    ///   - zone: The rules of the components' zone, or of the device's.
    /// - Returns: The occurrences; `due` alone if it does not repeat.
    /// - Complexity: One search for each day with occurrences, however many it has. No allocation.
    public func passed(
        from due: WallInstant,
        to now: WallInstant,
        in zone: ZoneRules
    ) -> PassedOccurrences<WallInstant> {
        var all = PassedOccurrences(latest: due, earlierCount: 0)
        guard repeats, now > due, let search = CalendarSearch(self, zone: zone) else { return all }
        while let run = search.nextRun(after: all.latest), run.first <= now {
            let passed = run.prefix(notAfter: now)
            all.earlierCount += passed.count
            all.latest = passed.last
        }
        return all
    }

    /// Gives when it fires next now that its zone's rules, or the wall clock, are others than those
    /// that it was scheduled by (CAL-8, CAL-12).
    ///
    /// - Parameters:
    ///   - now: The instant of the change; what was due by then has fired.
    ///   - lastScheduled: When the last occurrence that fired was due; nil where none did, or where
    ///     the clock was wrong at that time.
    ///   - addedAt: When the trigger was accepted.
    ///   - zone: The rules from now on.
    /// - Returns: The instant, which is past where it is late; nil where none is left.
    /// - Complexity: That of ``nextFire(after:in:)``.
    public func nextFire(
        afterChangeAt now: WallInstant,
        lastScheduled: WallInstant?,
        addedAt: WallInstant,
        in zone: ZoneRules
    ) -> WallInstant? {
        guard isOneDay else {
            let search = CalendarSearch(self, zone: zone, lastFired: lastScheduled)
            return search?.nextRun(after: max(now, lastScheduled ?? now))?.first
        }
        // It means one local time: where that has passed it is late, not lost. In another zone it
        // may even lie before it was accepted.
        let first = min(now, addedAt)
        let earlier = first.advanced(byNanoseconds: -Limits.zoneDifferenceNanoseconds)
        return nextFire(after: first, in: zone) ?? nextFire(after: earlier, in: zone)
    }

    /// Whether it fires once, on a day that its parts name in full.
    private var isOneDay: Bool {
        !repeats && dateComponents.year != nil && dateComponents.month != nil
            && dateComponents.day != nil
    }
}
