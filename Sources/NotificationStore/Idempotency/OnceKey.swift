package import NotificationCore
internal import NotificationRecords

/// Names one attempt to change something, so that a retry acts once (W-9, P5).
///
/// A version 7 UUID: its first bits are the time at which the client made it, so that the keys of
/// most calls are appended to their table.
package struct OnceKey: Hashable, Sendable {
    let bytes: [UInt8]
    /// The fingerprint of the request's content.
    let fingerprint: UInt128
    /// The caller to whom the kept reply is charged; nil for a caller without a limit.
    var registrant: Registrant?

    /// Reads the key of a request.
    ///
    /// - Parameters:
    ///   - text: The UUID, in the form `01890a5d-ac96-774b-bcce-b302099a8057`.
    ///   - method: The name of the called method.
    ///   - request: The request's bytes.
    ///   - registrant: For whom the kept reply counts; nil for a caller without a limit.
    /// - Throws: A refusal that names the key where it is not a version 7 UUID.
    package init(
        _ text: String,
        method: String,
        request: [UInt8],
        by registrant: Registrant? = nil
    ) throws(Refusal) {
        self.registrant = registrant
        guard let bytes = UUIDForm.bytes(of: text), bytes[6] >> 4 == 7, bytes[8] >> 6 == 2 else {
            throw .invalid(
                [.idempotencyKey],
                Self.problem
            )
        }
        self.bytes = bytes
        var hash = Fingerprint()
        hash.combine(Array(method.utf8))
        hash.combine(request)
        fingerprint = hash.value
    }

    /// Whether the other has the same UUID, of whatever request.
    package func hasUUID(of other: OnceKey) -> Bool { bytes == other.bytes }

    /// The problem with another text, and the way to make a key.
    ///
    /// Another UUID has no time: whether a key that was forgotten acted could not be told (W-9).
    private static let problem = """
        must be a version 7 UUID, whose time keeps a forgotten key from acting again. \
        Python: str(uuid.UUID(f"{time.time_ns() // 10**6:012x}7{uuid.uuid4().hex[13:]}")); \
        Go: uuid.NewV7() of github.com/google/uuid; \
        JavaScript: Date.now().toString(16).padStart(12, "0").replace(/.{8}/, "$&-") + "-7" + \
        crypto.randomUUID().slice(15)
        """

    /// Adds bytes to the fingerprint, for a request with more content than its message, such as a
    /// file in parts.
    func covering(_ bytes: [UInt8]) -> OnceKey {
        var hash = Fingerprint(value: fingerprint)
        hash.combine(bytes)
        return OnceKey(bytes: self.bytes, fingerprint: hash.value, registrant: registrant)
    }

    /// The key of a command that an earlier run of the server began; the key's row names the caller
    /// that is charged.
    init(_ kept: OpenCommandRecord.Key) {
        self.init(bytes: kept.identifier, fingerprint: kept.fingerprint, registrant: nil)
    }

    private init(bytes: [UInt8], fingerprint: UInt128, registrant: Registrant?) {
        self.registrant = registrant
        self.bytes = bytes
        self.fingerprint = fingerprint
    }

    /// The key's row.
    var identifier: OnceIdentifier { OnceIdentifier(bytes: bytes) }

    /// When the client made the key: milliseconds since 1970-01-01T00:00:00Z.
    var milliseconds: Int64 { Self.milliseconds(bytes) }

    /// When the client made the key that begins with `bytes`.
    static func milliseconds(_ bytes: [UInt8]) -> Int64 {
        bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// A hash of 128 bits, the same in every process and version, since fingerprints are stored.
///
/// Each step is reversible: pieces that differ in eight bytes alone, as ``mix(_:)`` takes them,
/// never have the same fingerprint, and others have it only by chance.
///
/// The fingerprint guards a client against its own mistakes, not against an attacker who looks for
/// collisions: only the client that made a key knows it.
struct Fingerprint {
    /// The fraction of the golden ratio, which spreads the bits of a product.
    private static let multiplier: UInt128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835
    private(set) var value: UInt128

    /// Begins, or continues from an earlier fingerprint.
    init(value: UInt128 = multiplier) { self.value = value }

    /// Adds a piece; its length tells it from the next one.
    mutating func combine(_ piece: [UInt8]) {
        mix(UInt64(piece.count))
        var place = 0
        while place + 8 <= piece.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word = word << 8 | UInt64(piece[place + offset]) }
            mix(word)
            place += 8
        }
        var rest: UInt64 = 0
        for place in place..<piece.count { rest = rest << 8 | UInt64(piece[place]) }
        mix(rest)
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ UInt128(word)) &* Self.multiplier
        value ^= value >> 64
    }
}

extension Refusal {
    /// The key was used for another request: nothing happened.
    package static let idempotencyKeyReused = Refusal(
        .invalidArgument,
        reason: .idempotencyKeyReused,
        message: "was used with another request: make a new key for each request",
        fields: [WrongField([.idempotencyKey], "was used with another request")]
    )

    /// The key is older than all kept keys, so it is no longer known whether it acted.
    static let idempotencyKeyExpired = Refusal(
        .failedPrecondition,
        reason: .idempotencyKeyExpired,
        message: """
            is older than the keys that are kept, so whether it acted is not known: look at the \
            lists, then use a new key
            """,
        fields: [WrongField([.idempotencyKey], "is older than the keys that are kept")]
    )
}
