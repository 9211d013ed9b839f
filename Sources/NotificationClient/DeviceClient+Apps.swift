public import NotificationProtocol
internal import SwiftProtobuf

// The person's decisions about the apps of a device.

extension DeviceClient {
    /// Gets one page of the device's apps.
    ///
    /// - Parameters:
    ///   - pageSize: The largest number of apps, 1 to 1,000; 0 leaves the number to the server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listApps(
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListAppsResponse {
        var request = Belfry_V1_ListAppsRequest()
        request.deviceID = device
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListApps", request)
    }

    /// Changes an app's settings as the person.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - settings: The new values.
    ///   - paths: The fields of `settings` to change, such as "alert_setting".
    ///   - grouping: How the app's notifications are grouped; nil leaves the grouping unchanged.
    ///   - location: What the app may know of the location; nil leaves that unchanged.
    ///   - key: The idempotency key, if any.
    /// - Returns: All of the person's settings for the app.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func updateSettings(
        of app: String,
        _ settings: Belfry_V1_NotificationSettings = .init(),
        paths: [String],
        grouping: Belfry_V1_NotificationGrouping? = nil,
        location: Belfry_V1_LocationPermission? = nil,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_UpdateSettingsResponse {
        var request = Belfry_V1_UpdateSettingsRequest()
        request.center.appID = app
        request.center.deviceID = device
        request.idempotencyKey = key
        request.settings = settings
        request.updateMask.paths = paths
        if let grouping { request.grouping = grouping }
        if let location { request.locationPermission = location }
        return try await call("UpdateSettings", request)
    }

    /// Answers an app's permission prompt as the person.
    ///
    /// - Parameters:
    ///   - prompt: The identifier of the prompt.
    ///   - answer: The person's answer.
    ///   - options: The options that `allow` allows; an empty array allows all requested options
    ///     except critical alerts.
    ///   - keepsInSummary: Whether `keep` puts the app into the scheduled summary.
    ///   - key: The idempotency key, if any.
    /// - Returns: The app's settings after the answer.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func answerPrompt(
        _ prompt: String,
        _ answer: Belfry_V1_PromptAnswer,
        options: [Belfry_V1_AuthorizationOption] = [],
        keepsInSummary: Bool = false,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_NotificationSettings {
        var request = Belfry_V1_AnswerAuthorizationPromptRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.promptID = prompt
        request.answer = answer
        request.options = options
        request.keepInSummary = keepsInSummary
        let response: Belfry_V1_AnswerAuthorizationPromptResponse = try await call(
            "AnswerAuthorizationPrompt",
            request
        )
        return response.settings
    }
}
