package import BelfryGRPC
internal import BelfryHashing
internal import BelfryLocking
internal import Faults
package import NotificationCore
internal import NotificationProtocol

/// Decides who may call which rpc of the contract (W-11).
///
/// The server's own user, over a unix socket, may make every call. Another user needs a right that
/// was given to the user, and a caller over TCP a token.
package final class AccessControl: CallAuthorizer {
    /// The callers beside the server's own user, and their rights.
    package struct Options: Sendable {
        /// The rights of other users, over the unix sockets.
        package var users: [UInt32: AccessRights] = [:]
        /// The rights of clients over TLS, by the name in their certificates.
        package var certificates: [ExactText: AccessRights] = [:]
        /// Whether every program that reaches a TCP port may make every call, whatever its token.
        package var tcpNeedsNoToken = false
        /// The tokens at first; see ``AccessControl/replaceTokens(by:)``.
        package var tokens: [AccessToken] = []
        /// Called on a polling thread for each call with a token that is not known: it replaces the
        /// tokens if others count now.
        ///
        /// So a token counts as soon as it was made.
        package var refresh: @Sendable (_ replace: ([AccessToken]) -> Void) -> Void = { _ in }

        /// Makes, lists and revokes tokens for an admin's calls; nil where none are kept.
        package var keeper: (any TokenKeeper)?

        /// Lets in the server's own user alone, and tokens over TCP.
        package init() {}
    }

    /// Told of each refused call, on a polling thread.
    package typealias Observer =
        @Sendable (_ refusal: AccessRefusal, _ path: String, _ peer: String) -> Void

    private let owner: UInt32
    private let users: [UInt32: AccessRights]
    private let certificates: [ExactText: AccessRights]
    private let tcpNeedsNoToken: Bool
    private let refresh: @Sendable (_ replace: ([AccessToken]) -> Void) -> Void
    private let tokens: Guarded<TokenTable>
    private let streams = Guarded(TokenStreams())
    /// Refused calls by their reasons.
    ///
    /// Bounded: the reasons are the server's own names.
    private let refused = Guarded<[String: UInt64]>([:])
    private let revoked = Guarded<(@Sendable () -> Void)?>(nil)
    private let observer: Observer

    /// Makes the control of a server.
    ///
    /// - Parameters:
    ///   - owner: The server's own user.
    ///   - options: Who else may call.
    ///   - observer: Told of each refused call.
    package init(owner: UInt32, _ options: Options, observer: @escaping Observer) {
        self.owner = owner
        users = options.users
        certificates = options.certificates
        tcpNeedsNoToken = options.tcpNeedsNoToken
        refresh = options.refresh
        tokens = Guarded(TokenTable(options.tokens))
        self.observer = observer
    }

    /// Calls refused so far, by their reasons.
    ///
    /// Bounded: the reasons are the server's own names.
    package var refusedCounts: [String: UInt64] { refused.withLock { $0 } }

    /// Takes other tokens, and ends the open streams of those that are no more.
    package func replaceTokens(by newTokens: [AccessToken]) {
        let table = TokenTable(newTokens)
        let old = tokens.withLock { tokens in
            defer { tokens = table }
            return tokens
        }
        // End these streams: one that opens meanwhile looks at the new tokens, or is among these.
        let ending = streams.withLock { streams in
            old.all.filter { !table.has($0) }.flatMap { streams.of($0) }
        }
        for stream in ending where !Fault.revokedTokenStreamsOn.isPlanted {
            stream.finish(AccessRefusal.unknownToken.status)
        }
        if old.all.contains(where: { !table.has($0) }) { revoked.withLock { $0 }?() }
    }

    /// Says who is told, after tokens were revoked or have expired; `body` must not block.
    func whenRevoked(_ body: @escaping @Sendable () -> Void) { revoked.withLock { $0 = body } }

    /// Takes the tokens that count now, as for a call with a token that is not known.
    func refreshTokens() { refresh(replaceTokens(by:)) }

    // MARK: On polling threads

    /// Decides about every rpc of the contract; health and reflection take every peer.
    package func authorizer(of path: String) -> (any MethodAuthorizer)? {
        guard path.utf8.starts(with: "/belfry.".utf8) else { return nil }
        return MethodAccess(path, of: self)
    }

    /// Counts and tells a request that another protocol than gRPC refused before it was a call.
    package func refused(_ reason: String, _ message: String, at path: String, from peer: Peer) {
        refused.withLock { $0[reason, default: 0] += 1 }
        // Cut the path, which a client may write at any length: no path of the contract is longer.
        let path = String(decoding: path.utf8.prefix(200), as: UTF8.self)
        observer(.request(reason, message), path, peer.address)
    }

    /// The identity of a caller.
    enum Principal {
        /// May make every call.
        case unlimited
        case user(UInt32, AccessRights)
        case certificate(String, AccessRights)
        case bearer(AccessToken)

        var rights: AccessRights? {
            switch self {
            case .unlimited: nil
            case .user(_, let rights), .certificate(_, let rights): rights
            case .bearer(let token): token.rights
            }
        }

        /// The caller for whose account apps are registered; nil where the caller may make every
        /// call.
        var registrant: Registrant? {
            guard let rights, !rights.isAdmin else { return nil }
            return switch self {
            case .unlimited: nil
            case .user(let user, _): Registrant(.user, "\(user)")
            case .certificate(let name, _): Registrant(.certificate, name)
            case .bearer(let token): Registrant(.token, token.name)
            }
        }
    }

    func principal(of caller: Caller) throws(AccessRefusal) -> Principal {
        let user = caller.user
        if let user, user == owner || Fault.otherUserUnlimited.isPlanted { return .unlimited }
        let isOverTCP = caller.transport == .tcp
        if isOverTCP, tcpNeedsNoToken { return .unlimited }
        if let authorization = caller.authorization {
            return .bearer(try token(in: authorization))
        }
        if let user {
            guard let rights = users[user] else { throw .user(user) }
            return .user(user, rights)
        }
        if isOverTCP, !certificates.isEmpty, let name = caller.certificate {
            guard let rights = certificates[ExactText(name)] else { throw .certificate(name) }
            return .certificate(name, rights)
        }
        throw isOverTCP ? .noToken : .unknownUser
    }

    /// The account for the apps that a caller registers (W-11); nil for a caller that may make
    /// every call, and so register any number.
    package func registrant(of caller: Caller) -> Registrant? {
        do throws(AccessRefusal) {
            return try principal(of: caller).registrant
        } catch {
            // Count the call although the token is gone: it was valid when the call was admitted,
            // so the account has no name.
            return Registrant(.token, "")
        }
    }

    /// The token that a caller shows; nil where it shows none that counts.
    func token(of caller: Caller) -> AccessToken? {
        guard case .bearer(let token) = try? principal(of: caller) else { return nil }
        return token
    }

    /// Whether a token counts that was shown before.
    func counts(tokenWithDigest digest: [UInt8]) -> Bool {
        tokens.withLock { $0.token(of: digest) != nil }
    }

    private func token(in authorization: String) throws(AccessRefusal) -> AccessToken {
        if let token = tokens.withLock({ $0.lastToken(in: authorization) }) { return token }
        guard let digest = AccessToken.digest(inAuthorization: authorization) else {
            throw .unknownToken
        }
        if let token = tokens.withLock({ $0.token(of: digest, in: authorization) }) { return token }
        refreshTokens()
        guard let token = tokens.withLock({ $0.token(of: digest, in: authorization) }) else {
            throw .unknownToken
        }
        return token
    }

    /// Counts and tells a refusal.
    func refuse(_ refusal: AccessRefusal, _ path: String, _ caller: Caller) -> Status {
        refused.withLock { $0[refusal.reason, default: 0] += 1 }
        observer(refusal, path, caller.peer.address)
        return refusal.status
    }

    /// Keeps a stream of a token until the returned object is released.
    func hold(_ stream: ServerStream, of token: AccessToken) -> any Sendable & AnyObject {
        let number = streams.withLock { $0.add(stream, of: token) }
        // Look again, since the token may have been revoked after the call was admitted.
        if !tokens.withLock({ $0.has(token) }) {
            stream.finish(AccessRefusal.unknownToken.status)
        }
        return StreamHold { [self] in
            streams.withLock { $0.remove(number, of: token) }
        }
    }
}

/// Finds tokens by the digests of their texts.
private struct TokenTable {
    /// By the first bytes of the digest, which tell nothing about the text.
    private var tokens: [[UInt8]: [AccessToken]] = [:]

    /// The token of the last call, and the metadata that showed it: a caller shows the same at each
    /// call, and a digest takes longer than a comparison.
    private var last: (shown: [UInt8], token: AccessToken)?

    private static let keyByteCount = 8

    init(_ tokens: [AccessToken]) {
        for token in tokens { self.tokens[Self.key(token.digest), default: []].append(token) }
    }

    var all: [AccessToken] { tokens.values.flatMap(\.self) }

    func has(_ token: AccessToken) -> Bool { self.token(of: token.digest) == token }

    func token(of digest: [UInt8]) -> AccessToken? {
        tokens[Self.key(digest)]?.first { ConstantTime.isEqual($0.digest, digest) }
    }

    /// Finds a token by its digest, and keeps what showed it.
    mutating func token(of digest: [UInt8], in authorization: String) -> AccessToken? {
        guard let token = token(of: digest) else { return nil }
        last = (Array(authorization.utf8), token)
        return token
    }

    /// The token of the last call, if this call shows the same.
    func lastToken(in authorization: String) -> AccessToken? {
        guard let last, authorization.utf8.count == last.shown.count,
            ConstantTime.isEqual(last.shown, Array(authorization.utf8))
        else { return nil }
        return last.token
    }

    private static func key(_ digest: [UInt8]) -> [UInt8] { Array(digest.prefix(keyByteCount)) }
}

private struct TokenStreams {
    private var streams: [AccessToken: [UInt64: ServerStream]] = [:]
    private var last: UInt64 = 0

    func of(_ token: AccessToken) -> [ServerStream] {
        streams[token].map { Array($0.values) } ?? []
    }

    mutating func add(_ stream: ServerStream, of token: AccessToken) -> UInt64 {
        last += 1
        streams[token, default: [:]][last] = stream
        return last
    }

    mutating func remove(_ number: UInt64, of token: AccessToken) {
        streams[token]?[number] = nil
        if streams[token]?.isEmpty == true { streams[token] = nil }
    }
}

/// Does something when it is released.
private final class StreamHold: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
