public import NotificationProtocol
internal import SwiftProtobuf

extension DeviceClient {
    /// Gives what the device is doing.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func state() async throws(ClientError) -> Belfry_V1_DeviceState {
        var request = Belfry_V1_GetDeviceStateRequest()
        request.deviceID = device
        let response: Belfry_V1_GetDeviceStateResponse = try await call("GetDeviceState", request)
        return response.state
    }

    /// Changes what the device is doing.
    ///
    /// - Parameters:
    ///   - paths: The fields that change, as `locked` or `focus.name`.
    ///   - state: Their new values.
    ///   - key: The idempotency key, if any.
    /// - Returns: The whole new state.
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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

    /// Gives one page of what the device shows, in groups, newest first.
    ///
    /// - Parameters:
    ///   - apps: The apps; none is all.
    ///   - pageSize: How many notifications at most, 1 to 1,000; 0 is the server's choice.
    ///   - pageToken: Where to go on, from the page before; empty is the beginning.
    /// - Returns: The page, and where to go on.
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

    /// Acts on a notification as the person.
    ///
    /// - Parameters:
    ///   - act: A tap or a button.
    ///   - notification: The notification as it was seen.
    ///   - key: The idempotency key, if any.
    /// - Returns: Where it is now.
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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

    /// Dismisses notifications as the person.
    ///
    /// - Parameters:
    ///   - target: One, a group or all.
    ///   - kind: For good, or out of sight.
    ///   - key: The idempotency key, if any.
    /// - Returns: What was dismissed.
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

    /// Has an app show its own notification settings.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - notification: The notification that it is asked from; nil comes from the settings.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal: an app may have no such settings.
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
