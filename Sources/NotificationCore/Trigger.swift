/// When a request fires.
public enum Trigger: Hashable, Sendable {
    /// After time has passed (semantics.md 7.2).
    case timeInterval(TimeIntervalTrigger)
    /// When the clock shows a date (semantics.md 7.3).
    case calendar(CalendarTrigger)

    /// Whether it fires again after it has fired.
    public var repeats: Bool {
        switch self {
        case .timeInterval(let trigger): trigger.repeats
        case .calendar(let trigger): trigger.repeats
        }
    }

    /// The name of the time zone that it needs: empty is the device's; nil needs none.
    public var timeZone: String? {
        switch self {
        case .timeInterval: nil
        case .calendar(let trigger): trigger.dateComponents.timeZone
        }
    }

    /// Gives when it fires next.
    ///
    /// - Parameters:
    ///   - base: The instant at which the request was accepted.
    ///   - now: The instant that the result lies strictly after.
    ///   - zone: The rules of ``timeZone``.
    /// - Returns: The instant, on the clock that it is told by; nil where there is none.
    /// - Complexity: O(1) for an interval, else ``CalendarTrigger/nextFire(after:in:)``.
    public func nextFire(base: ElapsedInstant, after now: Now, in zone: ZoneRules) -> Due? {
        switch self {
        case .timeInterval(let trigger):
            trigger.nextFire(base: base, after: now.elapsed).map(Due.elapsed)
        case .calendar(let trigger):
            trigger.nextFire(after: now.wall, in: zone).map(Due.wall)
        }
    }

    /// Gives how many occurrences after `due` one late firing stands for (semantics.md D-8).
    public func collapsedCount(due: Due, now: Now, in zone: ZoneRules) -> Int64 {
        switch (self, due) {
        case (.timeInterval(let trigger), .elapsed(let instant)):
            trigger.collapsedCount(due: instant, now: now.elapsed)
        case (.calendar(let trigger), .wall(let date)):
            trigger.collapsedCount(due: date, now: now.wall, in: zone)
        case (.timeInterval, .wall), (.calendar, .elapsed):
            preconditionFailure("a trigger is due on the other clock")
        }
    }
}
