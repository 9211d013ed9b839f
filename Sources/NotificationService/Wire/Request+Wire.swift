package import NotificationCore
package import NotificationProtocol
internal import NotificationStore

extension NotificationRequest {
    /// Reads and validates a request: steps 3-5 of §6.2.
    ///
    /// An empty identifier becomes a new UUID. Paths in refusals are relative to the request.
    package init(_ wire: Belfry_V1_NotificationRequest) throws(Refusal) {
        self.init(
            identifier: wire.identifier.isEmpty ? UUIDText.random() : wire.identifier,
            content: try NotificationContent(wire.content),
            trigger: wire.hasTrigger ? try Self.trigger(wire.trigger) : nil
        )
        replacementKey = wire.replacementKey
        if wire.hasExpiresAfter {
            expiresAfterNanoseconds = try Int64(wire.expiresAfter, "expires_after")
        }
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
    package init(_ request: NotificationRequest) {
        self.init()
        identifier = request.identifier
        content = Belfry_V1_NotificationContent(request.content)
        if let trigger = request.trigger { self.trigger = Belfry_V1_Trigger(trigger) }
        replacementKey = request.replacementKey
        if let late = request.expiresAfterNanoseconds { expiresAfter = .init(nanoseconds: late) }
    }
}

extension Belfry_V1_Notification {
    init(_ notification: DeliveredNotification) {
        self.init()
        request = Belfry_V1_NotificationRequest(notification.request)
        date = .init(notification.date)
        delivery = notification.delivery.rawValue
        if let trace = notification.request.trace { self.trace = .init(trace) }
    }
}
