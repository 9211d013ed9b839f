internal import NotificationCore

extension Trigger {
    var timeZonePath: FieldPath {
        switch self {
        case .timeInterval, .at, .location, .push: [.trigger]
        case .calendar: [.trigger, .calendar, .dateComponents, .timeZone]
        case .anchoredInterval: [.trigger, .anchoredInterval, .timeZone]
        case .recurrence: [.trigger, .recurrence, .timeZone]
        }
    }

    /// Gives when the trigger of a request that is accepted now fires first.
    ///
    /// - Parameters:
    ///   - now: The present moment.
    ///   - zoneName: The name of the zone of its dates; nil where it has no local times.
    ///   - zones: The zones of the machine.
    /// - Returns: The instant, the trigger as it is accepted, and the rules of its zone.
    /// - Throws: That the trigger has no date, or that its zone is unknown or cannot be read now.
    func firstFire(
        at now: Now,
        _ zoneName: String?,
        _ zones: ZoneDatabase
    ) throws(Refusal) -> (due: Due, trigger: Trigger, rules: ZoneRules) {
        var trigger = self
        var rules = ZoneRules.utc
        if let zoneName {
            guard let zone = try zones.find(zoneName) else { throw .timeZoneUnknown(timeZonePath) }
            rules = zone.rules
            trigger = accepted(in: rules)
        }
        guard let due = trigger.nextFire(base: now.elapsed, after: now, in: rules) else {
            throw trigger.noDate(at: now, in: rules)
        }
        return (due, trigger, rules)
    }

    /// The refusal of a trigger without a future date; it names the bounds where these leave none.
    func noDate(at now: Now, in zone: ZoneRules) -> Refusal {
        switch self {
        case .timeInterval, .location, .push: .noDate([.trigger])
        case .at:
            Refusal(.notificationInvalidNoDate, [.trigger, .at], "the instant has passed")
        case .calendar(let trigger):
            trigger.limits.isEmpty || trigger.unlimited.nextFire(after: now.wall, in: zone) == nil
                ? .noDate([.trigger, .calendar, .dateComponents]) : .noDate([.trigger, .limits])
        case .anchoredInterval(let trigger):
            trigger.limits.isEmpty || trigger.unlimited.nextFire(after: now.wall, in: zone) == nil
                ? .noDate([.trigger, .anchoredInterval]) : .noDate([.trigger, .limits])
        case .recurrence(let trigger):
            trigger.limits.isEmpty || trigger.unlimited.nextFire(after: now.wall, in: zone) == nil
                ? .noDate([.trigger, .recurrence]) : .noDate([.trigger, .limits])
        }
    }
}
