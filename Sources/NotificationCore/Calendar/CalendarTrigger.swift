/// Fires when the clock of a time zone shows a date that matches, once or again and again
/// (semantics.md 7.3).
///
/// It is a value without a time zone's rules: who asks brings those of
/// ``DateComponents/timeZone``, or of the device where that is empty (semantics.md CAL-1, CAL-2).
public struct CalendarTrigger: Hashable, Sendable {
    /// What to match.
    public let dateComponents: DateComponents
    /// Whether it fires again.
    public let repeats: Bool
    /// What day 29, 30 or 31 means in a month that has no such day.
    public let shortMonthPolicy: ShortMonthPolicy

    /// Makes a trigger.
    ///
    /// Components in range may still match no date, such as February 30 or a year that is past:
    /// then ``nextFire(after:in:)`` gives nil, and the trigger must not be accepted (semantics.md
    /// CAL-9). Whether the zone exists is not checked.
    ///
    /// - Throws: A refusal that names the first part out of its range, such as
    ///   `calendar.date_components.hour`; ``Refusal/noDate(_:)`` if no part is set.
    public init(
        dateComponents: DateComponents,
        repeats: Bool,
        shortMonthPolicy: ShortMonthPolicy = .nextDaySameTime
    ) throws(Refusal) {
        if let refusal = dateComponents.outOfRange { throw refusal }
        guard !dateComponents.isEmpty else { throw .noDate("calendar.date_components") }
        self.dateComponents = dateComponents
        self.repeats = repeats
        self.shortMonthPolicy = shortMonthPolicy
    }

    /// Gives the first instant that matches after `now`, at most 60 years ahead.
    ///
    /// A repeating trigger goes on from the instant it was due at, not from the delivery, so that
    /// a delay neither skips nor doubles an occurrence (semantics.md CAL-8). One that does not
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

    /// Gives how many matching instants lie after `due` and not after `now`.
    ///
    /// They are the occurrences that one late firing stands for (semantics.md D-8). The number is
    /// exact however long the server was down, so it has no cap.
    ///
    /// - Parameters:
    ///   - due: The instant at which it was due.
    ///   - now: The instant at which it fires.
    ///   - zone: The rules of the components' zone, or of the device's.
    /// - Returns: The number; 0 if it does not repeat.
    /// - Complexity: One search for each day with occurrences, however many it has. No allocation.
    public func collapsedCount(due: WallInstant, now: WallInstant, in zone: ZoneRules) -> Int64 {
        guard repeats, now > due, let search = CalendarSearch(self, zone: zone) else { return 0 }
        var count: Int64 = 0
        var last = due
        while let run = search.nextRun(after: last), run.first <= now {
            let passed = run.prefix(notAfter: now)
            count += passed.count
            last = passed.last
        }
        return count
    }
}
