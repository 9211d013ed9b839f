internal import BelfryHashing

/// A browser's keys, by which a message is encrypted for it: no push service can read it
/// (RFC 8291).
package struct PushReceiver: Sendable {
    private let point: [UInt8]
    private let secret: [UInt8]

    package static let secretByteCount = 16
    private static let saltByteCount = 16
    /// The bytes of a record, of which a message has one: push services take no longer message.
    private static let recordByteCount = 4_096
    /// A salt, the record's length, and a point with its length.
    private static let headByteCount = saltByteCount + 4 + 1 + CurveKey.pointByteCount
    /// The longest text: a mark ends it.
    package static let textByteLimit =
        recordByteCount - headByteCount - 1 - SealedBytes.tagByteCount

    /// The browser with a subscription's `p256dh` and `auth`; nil where the point is none of P-256,
    /// or the secret has not 16 bytes.
    package init?(point: [UInt8], secret: [UInt8]) {
        guard secret.count == Self.secretByteCount, CurveKey.isPoint(point) else { return nil }
        self.point = point
        self.secret = secret
    }

    /// Encrypts a text with a key and a salt that no other message has.
    ///
    /// - Returns: The body of a message with the content coding `aes128gcm` (RFC 8188); nil where
    ///   the text is longer than ``textByteLimit``.
    package func message(_ text: [UInt8]) -> [UInt8]? {
        message(text, key: CurveKey(), salt: CurveKey.random(count: Self.saltByteCount))
    }

    /// ``message(_:)`` with the key and the salt of an example.
    func message(_ text: [UInt8], key: CurveKey, salt: [UInt8]) -> [UInt8]? {
        guard text.count <= Self.textByteLimit, let shared = key.secret(with: point) else {
            return nil
        }
        let material = Self.derived(
            from: shared,
            salt: secret,
            for: Array("WebPush: info\0".utf8) + point + key.point,
            count: AuthenticationCode.byteCount
        )
        func derived(_ name: String, count: Int) -> [UInt8] {
            let purpose = Array("Content-Encoding: \(name)\0".utf8)
            return Self.derived(from: material, salt: salt, for: purpose, count: count)
        }
        let size = UInt32(Self.recordByteCount)
        let head =
            salt + (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
            + [UInt8(key.point.count)] + key.point
        // The mark of the last record.
        return head
            + SealedBytes.seal(
                text + [2],
                key: derived("aes128gcm", count: SealedBytes.keyByteCount),
                nonce: derived("nonce", count: SealedBytes.nonceByteCount)
            )
    }

    /// HKDF with SHA-256 (RFC 5869), for at most as many bytes as one code has.
    private static func derived(
        from material: [UInt8],
        salt: [UInt8],
        for purpose: [UInt8],
        count: Int
    ) -> [UInt8] {
        let key = AuthenticationCode.code(of: material, key: salt)
        return Array(AuthenticationCode.code(of: purpose + [1], key: key).prefix(count))
    }
}
