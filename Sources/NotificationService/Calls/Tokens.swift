internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    /// Registers the calls that make, list and revoke the tokens of callers.
    func registerTokens(in router: inout Router) {
        mutation("AdminService/CreateToken", in: &router) {
            (
                request: Belfry_V1_CreateTokenRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CreateTokenResponse>
            ) throws(Refusal) in
            let roles = try grants(request.roles)
            let seconds = request.hasExpiresIn ? try tokenSeconds(request.expiresIn) : nil
            keepTokens(reply, once: key) { keeper throws(Refusal) in
                try keeper.create(request.name, roles, seconds: seconds)
            }
        }
        listing("AdminService/ListTokens", in: &router) {
            (_: Belfry_V1_ListTokensRequest, reply: Reply<Belfry_V1_ListTokensResponse>) in
            keepTokens(reply) { keeper throws(Refusal) in
                let tokens = try keeper.list()
                return .with { $0.tokens = tokens }
            }
        }
        mutation("AdminService/RevokeToken", in: &router) {
            (
                request: Belfry_V1_RevokeTokenRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RevokeTokenResponse>
            ) throws(Refusal) in
            guard (1...64).contains(request.id.utf8.count) else {
                throw .invalid("id", "must have 1 to 64 bytes")
            }
            keepTokens(reply, once: key) { keeper throws(Refusal) in
                let token = try keeper.revoke(request.id)
                return .with { $0.token = token }
            }
        }
    }

    /// Answers with what the tokens' file gives, which may block; its tokens then count.
    private func keepTokens<Response: Message>(
        _ reply: Reply<Response>,
        once key: OnceKey? = nil,
        _ body: @escaping @Sendable (any TokenKeeper) throws(Refusal) -> Response
    ) {
        Task { [options, tokenReplies] in
            reply.finish(
                await blocking {
                    Result { () throws(Refusal) in
                        guard let keeper = options.tokens else { throw .noTokens }
                        return try tokenReplies.answer(key) { () throws(Refusal) in
                            let response = try body(keeper)
                            options.tokensChanged()
                            return response
                        }
                    }
                }
            )
        }
    }

    private func grants(_ roles: [String]) throws(Refusal) -> [AccessGrant] {
        guard (1...RequestLimits.roles).contains(roles.count) else {
            throw RequestLimits.wrongRoles
        }
        var grants: [AccessGrant] = []
        for (place, role) in roles.enumerated() {
            guard role.utf8.count <= 256, let grant = AccessGrant(role) else {
                throw .invalid(
                    "roles[\(place)]",
                    """
                    must be app, device, provider, extension, metrics or admin, and behind a colon \
                    the app or device, or the beginning of such with a * behind it
                    """
                )
            }
            grants.append(grant)
        }
        return grants
    }

    private func tokenSeconds(_ lifetime: Google_Protobuf_Duration) throws(Refusal) -> Int64 {
        let seconds = try Int64(lifetime, "expires_in") / 1_000_000_000
        guard (1...3_153_600_000).contains(seconds) else {
            throw .invalid("expires_in", "must be 1 s to 100 years")
        }
        return seconds
    }
}

/// The last answers to calls with an idempotency key that changed the tokens.
///
/// They are not in the store, which would keep the texts of tokens.
final class TokenReplies: Sendable {
    private static let limit = 64

    private let kept = Guarded<[(key: OnceKey, response: any Message)]>([])

    /// Gives the answer that the key got before, else what `body` gives; one call at a time.
    func answer<Response: Message>(
        _ key: OnceKey?,
        _ body: () throws(Refusal) -> Response
    ) throws(Refusal) -> Response {
        guard let key else { return try body() }
        return try kept.withLock { kept throws(Refusal) in
            if let found = kept.first(where: { $0.key.hasUUID(of: key) }) {
                guard found.key == key, let response = found.response as? Response else {
                    throw .idempotencyKeyReused
                }
                return response
            }
            let response = try body()
            kept = kept.suffix(Self.limit - 1) + [(key, response)]
            return response
        }
    }
}

extension Refusal {
    fileprivate static let noTokens = Refusal(
        .failedPrecondition,
        reason: .tokensUnavailable,
        message: "this server has no file of tokens"
    )
}
