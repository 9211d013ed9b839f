/// Occurrences of a trigger that follow one another, of which each is found without the others.
struct OccurrenceRun {
    var first: WallInstant
    /// How many occurrences there are, at least 1.
    var count: Int64 = 1
    /// The distance between two occurrences, in nanoseconds; without meaning where there are times.
    var step: Int64 = 0
    /// The local times of the occurrences of a recurrence, all at the offset of the first.
    var times: RecurrenceTimes.Run?
    /// The steps of the search: periods and days that were looked at, or as much other work.
    var searchSteps = 1

    var last: WallInstant {
        if let times, count > 1 {
            let distance = Int64(times.time(Int(count) - 1) - times.first)
            return first.advanced(byNanoseconds: distance * .nanosecondsPerSecond)
        }
        // The sum is an instant, though the distance may be more than an `Int64` holds.
        return WallInstant(nanoseconds: first.nanoseconds &+ (count - 1) &* step)
    }

    /// Gives the occurrences up to `instant`, which is the first occurrence or later.
    func prefix(notAfter instant: WallInstant) -> OccurrenceRun {
        guard count > 1 else { return self }
        let distance = instant.nanosecondsAhead(of: first)
        if let times {
            let seconds = Int(distance / UInt64(Int64.nanosecondsPerSecond))
            return prefix(Int64(times.prefix(notAfter: times.first + seconds).count))
        }
        let steps = distance / UInt64(step)
        return prefix(steps < UInt64(count) ? Int64(steps) + 1 : count)
    }

    /// Gives the first occurrences, at most so many, which is at least 1.
    func prefix(_ limit: Int64) -> OccurrenceRun {
        var run = self
        run.count = min(count, limit)
        return run
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
    /// Gives the first occurrence after `now`, and occurrences that follow it; nil where none is
    /// left.
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
        var searchSteps = 0
        while var run = rule.nextRun(after: now) {
            searchSteps += run.searchSteps
            if let end = limits.endAt, run.first > end { return nil }
            guard let bound = bound(of: run) else {
                now = max(run.first, min(run.last, endOfDay(of: run.first)))
                continue
            }
            run.searchSteps = searchSteps
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
    /// Their number is exact where the steps suffice; the latest one is so in any case (REC-7).
    ///
    /// - Parameters:
    ///   - due: The instant at which the trigger was due.
    ///   - now: The instant at which the trigger fires.
    ///   - limit: How many occurrences are left, at least 1.
    ///   - stepLimit: How many steps the searches take that count occurrences.
    /// - Returns: The occurrences.
    /// - Complexity: One search for each run, until the steps are taken; then at most 64 searches.
    func passed(
        from due: WallInstant,
        to now: WallInstant,
        atMost limit: Int64,
        stepLimit: Int = .max
    ) -> PassedOccurrences<WallInstant> {
        var all = PassedOccurrences(latest: due, earlierCount: 0)
        guard now > due else { return all }
        while all.earlierCount < limit - 1, let run = nextRun(after: all.latest) {
            all.searchSteps += run.searchSteps
            guard run.first <= now else { break }
            let passed = run.prefix(notAfter: now).prefix(limit - 1 - all.earlierCount)
            all.earlierCount += passed.count
            all.latest = passed.last
            guard all.searchSteps < stepLimit else {
                findLatest(&all, to: now)
                break
            }
        }
        return all
    }

    /// Finds the last occurrence not after `now`, by halves of the time from a known one on.
    private func findLatest(_ all: inout PassedOccurrences<WallInstant>, to now: WallInstant) {
        // None lies after the end, up to now.
        var end = now
        while all.latest < end {
            let distance = end.nanosecondsAhead(of: all.latest)
            let middle = all.latest.advanced(byNanoseconds: Int64(distance / 2))
            let run = nextRun(after: middle)
            all.searchSteps += run?.searchSteps ?? 1
            if let run, run.first <= now {
                all.latest = run.prefix(notAfter: now).last
            } else {
                end = middle
            }
        }
    }
}
