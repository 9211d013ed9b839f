internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

// The calls of a content extension about the notifications that it shows (§19).

extension NotificationService {
    func registerContentExtensions(in router: inout Router) {
        registerActions(in: &router)
        registerCompletion(in: &router)
        change("UpdateContentView", in: &router) {
            (request: Belfry_V1_UpdateContentViewRequest) throws(Refusal) in
            .view(try ContentView(request.view))
        } response: {
            Belfry_V1_UpdateContentViewResponse()
        }
        change("PerformDefaultAction", in: &router) {
            (_: Belfry_V1_PerformDefaultActionRequest) throws(Refusal) in
            .openApp
        } response: {
            Belfry_V1_PerformDefaultActionResponse()
        }
        change("DismissContentExtension", in: &router) {
            (_: Belfry_V1_DismissContentExtensionRequest) throws(Refusal) in
            .dismiss
        } response: {
            Belfry_V1_DismissContentExtensionResponse()
        }
    }

    private func registerCompletion(in router: inout Router) {
        mutation("ExtensionService/CompleteContentExtension", in: &router) {
            (
                request: Belfry_V1_CompleteContentExtensionRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CompleteContentExtensionResponse>
            ) throws(Refusal) in
            guard request.hasResponseOption else {
                throw .invalid("response_option", "say what becomes of the action")
            }
            store.completeContentExtension(
                try ExtensionCallback.Name(request.callbackID),
                with: try choice(request.responseOption, "response_option"),
                of: try appName(request.appID),
                through: request.servingID,
                once: key
            ) { result in
                reply.finish(result.map { _ in .init() })
            }
        }
    }

    private func registerActions(in router: inout Router) {
        reading("ExtensionService/GetNotificationActions", in: &router) {
            (
                request: Belfry_V1_GetNotificationActionsRequest,
                reply: Reply<Belfry_V1_GetNotificationActionsResponse>
            ) throws(Refusal) in
            let actions = try feeds.actions(
                of: try PresentationIdentifier(wire: request.presentationID),
                app: try appName(request.appID)
            )
            reply.finish(
                .success(.with { $0.actions = actions.map(Belfry_V1_NotificationAction.init) })
            )
        }
        mutation("ExtensionService/SetNotificationActions", in: &router) {
            (
                request: Belfry_V1_SetNotificationActionsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SetNotificationActionsResponse>
            ) throws(Refusal) in
            let actions = try NotificationAction.list(request.actions, "actions")
            try actions.validateForPresentation()
            store.change(
                try PresentationIdentifier(wire: request.presentationID),
                of: try appName(request.appID),
                .actions(actions),
                once: key
            ) { result in
                reply.finish(
                    result.map { _ in
                        .with { $0.actions = actions.map(Belfry_V1_NotificationAction.init) }
                    }
                )
            }
        }
    }

    /// Registers an rpc that changes a presentation and answers nothing.
    private func change<Request: PresentationRequest, Response: Message>(
        _ rpc: String,
        in router: inout Router,
        _ read: @escaping @Sendable (Request) throws(Refusal) -> PresentationCommandChange,
        response: @escaping @Sendable () -> Response
    ) {
        mutation("ExtensionService/\(rpc)", in: &router) {
            (request: Request, key: OnceKey?, reply: Reply<Response>) throws(Refusal) in
            store.change(
                try PresentationIdentifier(wire: request.presentationID),
                of: try appName(request.appID),
                try read(request),
                once: key
            ) { result in
                reply.finish(result.map { _ in response() })
            }
        }
    }
}

private protocol PresentationRequest: MutatingRequest {
    var appID: String { get }
    var presentationID: String { get }
}

extension Belfry_V1_ContentFrame {
    init(_ told: ToldContent) {
        self.init()
        presentationID = told.presentation.text
        center = .init(told.center)
        switch told.kind {
        case .presented(let notification, let actions):
            presented.notification = .init(notification)
            presented.actions = actions.map(Belfry_V1_NotificationAction.init)
        case .media(let command): media = command == .play ? .play : .pause
        case .closed: closed = .init()
        }
    }
}

extension Belfry_V1_UpdateContentViewRequest: PresentationRequest {}
extension Belfry_V1_PerformDefaultActionRequest: PresentationRequest {}
extension Belfry_V1_DismissContentExtensionRequest: PresentationRequest {}
