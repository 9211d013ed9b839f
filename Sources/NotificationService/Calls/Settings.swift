internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSettings(in router: inout Router) {
        mutation("NotificationCenterService/RequestAuthorization", in: &router) {
            (
                request: Belfry_V1_RequestAuthorizationRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RequestAuthorizationResponse>
            ) throws(Refusal) in
            let asked = try AuthorizationOptions(asked: request.options)
            let answer = try PromptAnswer(by: options.prompts, request)
            // It may wait for the person.
            reply.watchCaller()
            store.requestAuthorization(
                asked,
                for: try CenterName(request.center),
                answer: answer,
                by: reply.registrant,
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
        reading("NotificationCenterService/GetNotificationSettings", in: &router) {
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
                        response.asOfEvent = center.lastEvent.rawValue
                    }
                )
            )
        }
        mutation("NotificationCenterService/SetBadgeCount", in: &router) {
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

extension AuthorizationOptions {
    fileprivate init(asked wire: [Belfry_V1_AuthorizationOption]) throws(Refusal) {
        let reason = Reason.optionsInvalid
        guard !wire.isEmpty else {
            throw .invalid("options", "name at least one option", reason: reason)
        }
        self = try optionSet(wire, "options", reason: reason)
    }
}

extension PromptAnswer {
    /// The longest wait for the person's answer that a caller may ask for (W-18), in seconds.
    private static let longestWaitSeconds: Int64 = 600
    /// The wait for the person's answer when the request names no wait (W-18), in nanoseconds.
    private static let usualWait = 60 * Int64.nanosecondsPerSecond

    /// Makes the store's answer for the person, or the wait for the person's own answer.
    fileprivate init(
        by prompts: EmbeddedServer.Prompts,
        _ request: Belfry_V1_RequestAuthorizationRequest
    ) throws(Refusal) {
        let wait = request.hasWait ? try Self.wait(request.wait) : Self.usualWait
        switch prompts {
        case .ask: self = .ask(waitNanoseconds: wait)
        case .grant: self = .grant
        case .deny: self = .deny
        }
    }

    /// Reads the wait for the person's answer, in nanoseconds.
    private static func wait(_ wire: Google_Protobuf_Duration) throws(Refusal) -> Int64 {
        let wait = try Int64(wire, "wait")
        guard (0...longestWaitSeconds * .nanosecondsPerSecond).contains(wait) else {
            throw .invalid("wait", "must be 0-\(longestWaitSeconds) seconds")
        }
        return wait
    }
}
