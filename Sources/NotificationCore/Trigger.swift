/// When a request fires.
package enum Trigger: Hashable, Sendable {
    /// After time has passed (§7.2).
    case timeInterval(TimeIntervalTrigger)
    /// When the wall clock shows a date (§7.3).
    case calendar(CalendarTrigger)

    /// Whether the trigger fires again after it has fired.
    package var repeats: Bool {
        switch self {
        case .timeInterval(let trigger): trigger.repeats
        case .calendar(let trigger): trigger.repeats
        }
    }

    /// The name of the time zone that the trigger uses: empty is the device's; nil uses none.
    package var timeZone: String? {
        switch self {
        case .timeInterval: nil
        case .calendar(let trigger): trigger.dateComponents.timeZone
        }
    }

    /// Gives when the trigger fires next.
    ///
    /// - Parameters:
    ///   - base: The instant at which the request was accepted.
    ///   - now: The result lies strictly after this instant.
    ///   - zone: The rules of ``timeZone``.
    /// - Returns: The instant, on the clock that the trigger uses; nil where it does not fire
    ///   again.
    /// - Complexity: O(1) for an interval, else ``CalendarTrigger/nextFire(after:in:)``.
    package func nextFire(base: ElapsedInstant, after now: Now, in zone: ZoneRules) -> Due? {
        switch self {
        case .timeInterval(let trigger):
            trigger.nextFire(base: base, after: now.elapsed).map(Due.elapsed)
        case .calendar(let trigger):
            trigger.nextFire(after: now.wall, in: zone).map(Due.wall)
        }
    }

    /// Gives when the trigger fires next after an occurrence that fired, however late it fired
    /// (CAL-8).
    ///
    /// - Parameters:
    ///   - base: The instant at which the request was accepted.
    ///   - latest: When the occurrence was due.
    ///   - zone: The rules of ``timeZone``.
    /// - Returns: The instant; nil where the trigger does not fire again.
    package func nextFire(base: ElapsedInstant, following latest: Due, in zone: ZoneRules) -> Due? {
        switch (self, latest) {
        case (.timeInterval(let trigger), .elapsed(let instant)):
            trigger.nextFire(base: base, after: instant).map(Due.elapsed)
        case (.calendar(let trigger), .wall(let date)):
            trigger.nextFire(after: date, in: zone).map(Due.wall)
        case (.timeInterval, .wall), (.calendar, .elapsed):
            preconditionFailure("a trigger is due on the other clock")
        }
    }

    /// Gives the occurrences from `due` to `now`, which one late firing represents (D-8).
    package func passed(from due: Due, to now: Now, in zone: ZoneRules) -> PassedOccurrences<Due> {
        switch (self, due) {
        case (.timeInterval(let trigger), .elapsed(let instant)):
            let passed = trigger.passed(from: instant, to: now.elapsed)
            return .init(latest: .elapsed(passed.latest), earlierCount: passed.earlierCount)
        case (.calendar(let trigger), .wall(let date)):
            let passed = trigger.passed(from: date, to: now.wall, in: zone)
            return .init(latest: .wall(passed.latest), earlierCount: passed.earlierCount)
        case (.timeInterval, .wall), (.calendar, .elapsed):
            preconditionFailure("a trigger is due on the other clock")
        }
    }
}
