/// When a request fires.
///
/// A trigger is copied with its request: the long ones are kept by reference.
package enum Trigger: Hashable, Sendable {
    /// After time has passed (§7.2).
    case timeInterval(TimeIntervalTrigger)
    /// When the wall clock shows a date (§7.3).
    indirect case calendar(CalendarTrigger)
    /// On a grid of dates that is counted from one of them (CAL-11).
    indirect case anchoredInterval(AnchoredIntervalTrigger)
    /// At the dates of a calendar's rule or of a crontab (REC-1).
    indirect case recurrence(RecurrenceTrigger)
    /// At an instant of the wall clock, once (CAL-17).
    case at(WallInstant)
    /// When the device crosses the border of a region (§7.4).
    indirect case location(LocationTrigger)
    /// A push that came in: the request was delivered at once, and never waits (PAY-1).
    case push

    /// Whether the trigger fires again after it has fired.
    package var repeats: Bool {
        switch self {
        case .timeInterval(let trigger): trigger.repeats
        case .calendar(let trigger): trigger.repeats
        case .anchoredInterval(let trigger): trigger.repeats
        case .recurrence(let trigger): trigger.repeats
        case .location(let trigger): trigger.repeats
        case .at, .push: false
        }
    }

    /// Whether the trigger has an instant, after which a firing is late.
    package var isAwaited: Bool { self != .push }

    /// How many occurrences the trigger has; nil is no limit.
    package var maxOccurrences: Int64? {
        switch self {
        case .timeInterval(let trigger): trigger.maxOccurrences
        case .calendar(let trigger): trigger.limits.maxOccurrences
        case .anchoredInterval(let trigger): trigger.limits.maxOccurrences
        case .recurrence(let trigger): trigger.limits.maxOccurrences
        case .at, .location, .push: nil
        }
    }

    /// The name of the time zone that the trigger's dates use: empty is the device's; nil for a
    /// trigger without dates.
    package var timeZone: String? {
        switch self {
        case .timeInterval, .at, .location, .push: nil
        case .calendar(let trigger): trigger.dateComponents.timeZone
        case .anchoredInterval(let trigger): trigger.timeZone
        case .recurrence(let trigger): trigger.timeZone
        }
    }

    /// How many bytes it takes in the store beyond those of an interval, about: a zone, the days
    /// that are skipped, and the rows of a region.
    package var storedByteCount: Int {
        switch self {
        case .timeInterval, .at, .push: 0
        case .calendar(let trigger):
            3 * trigger.dateComponents.timeZone.utf8.count + trigger.limits.storedByteCount
        case .anchoredInterval(let trigger):
            3 * trigger.timeZone.utf8.count + trigger.limits.storedByteCount
        case .recurrence(let trigger): trigger.storedByteCount
        case .location(let trigger): 640 + 4 * trigger.region.identifier.utf8.count
        }
    }

    /// Gives the trigger of a request that is accepted.
    ///
    /// - Returns: The trigger, with what its zone's clock showed at an anchor.
    package func accepted(in zone: ZoneRules) -> Trigger {
        switch self {
        case .timeInterval, .calendar, .recurrence, .at, .location, .push: self
        case .anchoredInterval(let trigger): .anchoredInterval(trigger.accepted(in: zone))
        }
    }

    /// The region whose border the trigger waits for; nil for a trigger that waits for time.
    package var region: Region? {
        guard case .location(let trigger) = self else { return nil }
        return trigger.region
    }

    /// Gives when the trigger fires next.
    ///
    /// `base` is the instant at which the request was accepted. The result lies strictly after
    /// `now`.
    ///
    /// - Returns: The instant, on the clock that the trigger uses; nil where it does not fire
    ///   again, or waits for a place.
    /// - Complexity: O(1) for an interval, else ``CalendarTrigger/nextFire(after:in:)``.
    package func nextFire(base: ElapsedInstant, after now: Now, in zone: ZoneRules) -> Due? {
        switch self {
        case .timeInterval(let trigger):
            trigger.nextFire(base: base, after: now.elapsed).map(Due.elapsed)
        case .calendar(let trigger):
            trigger.nextFire(after: now.wall, in: zone).map(Due.wall)
        case .anchoredInterval(let trigger):
            trigger.nextFire(after: now.wall, in: zone).map(Due.wall)
        case .recurrence(let trigger):
            trigger.nextFire(after: now.wall, in: zone).map(Due.wall)
        case .at(let instant): instant > now.wall ? .wall(instant) : nil
        case .location, .push: nil
        }
    }

    /// Gives when the trigger fires next after an occurrence that fired, however late it fired
    /// (CAL-8).
    ///
    /// `base` is the instant at which the request was accepted. `latest` is when the occurrence was
    /// due.
    ///
    /// - Returns: The instant; nil where the trigger does not fire again.
    package func nextFire(base: ElapsedInstant, following latest: Due, in zone: ZoneRules) -> Due? {
        switch (self, latest) {
        case (.timeInterval(let trigger), .elapsed(let instant)):
            trigger.nextFire(base: base, after: instant).map(Due.elapsed)
        case (.calendar(let trigger), .wall(let date)):
            trigger.nextFire(after: date, in: zone).map(Due.wall)
        case (.anchoredInterval(let trigger), .wall(let date)):
            trigger.nextFire(after: date, in: zone).map(Due.wall)
        case (.recurrence(let trigger), .wall(let date)):
            trigger.nextFire(after: date, in: zone).map(Due.wall)
        case (.at, .wall): nil
        case (.timeInterval, .wall), (.calendar, .elapsed), (.anchoredInterval, .elapsed),
            (.recurrence, .elapsed), (.at, .elapsed), (.location, _), (.push, _):
            preconditionFailure("a trigger is due on a clock that it does not use")
        }
    }

    /// Gives the occurrences from `due` to `now` that one late firing represents (D-8).
    ///
    /// `due` is when the trigger was due. `now` is when the trigger fires. `occurrenceCount` is how
    /// many occurrences there were before `due`.
    ///
    /// - Returns: The occurrences; `due` alone if the trigger does not repeat.
    package func passed(
        from due: Due,
        to now: Now,
        in zone: ZoneRules,
        after occurrenceCount: Int64 = 0
    ) -> PassedOccurrences<Due> {
        let rest = maxOccurrences.map { max(1, $0 - occurrenceCount) } ?? .max
        switch (self, due) {
        case (.timeInterval(let trigger), .elapsed(let instant)):
            let passed = trigger.passed(from: instant, to: now.elapsed, atMost: rest)
            return .init(latest: .elapsed(passed.latest), earlierCount: passed.earlierCount)
        case (.calendar(let trigger), .wall(let date)):
            return trigger.passed(from: date, to: now.wall, in: zone, atMost: rest).onWallClock
        case (.recurrence(let trigger), .wall(let date)):
            return trigger.passed(from: date, to: now.wall, in: zone, atMost: rest).onWallClock
        case (.anchoredInterval(let trigger), .wall(let date)):
            return trigger.passed(from: date, to: now.wall, in: zone, atMost: rest).onWallClock
        case (.at, .wall): return .init(latest: due, earlierCount: 0)
        case (.timeInterval, .wall), (.calendar, .elapsed), (.anchoredInterval, .elapsed),
            (.recurrence, .elapsed), (.at, .elapsed), (.location, _), (.push, _):
            preconditionFailure("a trigger is due on a clock that it does not use")
        }
    }

    /// Gives when a trigger with dates fires next after its zone's rules or the wall clock changed
    /// (CAL-8, CAL-12).
    ///
    /// - Parameters:
    ///   - now: The instant of the change; every occurrence due by then has fired.
    ///   - lastScheduled: When the last occurrence that fired was due; nil where none fired, or
    ///     where the clock was wrong at that time.
    ///   - skipped: The latest occurrence that was skipped; nil where none was.
    ///   - addedAt: When the trigger was accepted.
    ///   - zone: The rules from now on.
    /// - Returns: The instant, which may be past: the trigger is then late; nil where no date is
    ///   left.
    package func nextFire(
        afterChangeAt now: WallInstant,
        lastScheduled: WallInstant?,
        skipped: SkippedDate?,
        addedAt: WallInstant,
        in zone: ZoneRules
    ) -> WallInstant? {
        switch self {
        case .timeInterval, .at, .location, .push:
            preconditionFailure("the trigger's dates do not change")
        case .calendar(let trigger):
            return trigger.nextFire(
                afterChangeAt: now,
                lastScheduled: lastScheduled,
                skipped: skipped?.end(in: zone),
                addedAt: addedAt,
                in: zone
            )
        case .anchoredInterval(let trigger):
            let last = max(lastScheduled ?? now, skipped?.end(in: zone) ?? now)
            return trigger.nextFire(after: max(now, last), in: zone)
        case .recurrence(let trigger):
            let last = max(lastScheduled ?? now, skipped?.end(in: zone) ?? now)
            return trigger.nextFire(after: max(now, last), in: zone)
        }
    }
}
