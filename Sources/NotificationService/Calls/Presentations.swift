internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

// The notifications that the person opens (§19).

extension NotificationService {
    func registerPresentations(in router: inout Router) {
        mutation("DeviceService/OpenNotification", in: &router) {
            (
                request: Belfry_V1_OpenNotificationRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_OpenNotificationResponse>
            ) throws(Refusal) in
            let target = try NotificationReference(request.notification)
            store.open(target, as: .random(), once: key) { result in
                switch result {
                case .success(let identifier):
                    feeds.showPresentation(identifier, for: reply.caller) { result in
                        reply.finish(
                            result.map { shown in .with { $0.presentation = .init(shown) } }
                        )
                    }
                case .failure(let refusal): reply.finish(.failure(refusal))
                }
            }
        }
        mutation("DeviceService/CloseNotification", in: &router) {
            (
                request: Belfry_V1_CloseNotificationRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CloseNotificationResponse>
            ) throws(Refusal) in
            store.close(
                try PresentationIdentifier(wire: request.presentationID),
                on: try CenterName.deviceName(request.deviceID),
                once: key
            ) { result in
                reply.finish(result.map { _ in .init() })
            }
        }
    }
}

extension PresentationIdentifier {
    /// Reads the name of a presentation; a text that is none names no presentation.
    init(wire text: String) throws(Refusal) {
        guard let identifier = Self(text) else { throw .presentationNotFound }
        self = identifier
    }
}

extension Belfry_V1_OpenPresentation {
    init(_ shown: ShownPresentation) {
        self.init()
        presentationID = shown.presentation.identifier.text
        notification = .init(shown.notification)
        actions = shown.presentation.actions.map(Belfry_V1_NotificationAction.init)
        if let item = shown.presentation.contentExtension { self.extension = .init(item) }
        if let view = shown.presentation.view { self.view = .init(view) }
    }
}

extension Belfry_V1_PresentationFrame {
    init(_ change: DeviceNews.PresentationChange, of identifier: PresentationIdentifier) {
        self.init()
        presentationID = identifier.text
        switch change {
        case .actions(let actions):
            actionsChanged.actions = actions.map(Belfry_V1_NotificationAction.init)
        case .view(let view): viewUpdated = .init(view)
        case .closed: closed = .init()
        }
    }
}
