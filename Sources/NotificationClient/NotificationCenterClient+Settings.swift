public import NotificationProtocol
internal import SwiftProtobuf

extension NotificationCenterClient {
    /// Asks the person for permission, once, and registers an app that is new.
    ///
    /// Waits for the person up to `wait`; then the answer has the status `notDetermined`, and a later
    /// call joins the prompt that is still open.
    ///
    /// - Parameters:
    ///   - options: What for. At least one.
    ///   - wait: How long to wait for the person, at most 10 minutes.
    ///   - key: The idempotency key, if any.
    /// - Returns: What the person said, or that nobody has decided yet.
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
        // The person's time comes on top of the time that the call itself may take.
        let timeout = self.options.timeout.map { $0 + wait }
        return try await call("RequestAuthorization", request, timeout: timeout)
    }

    /// Gives what the person allows, and the event after which it holds.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func notificationSettings() async throws(ClientError)
        -> Belfry_V1_GetNotificationSettingsResponse
    {
        var request = Belfry_V1_GetNotificationSettingsRequest()
        request.center = center
        return try await call("GetNotificationSettings", request)
    }

    /// Sets the app's badge, where 0 shows none, and gives the badge that is set.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; the badge is then as it was.
    public func setBadgeCount(_ count: Int32, key: String = "") async throws(ClientError) -> Int32 {
        var request = Belfry_V1_SetBadgeCountRequest()
        request.center = center
        request.idempotencyKey = key
        request.count = count
        let response: Belfry_V1_SetBadgeCountResponse = try await call("SetBadgeCount", request)
        return response.badge
    }
}
