public import NotificationProtocol
internal import SwiftProtobuf

extension DeviceClient {
    /// Opens a notification for a closer look, with the extension of its category if there is one.
    ///
    /// The frames of ``watch(apps:)`` report what changes of it: its buttons and its view.
    ///
    /// - Parameters:
    ///   - notification: The notification in the version that the person saw.
    ///   - key: The idempotency key, if any.
    /// - Returns: The open notification; one that was open already is open still.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func open(
        _ notification: Belfry_V1_NotificationRef,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_OpenPresentation {
        var request = Belfry_V1_OpenNotificationRequest()
        request.notification = notification
        if !device.isEmpty { request.notification.center.deviceID = device }
        request.idempotencyKey = key
        let response: Belfry_V1_OpenNotificationResponse = try await call(
            "OpenNotification",
            request
        )
        return response.presentation
    }

    /// Closes an open notification; it stays in the list.
    ///
    /// - Parameters:
    ///   - presentation: The name of the presentation; one that is closed already is not refused.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func close(presentation: String, key: String = "") async throws(ClientError) {
        var request = Belfry_V1_CloseNotificationRequest()
        request.deviceID = device
        request.presentationID = presentation
        request.idempotencyKey = key
        let _: Belfry_V1_CloseNotificationResponse = try await call("CloseNotification", request)
    }

    /// Acts on an open notification as the person.
    ///
    /// - Parameters:
    ///   - act: A tap, a button that the notification has now, or the play button of its view.
    ///   - presentation: The name of the presentation.
    ///   - key: The idempotency key, if any.
    /// - Returns: Whether the act was recorded, waits for the unlock, or is handled by the
    ///   extension.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func respond(
        _ act: Belfry_V1_RespondRequest.OneOf_Act,
        inPresentation presentation: String,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_RespondOutcome {
        var request = Belfry_V1_RespondRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.presentationID = presentation
        request.act = act
        let response: Belfry_V1_RespondResponse = try await call("Respond", request)
        return response.outcome
    }
}
