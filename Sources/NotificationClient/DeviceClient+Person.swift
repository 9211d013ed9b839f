public import NotificationProtocol
internal import SwiftProtobuf

extension DeviceClient {
    /// Gets the state of the device: locked, muted, in a Focus, and so on.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func state() async throws(ClientError) -> Belfry_V1_DeviceState {
        var request = Belfry_V1_GetDeviceStateRequest()
        request.deviceID = device
        let response: Belfry_V1_GetDeviceStateResponse = try await call("GetDeviceState", request)
        return response.state
    }

    /// Changes the state of the device.
    ///
    /// - Parameters:
    ///   - paths: The fields to change, such as `locked` or `focus.name`.
    ///   - state: The new values of the fields.
    ///   - key: The idempotency key, if any.
    /// - Returns: The whole new state.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func update(
        _ paths: [String],
        to state: Belfry_V1_DeviceState,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_DeviceState {
        var request = Belfry_V1_UpdateDeviceStateRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.state = state
        request.updateMask.paths = paths
        let response: Belfry_V1_UpdateDeviceStateResponse = try await call(
            "UpdateDeviceState",
            request
        )
        return response.state
    }

    /// Gets one page of the notifications that the device shows, in groups, newest first.
    ///
    /// - Parameters:
    ///   - apps: The apps to list; an empty array lists all apps.
    ///   - pageSize: The largest number of notifications, 1 to 1,000; 0 leaves the number to the
    ///     server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listNotificationCenter(
        apps: [String] = [],
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListNotificationCenterResponse {
        var request = Belfry_V1_ListNotificationCenterRequest()
        request.deviceID = device
        request.appIds = apps
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListNotificationCenter", request)
    }

    /// Acts on a listed notification as the person.
    ///
    /// - Parameters:
    ///   - act: A tap or a button.
    ///   - notification: The notification in the version that the person saw.
    ///   - key: The idempotency key, if any.
    /// - Returns: Whether the act was recorded, waits for the unlock, or is handled by an
    ///   extension.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func respond(
        _ act: Belfry_V1_RespondRequest.OneOf_Act,
        to notification: Belfry_V1_NotificationRef,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_RespondOutcome {
        var request = Belfry_V1_RespondRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.notification = notification
        request.act = act
        let response: Belfry_V1_RespondResponse = try await call("Respond", request)
        return response.outcome
    }

    /// Dismisses one notification, a group or all, as the person.
    ///
    /// - Parameters:
    ///   - target: One notification, a group or all notifications.
    ///   - kind: Whether the notifications are removed, or one banner is swiped away and stays in
    ///     the list.
    ///   - key: The idempotency key, if any.
    /// - Returns: The dismissed notifications.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func dismiss(
        _ target: Belfry_V1_DismissRequest.OneOf_Target,
        _ kind: Belfry_V1_DismissKind = .clear,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_DismissResponse {
        var request = Belfry_V1_DismissRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.target = target
        request.kind = kind
        return try await call("Dismiss", request)
    }

    /// Clears notifications as the person who saw them; one that is gone or was replaced is passed
    /// over.
    ///
    /// - Parameters:
    ///   - notifications: At most 256, of any apps.
    ///   - key: The idempotency key, if any.
    /// - Returns: The notifications that were dismissed.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func dismiss(
        _ notifications: [Belfry_V1_NotificationRef],
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_DismissResponse {
        var request = Belfry_V1_DismissRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.notifications = notifications
        request.kind = .clear
        return try await call("Dismiss", request)
    }

    /// Tells an app to show its own notification settings.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - notification: The notification from which the person opened the settings; nil when the
    ///     person came from the device's settings.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal, for example when the app has no
    ///   notification settings of its own.
    public func openSettings(
        of app: String,
        from notification: Belfry_V1_NotificationRef? = nil,
        key: String = ""
    ) async throws(ClientError) {
        var request = Belfry_V1_OpenSettingsRequest()
        request.center.appID = app
        request.center.deviceID = device
        request.idempotencyKey = key
        if let notification { request.notification = notification }
        let _: Belfry_V1_OpenSettingsResponse = try await call("OpenSettings", request)
    }
}
