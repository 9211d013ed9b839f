/// Fires at the local times of a rule, of dates of their own, or of both (REC-1).
///
/// The rule is kept as the text that the caller wrote.
package struct RecurrenceTrigger: Hashable, Sendable {
    /// The text of a rule.
    package enum Text: Hashable, Sendable {
        /// A recurrence rule of RFC 5545.
        case rule(String)
        /// A line of a crontab, without its command.
        case cron(String)
    }

    /// The rule as it was written; nil where there are only the start and other dates.
    package let text: Text?
    /// The local time from which the rule counts, in seconds since 1970; nil for a crontab, which
    /// has none.
    package let start: Int?
    /// Moments that are occurrences beside those of the rule.
    package let addedDates: [RecurrenceMoment]
    /// Moments that are none.
    package let excludedDates: [RecurrenceMoment]
    /// The zone by its name in the zone database; empty follows the device's zone.
    package let timeZone: String
    /// Whether the trigger fires repeatedly.
    package let repeats: Bool
    package private(set) var limits: RecurrenceLimits

    /// How many bytes it takes in the store beyond those of an interval, about.
    var storedByteCount: Int {
        let written =
            switch text {
            case .rule(let text)?, .cron(let text)?: text.utf8.count
            case nil: 0
            }
        return 32 + written + 3 * timeZone.utf8.count + limits.storedByteCount
            + 10 * (addedDates.count + excludedDates.count)
    }

    /// The rule as it is searched; nil where there are only dates.
    let rule: RecurrenceRule?
    /// The added dates and, without a rule, the start, as they are searched.
    let added: OrderedMoments
    /// The excluded dates as they are searched.
    let excluded: OrderedMoments
    /// The last local time of the rule, in seconds since 1970.
    ///
    /// It is found when the trigger is made, and is part of what is stored: a count takes long to
    /// walk.
    package let lastLocal: Int

    /// Reads and checks the text and the dates; whether the zone exists is not checked.
    ///
    /// - Parameters:
    ///   - text: The rule.
    ///   - start: The local time from which the rule counts, in seconds since 1970.
    ///   - addedDates: Moments that are occurrences too.
    ///   - excludedDates: Moments that are none.
    ///   - timeZone: The zone's name; empty is the device's zone.
    ///   - repeats: Whether the trigger fires repeatedly.
    ///   - limits: The bounds of the instants.
    ///   - lastLocal: The last local time of the rule, of a trigger that was stored.
    /// - Throws: A refusal that names the field: a text that is no rule, with the column of the
    ///   fault; a start that is missing or too much.
    package init(
        text: Text?,
        start: Int? = nil,
        addedDates: [RecurrenceMoment] = [],
        excludedDates: [RecurrenceMoment] = [],
        timeZone: String = "",
        repeats: Bool,
        limits: RecurrenceLimits = RecurrenceLimits(),
        lastLocal: Int? = nil
    ) throws(Refusal) {
        let moments = addedDates + excludedDates + (start.map { [.local($0)] } ?? [])
        guard moments.allSatisfy({ Self.years.contains($0.second) }) else {
            throw .invalid(
                [.recurrence],
                "has dates of the years 1 to 9999",
                reason: .recurrenceInvalid
            )
        }
        let parsed: RecurrenceRule?
        switch (text, start) {
        case (nil, nil) where addedDates.isEmpty:
            throw .invalid(
                [.recurrence],
                "needs a rule, a crontab, a start or dates",
                reason: .recurrenceInvalid
            )
        case (nil, _): parsed = nil
        case (.rule(let text), let start?):
            do { parsed = try RecurrenceRule(text).completed(from: start) } catch {
                throw .recurrenceInvalid([.recurrence, .rule], error)
            }
        case (.rule, nil):
            throw .invalid(
                [.recurrence, .start],
                "is required: a rule counts from it",
                reason: .recurrenceInvalid
            )
        case (.cron(let text), nil):
            do { parsed = try RecurrenceRule(cron: text).completed(from: 0) } catch {
                throw .recurrenceInvalid([.recurrence, .cron], error)
            }
        case (.cron, .some):
            throw .invalid(
                [.recurrence, .start],
                "must be left out: a crontab counts from nothing; use the limits",
                reason: .recurrenceInvalid
            )
        }
        self.text = text
        self.start = start
        self.addedDates = addedDates
        self.excludedDates = excludedDates
        self.timeZone = timeZone
        self.repeats = repeats
        self.limits = limits
        rule = parsed
        let first = parsed == nil ? start.map { [RecurrenceMoment.local($0)] } : nil
        added = OrderedMoments(addedDates + (first ?? []))
        excluded = OrderedMoments(excludedDates)
        if let lastLocal {
            self.lastLocal = min(lastLocal, Self.years.upperBound)
        } else {
            self.lastLocal = try Self.last(of: parsed, from: start ?? 0)
        }
    }

    private static func last(of rule: RecurrenceRule?, from start: Int) throws(Refusal) -> Int {
        if case .local(let end) = rule?.until { return end }
        guard let rule, let count = rule.count else { return years.upperBound }
        var times = RecurrenceTimes(rule, from: start)
        let last = times.time(number: count)
        // A rule that never comes has no date to come, which is said of any trigger.
        var first = RecurrenceTimes(rule, from: start)
        guard !times.isExhausted || first.first(notBefore: start) == nil else {
            throw .invalid(
                [.recurrence, .rule],
                "has a COUNT that takes too many steps to reach: use UNTIL",
                reason: .recurrenceInvalid
            )
        }
        return last ?? years.upperBound
    }

    /// The seconds of the years 1 to 9999, counted from 1970.
    private static let years = -62_135_596_800...253_402_300_799

    /// Where the rule's times begin.
    var firstLocal: Int { start ?? 0 }

    /// The trigger without its bounds.
    package var unlimited: RecurrenceTrigger {
        var trigger = self
        trigger.limits = RecurrenceLimits()
        return trigger
    }

    /// Gives the first instant after `now`; nil where none is left, or none within 60 years
    /// (REC-7).
    ///
    /// - Parameters:
    ///   - now: The result lies strictly after this instant.
    ///   - zone: The rules of the trigger's zone.
    /// - Returns: The instant.
    /// - Complexity: O(1) for each year, month, week, day or shorter period before the result, of
    ///   which at most ``Limits/recurrenceSteps`` are looked at. No allocation without positions.
    package func nextFire(after now: WallInstant, in zone: ZoneRules) -> WallInstant? {
        rule(in: zone).nextRun(after: now)?.first
    }

    /// Gives the occurrences from `due` to `now`, which one late firing represents (D-8).
    ///
    /// - Parameters:
    ///   - due: The instant at which the trigger was due.
    ///   - now: The instant at which the trigger fires.
    ///   - zone: The rules of the trigger's zone.
    ///   - limit: How many occurrences are left, at least 1.
    /// - Returns: The occurrences; `due` alone if the trigger does not repeat.
    package func passed(
        from due: WallInstant,
        to now: WallInstant,
        in zone: ZoneRules,
        atMost limit: Int64 = .max
    ) -> PassedOccurrences<WallInstant> {
        guard repeats else { return PassedOccurrences(latest: due, earlierCount: 0) }
        return rule(in: zone).passed(
            from: due,
            to: now,
            atMost: limit,
            stepLimit: Limits.passedSteps
        )
    }

    private func rule(in zone: ZoneRules) -> LimitedRule<RecurrenceSearch> {
        LimitedRule(
            rule: RecurrenceSearch(trigger: self, zone: zone),
            limits: limits,
            zone: zone
        )
    }
}

/// Moments in order, so that a search looks at few of them.
struct OrderedMoments: Hashable, Sendable {
    /// Local times, ascending.
    let locals: [Int]
    /// Instants, ascending.
    let instants: [Int]

    init(_ moments: [RecurrenceMoment]) {
        var (locals, instants): ([Int], [Int]) = ([], [])
        for moment in moments {
            switch moment {
            case .local(let second): locals.append(second)
            case .instant(let second): instants.append(second)
            }
        }
        locals.sort()
        instants.sort()
        (self.locals, self.instants) = (locals, instants)
    }

    /// Whether a local time is among the local times, or its instant among the instants.
    func contains(_ local: Int, _ instant: Int) -> Bool {
        Self.contains(locals, local) || Self.contains(instants, instant)
    }

    private static func contains(_ seconds: [Int], _ second: Int) -> Bool {
        let index = firstIndex(of: seconds, after: second - 1)
        return index < seconds.count && seconds[index] == second
    }

    /// Gives the place of the first of ascending seconds after one.
    static func firstIndex(of seconds: [Int], after second: Int) -> Int {
        var (low, high) = (0, seconds.count)
        while low < high {
            let middle = (low + high) / 2
            if seconds[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Refusal {
    /// Refuses the text of a rule or a crontab (REC-3).
    static func recurrenceInvalid(_ path: FieldPath, _ fault: RecurrenceTextFault) -> Refusal {
        var refusal = Refusal.invalid(
            path,
            "at column \(fault.column), \(fault.part): \(fault.problem)",
            reason: .recurrenceInvalid
        )
        refusal.facts = [.position: "\(fault.column - 1)"]
        return refusal
    }
}
