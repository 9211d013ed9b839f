/// Occurrences of a trigger at equal distances.
struct OccurrenceRun {
    var first: WallInstant
    /// How many occurrences there are, at least 1.
    var count: Int64 = 1
    /// The distance between two occurrences, in nanoseconds.
    var step: Int64 = 0

    var last: WallInstant {
        // The sum is an instant, though the distance may be more than an `Int64` holds.
        WallInstant(nanoseconds: first.nanoseconds &+ (count - 1) &* step)
    }

    /// Gives the occurrences up to `instant`, which is the first occurrence or later.
    func prefix(notAfter instant: WallInstant) -> OccurrenceRun {
        guard count > 1 else { return self }
        let steps = instant.nanosecondsAhead(of: first) / UInt64(step)
        return prefix(steps < UInt64(count) ? Int64(steps) + 1 : count)
    }

    /// Gives the first occurrences, at most so many, which is at least 1.
    func prefix(_ limit: Int64) -> OccurrenceRun {
        OccurrenceRun(first: first, count: min(count, limit), step: step)
    }
}

extension WallInstant {
    /// The nanoseconds from `earlier`, which is not later, to this instant: up to 584 years.
    func nanosecondsAhead(of earlier: WallInstant) -> UInt64 {
        UInt64(bitPattern: nanoseconds &- earlier.nanoseconds)
    }

    /// The whole seconds since 1970, rounded down.
    var seconds: Int { Int(nanoseconds).flooredDivision(by: .nanosecondsPerSecond) }

    /// The nanoseconds after ``seconds``.
    var nanosecond: Int { Int(nanoseconds).flooredRemainder(by: .nanosecondsPerSecond) }

    /// Makes an instant, or nil where it lies outside of the range of instants.
    init?(seconds: Int, nanosecond: Int) {
        let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(
            by: .nanosecondsPerSecond
        )
        let (sum, carry) = whole.addingReportingOverflow(Int64(nanosecond))
        guard !overflow, !carry else { return nil }
        self.init(nanoseconds: sum)
    }
}

extension CivilDate {
    /// Makes the date that a clock shows.
    init(localSeconds: Int) {
        self.init(daysSince1970: localSeconds.flooredDivision(by: .secondsPerDay))
    }
}

/// A rule that gives instants in order.
protocol OccurrenceRule {
    /// Gives the first occurrence after `now`, and occurrences that follow it at equal distances;
    /// nil where none is left.
    func nextRun(after now: WallInstant) -> OccurrenceRun?
}

/// A rule within its bounds (CAL-11).
struct LimitedRule<Rule: OccurrenceRule> {
    let rule: Rule
    let limits: RecurrenceLimits
    let zone: ZoneRules

    /// Gives the first occurrence after `now` within the bounds, and occurrences that follow it.
    ///
    /// - Complexity: One search for each skipped day on the way, of which there are at most 366.
    func nextRun(after now: WallInstant) -> OccurrenceRun? {
        guard !limits.isEmpty else { return rule.nextRun(after: now) }
        var now = now
        if let start = limits.startAt, start > now {
            now = start.advanced(byNanoseconds: -1)
        }
        while let run = rule.nextRun(after: now) {
            if let end = limits.endAt, run.first > end { return nil }
            guard let bound = bound(of: run) else {
                now = max(run.first, min(run.last, endOfDay(of: run.first)))
                continue
            }
            return run.prefix(notAfter: bound)
        }
        return nil
    }

    /// Until when the occurrences of a run count; nil where the first is on a day to skip.
    private func bound(of run: OccurrenceRun) -> WallInstant? {
        let end = limits.endAt ?? run.last
        guard !limits.skippedDays.isEmpty else { return end }
        let span = zone.span(at: run.first.seconds)
        let day = (run.first.seconds + span.offset).flooredDivision(by: .secondsPerDay)
        guard !limits.skips(daysSince1970: day) else { return nil }
        guard run.count > 1 else { return end }
        // While the offset stays, local days follow one another.
        var last = span.end
        if let next = limits.nextSkipped(after: day) {
            last = min(last, next * .secondsPerDay - span.offset)
        }
        guard last != .max, let beyond = WallInstant(seconds: last, nanosecond: 0) else {
            return end
        }
        return min(end, beyond.advanced(byNanoseconds: -1))
    }

    /// The last instant before the local day after an instant's own, by the offset of the instant.
    private func endOfDay(of instant: WallInstant) -> WallInstant {
        let span = zone.span(at: instant.seconds)
        let day = (instant.seconds + span.offset).flooredDivision(by: .secondsPerDay)
        let end = min(span.end, (day + 1) * .secondsPerDay - span.offset)
        return WallInstant(seconds: end, nanosecond: 0)?.advanced(byNanoseconds: -1)
            ?? WallInstant(nanoseconds: .max)
    }

    /// Gives the occurrences within the limits from `due` to `now`, which one late firing
    /// represents (D-8).
    ///
    /// Their number is exact where the searches suffice; the latest one is so in any case (REC-7).
    ///
    /// - Parameters:
    ///   - due: The instant at which the trigger was due.
    ///   - now: The instant at which the trigger fires.
    ///   - limit: How many occurrences are left, at least 1.
    ///   - searchLimit: How many searches count occurrences.
    /// - Returns: The occurrences.
    /// - Complexity: One search for each run.
    func passed(
        from due: WallInstant,
        to now: WallInstant,
        atMost limit: Int64,
        searchLimit: Int64 = .max
    ) -> PassedOccurrences<WallInstant> {
        var all = PassedOccurrences(latest: due, earlierCount: 0)
        guard now > due else { return all }
        var searches = searchLimit
        while all.earlierCount < limit - 1, let run = nextRun(after: all.latest), run.first <= now {
            let passed = run.prefix(notAfter: now).prefix(limit - 1 - all.earlierCount)
            all.earlierCount += passed.count
            all.latest = passed.last
            searches -= 1
            guard searches > 0 else {
                all.latest = latest(to: now) ?? all.latest
                break
            }
        }
        return all
    }

    /// The last occurrence not after `now` of a rule that has had many.
    private func latest(to now: WallInstant) -> WallInstant? {
        for seconds: Int64 in [60, 3_600, 86_400, 366 * 86_400] {
            let before = now.advanced(byNanoseconds: -seconds * .nanosecondsPerSecond)
            var latest: WallInstant?
            while let run = nextRun(after: latest ?? before), run.first <= now {
                latest = run.prefix(notAfter: now).last
            }
            if let latest { return latest }
        }
        return nil
    }
}
