public import GRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Plays a person and a screen: what a device is doing, what it shows, and what is done with it.
///
/// It is a value over a channel, which it does not close. Safe on any thread.
public struct DeviceClient: Sendable {
    /// The device that calls are about; empty is the server's own.
    public let device: String
    private let caller: Caller

    /// Makes a client; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - device: The device that calls are about; empty is the server's own.
    ///   - options: How calls are made.
    public init(channel: Channel, device: String = "", options: CallOptions = CallOptions()) {
        self.device = device
        self.caller = Caller(channel: channel, options: options)
    }

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

    /// Calls one rpc of the service.
    private func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call("/belfry.v1.DeviceService/\(rpc)", message)
    }
}
