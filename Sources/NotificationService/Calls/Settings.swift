internal import GRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSettings(in router: inout Router) {
        router.mutation("NotificationCenterService/RequestAuthorization", role: .app) {
            (
                request: Belfry_V1_RequestAuthorizationRequest,
                key: IdempotencyKey?,
                reply: Reply<Belfry_V1_RequestAuthorizationResponse>
            ) throws(Refusal) in
            let asked = try Self.asked(request.options)
            if request.hasWait { try Self.checkWait(request.wait) }
            store.requestAuthorization(
                asked,
                for: try CenterName(request.center),
                answer: self.options.prompts.answer,
                once: key
            ) { result in
                reply.finish(
                    result.map { settings in
                        .with { response in
                            response.granted = settings.isGranted
                            response.status = .init(settings.authorizationStatus)
                        }
                    }
                )
            }
        }
        router.unary("NotificationCenterService/GetNotificationSettings", role: .app) {
            (
                request: Belfry_V1_GetNotificationSettingsRequest,
                reply: Reply<Belfry_V1_GetNotificationSettingsResponse>
            ) throws(Refusal) in
            let center = try store.center(try CenterName(request.center))
            reply.finish(
                .success(
                    .with { response in
                        response.settings = .init(center.settings)
                        response.asOfEvent = center.lastEvent
                    }
                )
            )
        }
        router.mutation("NotificationCenterService/SetBadgeCount", role: .app) {
            (
                request: Belfry_V1_SetBadgeCountRequest,
                key: IdempotencyKey?,
                reply: Reply<Belfry_V1_SetBadgeCountResponse>
            )
                throws(Refusal) in
            store.setBadgeCount(Int64(request.count), of: try CenterName(request.center), once: key)
            {
                result in
                reply.finish(result.map { badge in .with { $0.badge = badge } })
            }
        }
    }
}

extension NotificationService {
    /// The longest that a caller may be ready to wait for the person (api.md 3), in seconds.
    private static let longestWaitSeconds: Int64 = 600

    private static func asked(
        _ wire: [Belfry_V1_AuthorizationOption]
    ) throws(Refusal) -> AuthorizationOptions {
        let reason = "OPTIONS_INVALID"
        guard !wire.isEmpty else {
            throw .invalid("options", "name at least one option", reason: reason)
        }
        return try optionSet(wire, "options", reason: reason)
    }

    /// Nobody has to wait, since prompts are answered at once, but a nonsensical wait is a mistake.
    private static func checkWait(_ wait: Google_Protobuf_Duration) throws(Refusal) {
        let longest = longestWaitSeconds * .nanosecondsPerSecond
        guard (0...longest).contains(try Int64(wait, "wait")) else {
            throw .invalid("wait", "must be 0-\(longestWaitSeconds) seconds")
        }
    }
}

extension NotificationService.Prompts {
    /// How the store answers for the person; nil where the person has to be asked.
    fileprivate var answer: PromptAnswer? {
        switch self {
        case .ask: nil
        case .grant: .grant
        case .deny: .deny
        }
    }
}
