internal import BelfryGRPC
internal import Faults
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerPerson(in router: inout Router) {
        mutation("DeviceService/Respond", in: &router) {
            (
                request: Belfry_V1_RespondRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RespondResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let target = try RespondTarget(request, on: device)
            let told: Completion<RespondOutcome> = { result in
                reply.finish(
                    result.map { outcome in .with { $0.outcome = .init(outcome) } }
                        .mapError(\.ofAction)
                )
            }
            if case .media(let wanted) = request.act {
                guard case .presentation(let identifier, _) = target else {
                    throw .responseInvalid("media", "plays only in a notification that is open")
                }
                let command = try MediaCommand(wanted)
                store.press(command, in: identifier, on: device, once: key, completion: told)
            } else {
                store.respond(try PersonAct(request), to: target, once: key, completion: told)
            }
        }
        mutation("DeviceService/Dismiss", in: &router) {
            (
                request: Belfry_V1_DismissRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_DismissResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            store.dismiss(try DismissTarget(request, on: device), once: key) { result in
                reply.finish(
                    result.map { dismissal in
                        .with { response in
                            response.dismissed = dismissal.dismissed.map { .init($0) }
                            response.count = UInt64(dismissal.count)
                        }
                    }
                )
            }
        }
        mutation("DeviceService/OpenSettings", in: &router) {
            (
                request: Belfry_V1_OpenSettingsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_OpenSettingsResponse>
            ) throws(Refusal) in
            let center = try CenterName(request.center)
            var notification: NotificationReference?
            if request.hasNotification {
                notification = try .init(request.notification, on: center.device)
                guard notification?.center == center else {
                    throw .invalid("notification.center", "must be the app that is asked")
                }
            }
            store.openSettings(of: center, from: notification, once: key) { result in
                reply.finish(result.map { _ in .init() })
            }
        }
    }
}

extension PersonAct {
    fileprivate init(_ request: Belfry_V1_RespondRequest) throws(Refusal) {
        switch request.act {
        case .defaultAction: self = .open
        case .action(let action):
            self = .action(
                identifier: action.actionIdentifier,
                text: action.hasUserText ? action.userText : nil
            )
        case .media, nil: throw .responseInvalid("act", "say what the person does")
        }
    }
}

extension DismissTarget {
    /// Reads the notifications that the person of a device dismisses.
    fileprivate init(_ request: Belfry_V1_DismissRequest, on device: String) throws(Refusal) {
        let several = request.notifications
        guard several.count <= Self.listLimit else { throw .tooManyDismissed }
        guard several.isEmpty || request.target == nil else {
            throw .dismissInvalid("target", "is beside notifications, which name what is dismissed")
        }
        switch (request.target, request.kind) {
        case (.all, .unspecified) where Fault.forgottenKindClears.isPlanted:
            self = .all(device: device)
        case (_, .unspecified): throw .invalid("kind", "say how it is dismissed")
        case (_, .UNRECOGNIZED(let value)): throw .invalid("kind", "has no value \(value)")
        case (.notification(let reference), .clear): self = .one(try .init(reference, on: device))
        case (.notification(let reference), .swipeAway):
            self = .banner(try .init(reference, on: device))
        case (.groupID(let group), .clear): self = .group(try GroupName(group, on: device))
        case (.all, .clear): self = .all(device: device)
        case (nil, _) where several.isEmpty:
            throw .dismissInvalid("target", "say what is dismissed")
        case (nil, .clear):
            self = .these(
                try several.enumerated().map { place, wire throws(Refusal) in
                    try .init(wire, on: device, "notifications[\(place)]")
                }
            )
        case (_, .swipeAway):
            throw .dismissInvalid("kind", "only one notification is swiped away")
        }
    }
}

extension RespondTarget {
    /// Reads the notification on which the person of a device acts.
    fileprivate init(
        _ request: Belfry_V1_RespondRequest,
        on device: String
    ) throws(Refusal) {
        switch request.target {
        case .notification(let reference):
            self = .notification(try NotificationReference(reference, on: device))
        case .presentationID(let text):
            self = .presentation(try PresentationIdentifier(wire: text), device: device)
        case nil: throw .responseInvalid("target", "say on what the person acts")
        }
    }
}

extension MediaCommand {
    fileprivate init(_ wire: Belfry_V1_MediaCommand) throws(Refusal) {
        switch wire {
        case .play: self = .play
        case .pause: self = .pause
        case .unspecified, .UNRECOGNIZED:
            throw .responseInvalid("media", "is PLAY or PAUSE")
        }
    }
}

extension NotificationReference {
    /// Reads a reference to a notification, which must belong to the device, where one is named;
    /// `field` is its place in the request.
    init(
        _ wire: Belfry_V1_NotificationRef,
        on device: String? = nil,
        _ field: String = "notification"
    ) throws(Refusal) {
        let center: CenterName
        do {
            center = try CenterName(wire.center)
        } catch {
            throw error.within(.written(field))
        }
        guard center.device == device ?? center.device else {
            throw .invalid("\(field).center.device_id", "must be that of device_id")
        }
        guard (1...Limits.identifierBytes).contains(wire.identifier.utf8.count) else {
            throw .identifierInvalid(.written("\(field).identifier"))
        }
        let delivery = DeliveryNumber(rawValue: wire.delivery)
        self.init(center: center, identifier: wire.identifier, delivery: delivery)
    }
}

extension Belfry_V1_RespondOutcome {
    fileprivate init(_ outcome: RespondOutcome) {
        self = .init(rawValue: Int(outcome.rawValue)) ?? .unspecified
    }
}

extension Belfry_V1_NotificationRef {
    init(_ reference: NotificationReference) {
        self.init()
        center = .init(reference.center)
        identifier = reference.identifier
        delivery = reference.delivery.rawValue
    }
}

extension Refusal {
    fileprivate static func responseInvalid(_ path: String, _ problem: String) -> Refusal {
        .invalid(path, problem, reason: .responseInvalid)
    }

    static let tooManyDismissed = dismissInvalid(
        "notifications",
        "names at most \(DismissTarget.listLimit)"
    )

    fileprivate static func dismissInvalid(_ path: String, _ problem: String) -> Refusal {
        .invalid(path, problem, reason: .dismissInvalid)
    }

    /// The same refusal with the path in the request: the request names the text of an action
    /// differently.
    fileprivate var ofAction: Refusal {
        let beside: [FieldPath] = [[.idempotencyKey], [.presentation], [.media]]
        guard let field = fields.first, !beside.contains(field.path) else { return self }
        let path: FieldPath = field.path == [.text] ? .written("user_text") : field.path
        var refusal = self
        refusal.fields = [WrongField(path, field.problem)]
        refusal.message = field.problem
        return refusal.ofPart("action")
    }
}
