/// Searches for the instants of a recurrence in a zone.
struct RecurrenceSearch: OccurrenceRule {
    let trigger: RecurrenceTrigger
    let zone: ZoneRules

    func nextRun(after now: WallInstant) -> OccurrenceRun? {
        let date = nextDate(after: now.seconds)
        guard var run = nextOfRule(after: now.seconds) else {
            return date.flatMap { OccurrenceRun(second: $0, Run(first: $0)) }
        }
        if let date {
            if date < run.second { return OccurrenceRun(second: date, Run(first: date)) }
            run.run.count = 1
        }
        return OccurrenceRun(second: run.second, run.run)
    }

    private typealias Run = RecurrenceTimes.Run
    /// The instant of a run's first time, in seconds since 1970.
    private typealias Found = (second: Int, run: Run)

    // MARK: Dates of their own

    private func nextDate(after now: Int) -> Int? {
        var first: Int?
        func look(at moment: RecurrenceMoment) {
            guard let (local, second) = place(of: moment), second > now, second < first ?? .max,
                !isExcluded(local, second)
            else { return }
            first = second
        }
        if trigger.rule == nil, let start = trigger.start { look(at: .local(start)) }
        for moment in trigger.addedDates { look(at: moment) }
        return first
    }

    private func place(of moment: RecurrenceMoment) -> (local: Int, second: Int)? {
        switch moment {
        case .local(let local): instant(ofLocal: local).map { (local, $0) }
        case .instant(let second): (second + zone.span(at: second).offset, second)
        }
    }

    private func isExcluded(_ local: Int, _ second: Int) -> Bool {
        !trigger.excludedDates.isEmpty
            && (trigger.excludedDates.contains(.local(local))
                || trigger.excludedDates.contains(.instant(second)))
    }

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

    private func nextOfRule(after now: Int) -> Found? {
        guard let rule = trigger.rule else { return nil }
        var times = RecurrenceTimes(rule, from: trigger.firstLocal)
        let found =
            rule.followsClock ? nextShown(&times, after: now) : nextNamed(&times, after: now)
        guard var found else { return nil }
        if case .instant(let end) = rule.until {
            guard found.second <= end else { return nil }
            found.run.count = 1
        }
        if !trigger.excludedDates.isEmpty { found.run.count = 1 }
        if found.run.count > 1 {
            // A run ends with the offset, and with the rule.
            let end = zone.span(at: found.second).end - 1 - found.second
            let left = min(end, trigger.lastLocal - found.run.first) / found.run.step + 1
            found.run.count = min(found.run.count, left)
        }
        return found
    }

    private func first(_ times: inout RecurrenceTimes, notBefore local: Int) -> Run? {
        times.first(notBefore: local).flatMap { $0.first <= trigger.lastLocal ? $0 : nil }
    }

    /// Each named local time comes once.
    ///
    /// Those that the clock has shown or skipped until now are
    /// over, and no other one is.
    private func nextNamed(_ times: inout RecurrenceTimes, after now: Int) -> Found? {
        var local = greatestShown(until: now) + 1
        while let run = first(&times, notBefore: local) {
            switch zone.meaning(ofLocalSeconds: run.first) {
            case .once(let second), .twice(let second, _):
                guard isExcluded(run.first, second) else { return (second, run) }
                local = run.first + 1
            case .never(_, let skipped) where Self.skipsDay(of: run.first, skipped):
                local = skipped.upperBound
            case .never(let change, _):
                guard isExcluded(run.first, change) else { return (change, Run(first: run.first)) }
                local = run.first + 1
            }
        }
        return nil
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
                guard isExcluded(found.first, second) else { return (second, found) }
                from = found.first + 1
                run = first(&times, notBefore: from)
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

extension OccurrenceRun {
    fileprivate init?(second: Int, _ run: RecurrenceTimes.Run) {
        guard let first = WallInstant(seconds: second, nanosecond: 0) else { return nil }
        self.init(
            first: first,
            count: Int64(run.count),
            step: Int64(run.step) * .nanosecondsPerSecond
        )
    }
}
