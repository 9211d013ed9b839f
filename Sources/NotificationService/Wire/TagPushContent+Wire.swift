internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension TagPushContent {
    /// Reads and checks the content of a push to many, in the order of §21.4.
    init(
        _ wire: Belfry_V1_PushHeaders,
        _ payload: String,
        of app: String,
        at now: WallInstant
    ) throws(Refusal) {
        guard wire.apnsID.isEmpty else {
            throw .invalid(
                [.headers, .apnsID],
                "is empty, as the push on each device has its own",
                reason: .badMessageID
            )
        }
        let headers = try PushHeaders(wire)
        _ = try Push(headers, payload: payload, at: now)
        guard headers.isFor(app) else { throw .topicOfOtherApp }
        self.init(headers: headers, payload: payload)
    }
}
