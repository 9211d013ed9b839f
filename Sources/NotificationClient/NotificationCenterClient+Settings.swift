public import NotificationProtocol
internal import SwiftProtobuf

extension NotificationCenterClient {
    /// Asks the person once for permission, and registers the app if it is not registered.
    ///
    /// The call waits up to `wait` for the person's answer. After that the response has the status
    /// `notDetermined`, and a later call joins the open prompt.
    ///
    /// - Parameters:
    ///   - options: The options to ask for, at least one.
    ///   - wait: How long to wait for the person, at most 10 minutes.
    ///   - key: The idempotency key, if any.
    /// - Returns: The person's decision, or `notDetermined`.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func requestAuthorization(
        _ options: [Belfry_V1_AuthorizationOption],
        wait: Duration = .seconds(60),
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_RequestAuthorizationResponse {
        var request = Belfry_V1_RequestAuthorizationRequest()
        request.center = center
        request.idempotencyKey = key
        request.options = options
        request.wait = Google_Protobuf_Duration(rounding: wait)
        // The time limit of the call is extended by the time for the person.
        let timeout = self.options.timeout.map { $0 + wait }
        return try await call("RequestAuthorization", request, timeout: timeout)
    }

    /// Gets the person's settings for the app, and the number of the event after which they hold.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func notificationSettings() async throws(ClientError)
        -> Belfry_V1_GetNotificationSettingsResponse
    {
        var request = Belfry_V1_GetNotificationSettingsRequest()
        request.center = center
        return try await call("GetNotificationSettings", request)
    }

    /// Registers the app for pushes and gives its token; to be called at each launch (REG-3).
    ///
    /// - Parameters:
    ///   - environment: The environment; `unspecified` is the one of the app's entitlement.
    ///   - key: The idempotency key, if any.
    /// - Returns: The token for the app's provider, and its environment.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func registerForRemoteNotifications(
        in environment: Belfry_V1_PushEnvironment = .unspecified,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_RegisterForRemoteNotificationsResponse {
        var request = Belfry_V1_RegisterForRemoteNotificationsRequest()
        request.center = center
        request.idempotencyKey = key
        request.environment = environment
        return try await call("RegisterForRemoteNotifications", request)
    }

    /// Ends the app's registration for pushes, and gives whether it was registered.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func unregisterForRemoteNotifications(key: String = "") async throws(ClientError) -> Bool
    {
        var request = Belfry_V1_UnregisterForRemoteNotificationsRequest()
        request.center = center
        request.idempotencyKey = key
        let response: Belfry_V1_UnregisterForRemoteNotificationsResponse = try await call(
            "UnregisterForRemoteNotifications",
            request
        )
        return response.wasRegistered
    }

    /// Sets the app's badge and gives the new badge; 0 shows no badge.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; the badge is unchanged.
    public func setBadgeCount(_ count: Int32, key: String = "") async throws(ClientError) -> Int32 {
        var request = Belfry_V1_SetBadgeCountRequest()
        request.center = center
        request.idempotencyKey = key
        request.count = count
        let response: Belfry_V1_SetBadgeCountResponse = try await call("SetBadgeCount", request)
        return response.badge
    }
}
