/// The dates at which a pending request will fire within a window of time (§27).
///
/// They are the dates of the present rules: a change of a zone or of a clock moves them.
package struct UpcomingDates: Hashable, Sendable {
    /// The dates, ascending; the first may have passed where the request is late.
    package private(set) var dates: [WallInstant] = []
    package private(set) var hasMore = false

    /// Searches the dates of a trigger.
    ///
    /// - Parameters:
    ///   - trigger: The trigger.
    ///   - due: When it fires next.
    ///   - base: The instant at which the request was accepted.
    ///   - occurrenceCount: How many occurrences there were before `due`.
    ///   - end: The end of the window, which is part of it.
    ///   - limit: How many dates are given at most.
    ///   - now: The present moment.
    ///   - zone: The rules of ``Trigger/timeZone``.
    /// - Complexity: That of ``Trigger/nextFire(base:following:in:)`` for each date.
    package init(
        of trigger: Trigger,
        from due: Due,
        base: ElapsedInstant,
        after occurrenceCount: Int64 = 0,
        until end: WallInstant,
        atMost limit: Int,
        now: Now,
        in zone: ZoneRules
    ) {
        var left = trigger.repeats ? trigger.maxOccurrences.map { $0 - occurrenceCount } : 1
        var next: Due? = due
        while let due = next, left ?? 1 > 0 {
            let date = due.date(asOf: now)
            guard date <= end else { return }
            guard dates.count < limit else {
                hasMore = true
                return
            }
            dates.append(date)
            left = left.map { $0 - 1 }
            next =
                left == 0 ? nil : trigger.nextFire(base: base, following: due, in: zone)
        }
    }
}
