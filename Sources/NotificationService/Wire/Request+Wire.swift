internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension NotificationRequest {
    /// Reads and validates a request: steps 3-5 of §6.2.
    ///
    /// An empty identifier becomes a new UUID. Paths in refusals are relative to the request.
    init(_ wire: Belfry_V1_NotificationRequest) throws(Refusal) {
        guard wire.replacementKey.isEmpty || wire.replacementKey == wire.identifier else {
            throw .unimplemented(
                "replacement_key",
                "replacing by another key than the identifier is"
            )
        }
        self.init(
            identifier: wire.identifier.isEmpty ? UUIDText.random() : wire.identifier,
            content: try NotificationContent(wire.content),
            trigger: wire.hasTrigger ? try Self.trigger(wire.trigger) : nil
        )
        try validate()
    }

    private static func trigger(_ wire: Belfry_V1_Trigger) throws(Refusal) -> Trigger {
        do {
            return try Trigger(wire)
        } catch {
            throw error.within([.trigger])
        }
    }
}

extension Belfry_V1_NotificationRequest {
    init(_ request: NotificationRequest) {
        self.init()
        identifier = request.identifier
        content = Belfry_V1_NotificationContent(request.content)
        if let trigger = request.trigger { self.trigger = Belfry_V1_Trigger(trigger) }
    }
}

extension Belfry_V1_Notification {
    init(_ notification: DeliveredNotification) {
        self.init()
        request = Belfry_V1_NotificationRequest(notification.request)
        date = .init(notification.date)
        delivery = notification.delivery.rawValue
    }
}

extension Trigger {
    /// Reads a trigger of a kind that this version supports.
    init(_ wire: Belfry_V1_Trigger) throws(Refusal) {
        guard !wire.hasLimits else { throw .unimplemented("limits", "limits of recurrence are") }
        switch wire.kind {
        case .timeInterval(let interval):
            let nanoseconds =
                interval.hasInterval
                ? try Int64(
                    interval.interval,
                    "time_interval.interval",
                    reason: .timeIntervalInvalid
                ) : 0
            self = .timeInterval(
                try TimeIntervalTrigger(
                    intervalNanoseconds: nanoseconds,
                    repeats: wire.repeats
                )
            )
        case .calendar(let calendar):
            self = .calendar(try CalendarTrigger(calendar, repeats: wire.repeats))
        case .location: throw .unimplemented("location", "location triggers are")
        case .anchoredInterval:
            throw .unimplemented("anchored_interval", "anchored intervals are")
        case .push:
            throw .triggerKind(
                "push",
                "a push trigger marks a remote notification; it is never added"
            )
        case nil:
            throw .triggerKind(
                "kind",
                "must be one known kind; leave the whole trigger out to deliver now"
            )
        }
    }
}

extension Belfry_V1_Trigger {
    init(_ trigger: Trigger) {
        self.init()
        repeats = trigger.repeats
        switch trigger {
        case .timeInterval(let interval):
            timeInterval.interval = .init(nanoseconds: interval.intervalNanoseconds)
        case .calendar(let calendar):
            self.calendar = .init(calendar)
        }
    }
}

extension Refusal {
    fileprivate static func triggerKind(_ path: String, _ problem: String) -> Refusal {
        .invalid(path, problem, reason: .triggerKindInvalid)
    }
}
