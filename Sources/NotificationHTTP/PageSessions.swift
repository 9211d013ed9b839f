internal import BelfryHashing
internal import BelfryLocking
internal import Faults

/// The browsers that signed in: each stands for the token that it showed then, and can do what the
/// token can do now.
///
/// A session has two secrets. A browser sends the cookie to every port of this machine; the key is
/// kept by the page, which other ports and other sites cannot read, and sent in a header, which no
/// form and no picture has.
final class PageSessions: Sendable {
    /// Names a session: the digest of its cookie.
    typealias Identifier = [UInt8]

    /// The texts that a browser gets when it signs in.
    struct Secrets {
        let cookie: String
        let key: String
    }

    private struct Session {
        let keyDigest: [UInt8]
        /// The text of the token.
        let token: String
        let opened: ContinuousClock.Instant
    }

    /// How long a browser stays signed in.
    static let seconds = 30 * 24 * 3_600
    /// The sessions of one token; the oldest ends for a further one.
    static let limitOfToken = 8
    /// The sessions of all tokens; a further one is refused.
    static let limit = 512
    /// Longer texts are no secrets of a session.
    private static let secretBytes = 64

    private let sessions = Guarded<[Identifier: Session]>([:])

    /// Signs a browser in with a token, which somebody else has checked.
    ///
    /// - Returns: nil where there are too many sessions; and the sessions that ended for this one.
    func open(_ token: String) -> (secrets: Secrets?, ended: [Identifier]) {
        let secrets = Secrets(cookie: Self.makeSecret(), key: Self.makeSecret())
        let now = ContinuousClock.now
        return sessions.withLock { sessions in
            var ended = sessions.filter { Self.isOver($0.value, at: now) }.map(\.key)
            for session in ended { sessions[session] = nil }
            let own = sessions.filter { $0.value.token == token }
            if own.count >= Self.limitOfToken,
                let oldest = own.min(by: { $0.value.opened < $1.value.opened })?.key
            {
                sessions[oldest] = nil
                ended.append(oldest)
            }
            guard sessions.count < Self.limit else { return (nil, ended) }
            sessions[Self.digest(of: secrets.cookie)] = Session(
                keyDigest: Self.digest(of: secrets.key),
                token: token,
                opened: now
            )
            return (secrets, ended)
        }
    }

    /// The session of a request and its token; nil where the secrets are of none.
    func find(cookie: String, key: String) -> (session: Identifier, token: String)? {
        guard cookie.utf8.count <= Self.secretBytes, key.utf8.count <= Self.secretBytes else {
            return nil
        }
        let identifier = Self.digest(of: cookie)
        let keyDigest = Self.digest(of: key)
        let now = ContinuousClock.now
        return sessions.withLock { sessions in
            guard let session = sessions[identifier], !Self.isOver(session, at: now),
                ConstantTime.isEqual(session.keyDigest, keyDigest)
                    || Fault.sessionKeyNotChecked.isPlanted
            else { return nil }
            return (identifier, session.token)
        }
    }

    /// Signs a browser out.
    func end(_ session: Identifier) {
        sessions.withLock { $0[session] = nil }
    }

    private static func isOver(_ session: Session, at now: ContinuousClock.Instant) -> Bool {
        now - session.opened >= .seconds(seconds)
    }

    private static func digest(of secret: String) -> [UInt8] {
        SHA256.digest(of: Array(secret.utf8).span)
    }

    /// 256 random bits in hexadecimal.
    private static func makeSecret() -> String {
        // It draws from the system's source of random bytes for keys.
        var generator = SystemRandomNumberGenerator()
        return (0..<64).map { _ in
            String(Int.random(in: 0..<16, using: &generator), radix: 16)
        }.joined()
    }
}
