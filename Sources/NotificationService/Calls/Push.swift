internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerPush(in router: inout Router) {
        mutation("PushService/Push", in: &router) {
            (
                request: Belfry_V1_PushRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_PushResponse>
            ) throws(Refusal) in
            // Check in the order of §21.4: the token's form comes first.
            let target = try PushTarget(request)
            var headers = try PushHeaders(request.headers)
            headers.trace = reply.trace
            let identifier = try PushIdentifier(request.headers)
            let push = try Push(
                headers,
                payload: request.payloadJson,
                at: store.clock.now().wall
            )
            store.push(push, to: target, as: identifier, once: key) { result in
                reply.finish(
                    result.map { told in
                        .with { response in
                            response.apnsID = told.apnsID
                            response.outcome = .init(told.outcome)
                            response.identifier = told.identifier
                        }
                    }
                )
            }
        }
        mutation("PushService/WithdrawNotifications", in: &router) {
            (
                request: Belfry_V1_WithdrawNotificationsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_WithdrawNotificationsResponse>
            ) throws(Refusal) in
            let app = try appName(request.appID)
            let identifiers = try RequestLimits.identifiers(request.identifiers)
            switch request.target {
            case .token(let token):
                store.withdraw(identifiers, fromToken: token, of: app, once: key) { result in
                    reply.finish(result.map { count in .with { $0.withdrawnCount = count } })
                }
            case .tagExpression(let text):
                let expression = try TagExpression(refusing: text)
                store.withdraw(identifiers, fitting: expression, of: app, once: key) { result in
                    reply.finish(result.map { count in .with { $0.withdrawnCount = count } })
                }
            case nil: throw .tokenMissing
            }
        }
    }
}

extension PushTarget {
    fileprivate init(_ wire: Belfry_V1_PushRequest) throws(Refusal) {
        switch wire.target {
        case .center(let center): self = .center(try CenterName(center))
        case .token(let token):
            guard !token.isEmpty else { throw .tokenMissing }
            guard DeviceToken(text: token) != nil else { throw .badDeviceToken() }
            self = .token(token)
        case nil: throw .tokenMissing
        }
    }
}

extension PushHeaders {
    /// Reads the headers that APNs has; ``PushIdentifier`` checks the form of `apns_id`.
    init(_ wire: Belfry_V1_PushHeaders) throws(Refusal) {
        self.init()
        if wire.pushType != .unspecified {
            guard let known = UInt8(exactly: wire.pushType.rawValue).flatMap(PushType.init) else {
                throw .invalid(
                    "headers.push_type",
                    "has no value \(wire.pushType.rawValue)",
                    reason: .invalidPushType
                )
            }
            type = known
        }
        topic = wire.topic
        expiration =
            wire.hasExpiration
            ? try WallInstant(wire.expiration, "headers.expiration", reason: .badExpirationDate)
            : nil
        priority = wire.hasPriority ? wire.priority : nil
        collapseIdentifier = wire.collapseID
    }
}

extension PushIdentifier {
    /// Reads the name of a push; one without a name gets one.
    fileprivate init(_ wire: Belfry_V1_PushHeaders) throws(Refusal) {
        guard !wire.apnsID.isEmpty else {
            self = .random()
            return
        }
        guard let given = PushIdentifier(text: wire.apnsID) else {
            throw .invalid([.headers, .apnsID], "is a UUID", reason: .badMessageID)
        }
        self = given
    }
}

extension Belfry_V1_PushOutcome {
    init(_ outcome: PushOutcome) {
        self = .init(rawValue: Int(outcome.rawValue)) ?? .unspecified
    }
}
