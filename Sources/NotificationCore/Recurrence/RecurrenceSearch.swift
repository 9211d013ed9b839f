/// Searches for the instants of a recurrence in a zone.
struct RecurrenceSearch: OccurrenceRule {
    let trigger: RecurrenceTrigger
    let zone: ZoneRules

    func nextRun(after now: WallInstant) -> OccurrenceRun? {
        var searchSteps = 1 + (trigger.rule?.positions.count ?? 0) / Self.choicesPerStep
        var found = nextOfRule(after: now.seconds, &searchSteps)
        if let date = nextDate(after: now.seconds, until: found?.second ?? .max, &searchSteps) {
            if let rule = found, rule.second <= date {
                found?.run = rule.run.prefix(notAfter: rule.run.first + date - 1 - rule.second)
            } else {
                found = (date, Run(first: date))
            }
        }
        guard let found, let first = WallInstant(seconds: found.second, nanosecond: 0) else {
            return nil
        }
        let count = Int64(found.run.count)
        return OccurrenceRun(
            first: first,
            count: count,
            times: found.run,
            searchSteps: searchSteps
        )
    }

    /// How many dates or positions take as long as a period, about.
    private static let choicesPerStep = 8

    private typealias Run = RecurrenceTimes.Run
    /// The instant of a run's first time, in seconds since 1970.
    private typealias Found = (second: Int, run: Run)

    // MARK: Dates of their own

    /// The first added date, which may lie after the rule's next time: a run ends before it.
    ///
    /// Excluded ones are passed up to the rule's next time alone: the next search begins after it.
    private func nextDate(after now: Int, until end: Int, _ searchSteps: inout Int) -> Int? {
        var passed = 0
        defer { searchSteps += passed / Self.choicesPerStep }
        var first: Int?
        let locals = trigger.added.locals
        if !locals.isEmpty {
            var index = OrderedMoments.firstIndex(of: locals, after: greatestShown(until: now))
            while index < locals.count {
                passed += 1
                if let second = instant(ofLocal: locals[index]) {
                    if second > end || !isLeftOut(locals[index], second, shown: shown(at: second)) {
                        first = second
                        break
                    }
                }
                index += 1
            }
        }
        let instants = trigger.added.instants
        var index = OrderedMoments.firstIndex(of: instants, after: now)
        while index < instants.count, instants[index] < first ?? .max {
            passed += 1
            let second = instants[index]
            let local = shown(at: second)
            if second > end || !isLeftOut(local, second, shown: local) {
                return second
            }
            index += 1
        }
        return first
    }

    /// Whether a time is excluded, or the clock shows it on a day to skip: one search passes all.
    private func isLeftOut(_ local: Int, _ second: Int, shown: Int) -> Bool {
        trigger.excluded.contains(local, second)
            || trigger.limits.skips(daysSince1970: shown.flooredDivision(by: .secondsPerDay))
    }

    private func shown(at second: Int) -> Int { second + zone.span(at: second).offset }

    /// The instant of a named local time: of two the first, of none the change that skips it; nil
    /// where the zone skips the whole day.
    private func instant(ofLocal local: Int) -> Int? {
        switch zone.meaning(ofLocalSeconds: local) {
        case .once(let second), .twice(let second, _): second
        case .never(let change, let skipped): Self.skipsDay(of: local, skipped) ? nil : change
        }
    }

    private static func skipsDay(of local: Int, _ skipped: Range<Int>) -> Bool {
        let midnight = local.flooredDivision(by: .secondsPerDay) * .secondsPerDay
        return skipped.lowerBound <= midnight && midnight + .secondsPerDay <= skipped.upperBound
    }

    // MARK: The rule

    private func nextOfRule(after now: Int, _ searchSteps: inout Int) -> Found? {
        guard let rule = trigger.rule else { return nil }
        var times = RecurrenceTimes(rule, from: trigger.firstLocal)
        let found =
            rule.followsClock ? nextShown(&times, after: now) : nextNamed(&times, after: now)
        searchSteps += times.steps
        guard var found else { return nil }
        // A run ends with the offset and with the rule, and before a date that is excluded.
        let offset = found.run.first - found.second
        var last = min(trigger.lastLocal, Self.endOfTime)
        if case .instant(let end) = rule.until {
            guard found.second <= end else { return nil }
            last = min(last, end + offset)
        }
        guard found.run.count > 1 else { return found }
        let spanEnd = zone.span(at: found.second).end
        if spanEnd != .max { last = min(last, spanEnd - 1 + offset) }
        let (locals, instants) = (trigger.excluded.locals, trigger.excluded.instants)
        let local = OrderedMoments.firstIndex(of: locals, after: found.run.first)
        if local < locals.count { last = min(last, locals[local] - 1) }
        let instant = OrderedMoments.firstIndex(of: instants, after: found.second)
        if instant < instants.count { last = min(last, instants[instant] + offset - 1) }
        found.run = found.run.prefix(notAfter: last)
        return found
    }

    /// A day before the last instant that there is: a local time up to it is an instant in any
    /// zone.
    private static let endOfTime =
        WallInstant(nanoseconds: .max).seconds - ZoneRules.greatestOffset * 2

    private func first(_ times: inout RecurrenceTimes, notBefore local: Int) -> Run? {
        times.first(notBefore: local).flatMap { $0.first <= trigger.lastLocal ? $0 : nil }
    }

    /// The times after the first of a run, which need no search while the run has more.
    private func following(_ run: Run, _ times: inout RecurrenceTimes) -> Run? {
        guard let rest = run.dropFirst() else { return first(&times, notBefore: run.first + 1) }
        return rest.first <= trigger.lastLocal ? rest : nil
    }

    /// Each named local time comes once.
    ///
    /// Those that the clock has shown or skipped until now are over, and no other one is.
    private func nextNamed(_ times: inout RecurrenceTimes, after now: Int) -> Found? {
        var next = first(&times, notBefore: greatestShown(until: now) + 1)
        var span = zone.span(at: now)
        while let run = next {
            switch meaning(of: run.first, near: &span) {
            case .once(let second), .twice(let second, _):
                guard isLeftOut(run.first, second, shown: run.first) else { return (second, run) }
                next = following(run, &times)
            case .never(_, let skipped) where Self.skipsDay(of: run.first, skipped):
                next = first(&times, notBefore: skipped.upperBound)
            case .never(let change, _):
                guard isLeftOut(run.first, change, shown: shown(at: change)) else {
                    return (change, Run(first: run.first))
                }
                next = following(run, &times)
            }
        }
        return nil
    }

    /// The meaning of a local time, which needs no look at other spans in the middle of a span.
    private func meaning(of local: Int, near span: inout ZoneRules.Span) -> ZoneRules.Meaning {
        let second = local - span.offset
        if second - Self.greatestSetBack >= span.start, second + Self.greatestSetBack < span.end {
            return .once(second)
        }
        let meaning = zone.meaning(ofLocalSeconds: local)
        if case .once(let second) = meaning { span = zone.span(at: second) }
        return meaning
    }

    /// The greatest local time that the clock has shown, which is later than the present one where
    /// it was set back.
    private func greatestShown(until now: Int) -> Int {
        var span = zone.span(at: now)
        var greatest = now + span.offset
        while span.start > now - Self.greatestSetBack {
            let end = span.start - 1
            span = zone.span(at: end)
            greatest = max(greatest, end + span.offset)
        }
        return greatest
    }

    /// The span of all offsets of zones: no clock is set back by more.
    private static let greatestSetBack = ZoneRules.greatestOffset - ZoneRules.leastOffset

    /// Searches one span of equal offset after another, so that times come as the clock shows them.
    private func nextShown(_ times: inout RecurrenceTimes, after now: Int) -> Found? {
        var span = zone.span(at: now + 1)
        var from = now + 1 + span.offset
        var run = first(&times, notBefore: from)
        while true {
            let end = span.end == .max ? .max : span.end + span.offset
            if let found = run, found.first < end {
                let second = found.first - span.offset
                guard isLeftOut(found.first, second, shown: found.first) else {
                    return (second, found)
                }
                from = found.first + 1
                run = following(found, &times)
                continue
            }
            // Where the clock is set back soon, a time that is over can come again.
            guard span.end != .max, run != nil || span.end < now + Self.greatestSetBack else {
                return nil
            }
            span = zone.span(at: span.end)
            let begin = span.start + span.offset
            if begin < from || begin > run?.first ?? .max {
                from = begin
                run = first(&times, notBefore: from)
            }
        }
    }
}
