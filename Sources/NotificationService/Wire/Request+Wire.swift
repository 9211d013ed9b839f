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

extension NotificationRequest {
    /// Writes the fields of a `NotificationRequest`.
    func write(to writer: inout WireWriter) {
        writer.put(1, identifier)
        writer.message(2) { content.write(to: &$0) }
        if let trigger { writer.message(3) { trigger.write(to: &$0) } }
        writer.put(4, replacementKey)
        if let late = expiresAfterNanoseconds { writer.put(5, nanoseconds: late) }
    }
}

extension DeliveredNotification {
    /// Writes the fields of a `Notification`.
    func write(to writer: inout WireWriter) {
        writer.message(1) { request.write(to: &$0) }
        writer.put(2, date)
        writer.put(3, delivery.rawValue)
        if let trace = request.trace { writer.put(4, Belfry_V1_TraceContext(trace)) }
    }
}

extension Belfry_V1_NotificationRequest {
    package init(_ request: NotificationRequest) {
        self.init(writing: request.write)
    }
}

extension Belfry_V1_Notification {
    init(_ notification: DeliveredNotification) {
        self.init(writing: notification.write)
    }
}
