public import NotificationProtocol
internal import SwiftProtobuf

// What the person decides about the apps of a device.

extension DeviceClient {
    /// Gives one page of the device's apps.
    ///
    /// - Parameters:
    ///   - pageSize: How many at most, 1 to 1,000; 0 is the server's choice.
    ///   - pageToken: Where to go on, from the page before; empty is the beginning.
    /// - Returns: The page, and where to go on.
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

    /// Changes what the person chose for an app.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - settings: The new values.
    ///   - paths: Which of them change, as "alert_setting".
    ///   - grouping: How its notifications are grouped; nil leaves it.
    ///   - key: The idempotency key, if any.
    /// - Returns: All that the person chose for it.
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
    public func updateSettings(
        of app: String,
        _ settings: Belfry_V1_NotificationSettings = .init(),
        paths: [String],
        grouping: Belfry_V1_NotificationGrouping? = nil,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_UpdateSettingsResponse {
        var request = Belfry_V1_UpdateSettingsRequest()
        request.center.appID = app
        request.center.deviceID = device
        request.idempotencyKey = key
        request.settings = settings
        request.updateMask.paths = paths
        if let grouping { request.grouping = grouping }
        return try await call("UpdateSettings", request)
    }

    /// Answers an app that asks the person.
    ///
    /// - Parameters:
    ///   - prompt: Which question.
    ///   - answer: What the person says.
    ///   - options: What `allow` allows; none is all of it but critical alerts.
    ///   - keepsInSummary: `keep` puts the app into the scheduled summary.
    ///   - key: The idempotency key, if any.
    /// - Returns: The app's settings after it.
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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
