internal import BelfryHashing
internal import NotificationCore
internal import NotificationStore

/// A token that stands for rights, as a server keeps it: without its text.
package struct AccessToken: Sendable, Hashable {
    /// The SHA-256 of the token's text.
    package let digest: [UInt8]
    /// The use of the token, for a person.
    package let name: String
    package let rights: AccessRights

    /// The lengths that a text may have, in bytes: a shorter one is no secret.
    package static let byteCounts = 32...4_096
    /// The digest in hexadecimal, as `sha256sum` prints it.
    package var sha256: String { digest.hexadecimal }

    /// Takes a token that was kept.
    ///
    /// - Precondition: `digest` has 32 bytes.
    package init(digest: [UInt8], name: String, rights: AccessRights) {
        precondition(digest.count == SHA256.byteCount, "a SHA-256 has 32 bytes")
        self.digest = digest
        self.name = name
        self.rights = rights
    }

    /// Takes a token by its text, which is not kept.
    package init(text: String, name: String, rights: AccessRights) {
        self.init(digest: Self.digest(of: text.utf8), name: name, rights: rights)
    }

    /// Makes the text of a new token: "belfry_" and 256 random bits in hexadecimal.
    package static func makeText() -> String { "belfry_" + randomBytes(32).hexadecimal }

    /// The digest of the token in a value of the metadata `authorization`; nil where it has none.
    static func digest(inAuthorization value: String) -> [UInt8]? {
        let scheme = "bearer ".utf8
        guard byteCounts.contains(value.utf8.count - scheme.count),
            zip(value.utf8, scheme).allSatisfy({ $0 | 0x20 == $1 })
        else { return nil }
        return digest(of: value.utf8.dropFirst(scheme.count))
    }

    private static func digest(of text: some Sequence<UInt8>) -> [UInt8] {
        SHA256.digest(of: Array(text).span)
    }

    private static func randomBytes(_ count: Int) -> [UInt8] {
        // The generator draws from the system's source of random bytes for keys.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
