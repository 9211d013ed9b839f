internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSettings(in router: inout Router) {
        mutation("NotificationCenterService/RequestAuthorization", role: .app, in: &router) {
            (
                request: Belfry_V1_RequestAuthorizationRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RequestAuthorizationResponse>
            ) throws(Refusal) in
            let asked = try Self.asked(request.options)
            let wait = request.hasWait ? try Self.wait(request.wait) : Self.usualWait
            store.requestAuthorization(
                asked,
                for: try CenterName(request.center),
                answer: self.options.prompts.answer(wait: wait),
                once: key
            ) { result in
                reply.finish(
                    result.map { told in
                        .with { response in
                            response.granted = told.settings.isGranted
                            response.status = .init(told.settings.authorizationStatus)
                            response.promptID = told.prompt.map { "\($0)" } ?? ""
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
            noteCall(request)
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
        mutation("NotificationCenterService/SetBadgeCount", role: .app, in: &router) {
            (
                request: Belfry_V1_SetBadgeCountRequest,
                key: OnceKey?,
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
    /// The longest that a caller may be ready to wait for the person (W-18), in seconds.
    private static let longestWaitSeconds: Int64 = 600
    /// How long a caller waits that does not say (W-18), in nanoseconds.
    private static let usualWait = 60 * Int64.nanosecondsPerSecond

    private static func asked(
        _ wire: [Belfry_V1_AuthorizationOption]
    ) throws(Refusal) -> AuthorizationOptions {
        let reason = "OPTIONS_INVALID"
        guard !wire.isEmpty else {
            throw .invalid("options", "name at least one option", reason: reason)
        }
        return try optionSet(wire, "options", reason: reason)
    }

    /// Reads how long a caller is ready to wait for the person, in nanoseconds.
    private static func wait(_ wire: Google_Protobuf_Duration) throws(Refusal) -> Int64 {
        let wait = try Int64(wire, "wait")
        guard (0...longestWaitSeconds * .nanosecondsPerSecond).contains(wait) else {
            throw .invalid("wait", "must be 0-\(longestWaitSeconds) seconds")
        }
        return wait
    }
}

extension NotificationService.Prompts {
    /// How the store answers for the person, or for how many nanoseconds it asks them.
    fileprivate func answer(wait: Int64) -> PromptAnswer {
        switch self {
        case .ask: .ask(waitNanoseconds: wait)
        case .grant: .grant
        case .deny: .deny
        }
    }
}
