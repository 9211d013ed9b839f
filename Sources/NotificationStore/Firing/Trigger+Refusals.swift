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
