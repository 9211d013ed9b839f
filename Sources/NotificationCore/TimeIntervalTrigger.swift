/// Fires after an interval of elapsed time, once or repeatedly (§7.2).
///
/// Time zones, daylight saving and setting the clock do not move its firings.
package struct TimeIntervalTrigger: Hashable, Sendable {
    /// The time from `add` to the first firing, and from each firing to the next, in nanoseconds.
    package let intervalNanoseconds: Int64
    package let repeats: Bool
    /// How many occurrences there are (CAL-11); nil is no limit.
    ///
    /// Elapsed time has no dates, so the other bounds of a recurrence do not apply.
    package let maxOccurrences: Int64?

    /// Checks the interval and the count.
    ///
    /// - Throws: A refusal that names the interval (TI-1): not greater
    ///   than 0, less than 60 s when repeating, or more than 100 years; or the count (CAL-11).
    package init(
        intervalNanoseconds: Int64,
        repeats: Bool,
        maxOccurrences: Int64? = nil
    ) throws(Refusal) {
        guard intervalNanoseconds > 0 else {
            throw .timeIntervalInvalid("time interval must be greater than 0")
        }
        guard intervalNanoseconds <= Limits.intervalNanoseconds else {
            throw .timeIntervalInvalid("time interval must be at most 100 years")
        }
        guard !repeats || intervalNanoseconds >= Limits.repeatingIntervalNanoseconds else {
            throw .timeIntervalInvalid("time interval must be at least 60 seconds if repeating")
        }
        if let maxOccurrences, maxOccurrences < 1 || !repeats {
            let problem = "must be at least 1, of a trigger that repeats"
            throw .limitsInvalid([.limits, .maxOccurrences], problem)
        }
        self.intervalNanoseconds = intervalNanoseconds
        self.repeats = repeats
        self.maxOccurrences = maxOccurrences
    }

    /// Gives the first instant of the grid `base + k * interval`, k = 1, 2, ..., after `now`.
    ///
    /// The grid is counted from the base, so firings never drift (TI-2).
    ///
    /// - Parameters:
    ///   - base: The instant at which the request was accepted.
    ///   - now: The result lies strictly after this instant.
    /// - Returns: The instant, or nil where a trigger that does not repeat has fired.
    /// - Complexity: O(1), no allocation.
    package func nextFire(base: ElapsedInstant, after now: ElapsedInstant) -> ElapsedInstant? {
        let first = base.advanced(byNanoseconds: intervalNanoseconds)
        guard first <= now else { return first }
        guard repeats else { return nil }
        let passed = now.nanoseconds(since: base) / intervalNanoseconds
        return base.advanced(byNanoseconds: (passed + 1) * intervalNanoseconds)
    }

    /// Gives the instants of the grid from `due` to `now`, at most `limit`, which one late firing
    /// represents (D-8).
    package func passed(
        from due: ElapsedInstant,
        to now: ElapsedInstant,
        atMost limit: Int64 = .max
    ) -> PassedOccurrences<ElapsedInstant> {
        guard repeats, now > due else { return PassedOccurrences(latest: due, earlierCount: 0) }
        let count = min(now.nanoseconds(since: due) / intervalNanoseconds, limit - 1)
        return PassedOccurrences(
            latest: due.advanced(byNanoseconds: count * intervalNanoseconds),
            earlierCount: count
        )
    }
}

extension Refusal {
    fileprivate static func timeIntervalInvalid(_ problem: String) -> Refusal {
        invalid([.timeInterval, .interval], problem, reason: .timeIntervalInvalid)
    }
}
