public import NotificationProtocol
internal import SwiftProtobuf

extension ExtensionClient {
    /// Answers what is to become of an act of the person and of the view.
    ///
    /// - Parameters:
    ///   - callback: The question.
    ///   - option: The answer.
    ///   - serving: The name of the call that was asked.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal, for example after the 5 seconds.
    public func complete(
        _ callback: String,
        with option: Belfry_V1_ContentExtensionResponseOption,
        through serving: String,
        key: String = ""
    ) async throws(ClientError) {
        var request = Belfry_V1_CompleteContentExtensionRequest()
        request.appID = app
        request.idempotencyKey = key
        request.servingID = serving
        request.callbackID = callback
        request.responseOption = option
        let _: Belfry_V1_CompleteContentExtensionResponse = try await call(
            "CompleteContentExtension",
            request
        )
    }

    /// Gets the buttons of a presentation.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func actions(
        of presentation: String
    ) async throws(ClientError) -> [Belfry_V1_NotificationAction] {
        var request = Belfry_V1_GetNotificationActionsRequest()
        request.appID = app
        request.presentationID = presentation
        let response: Belfry_V1_GetNotificationActionsResponse = try await call(
            "GetNotificationActions",
            request
        )
        return response.actions
    }

    /// Replaces the buttons of a presentation; the category keeps its own.
    ///
    /// - Parameters:
    ///   - actions: The buttons, in the order of showing.
    ///   - presentation: The presentation.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func setActions(
        _ actions: [Belfry_V1_NotificationAction],
        of presentation: String,
        key: String = ""
    ) async throws(ClientError) {
        var request = Belfry_V1_SetNotificationActionsRequest()
        request.appID = app
        request.idempotencyKey = key
        request.presentationID = presentation
        request.actions = actions
        let _: Belfry_V1_SetNotificationActionsResponse = try await call(
            "SetNotificationActions",
            request
        )
    }

    /// Shows something else in a presentation.
    ///
    /// - Parameters:
    ///   - view: What to show; a view without data leaves what is shown, and changes the play
    ///     button.
    ///   - presentation: The presentation.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func show(
        _ view: Belfry_V1_ContentView,
        in presentation: String,
        key: String = ""
    ) async throws(ClientError) {
        var request = Belfry_V1_UpdateContentViewRequest()
        request.appID = app
        request.idempotencyKey = key
        request.presentationID = presentation
        request.view = view
        let _: Belfry_V1_UpdateContentViewResponse = try await call("UpdateContentView", request)
    }

    /// Opens the app, as a tap on the notification does.
    ///
    /// - Parameters:
    ///   - presentation: The presentation.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func performDefaultAction(
        in presentation: String,
        key: String = ""
    ) async throws(ClientError) {
        var request = Belfry_V1_PerformDefaultActionRequest()
        request.appID = app
        request.idempotencyKey = key
        request.presentationID = presentation
        let _: Belfry_V1_PerformDefaultActionResponse = try await call(
            "PerformDefaultAction",
            request
        )
    }

    /// Closes the view; the notification stays.
    ///
    /// - Parameters:
    ///   - presentation: The presentation.
    ///   - key: The idempotency key, if any.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func dismiss(_ presentation: String, key: String = "") async throws(ClientError) {
        var request = Belfry_V1_DismissContentExtensionRequest()
        request.appID = app
        request.idempotencyKey = key
        request.presentationID = presentation
        let _: Belfry_V1_DismissContentExtensionResponse = try await call(
            "DismissContentExtension",
            request
        )
    }

    private func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call("/belfry.v1.ExtensionService/\(rpc)", message)
    }
}
