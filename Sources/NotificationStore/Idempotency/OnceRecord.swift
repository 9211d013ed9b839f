internal import BelfryLMDB
internal import NotificationCore

/// What an idempotency key stands for, as its table keeps it.
struct OnceRecord: Equatable {
    var storedAt: WallInstant
    /// Tells the request that the key came with.
    var fingerprint: UInt128
    /// Whether the call is done; otherwise it goes on in a later step.
    var isReply: Bool
    /// The reply, as ``StoredReply`` writes it, or how far the call came.
    var content: [UInt8]

    private static let version: UInt8 = 1

    init(storedAt: WallInstant, fingerprint: UInt128, isReply: Bool, content: [UInt8]) {
        self.storedAt = storedAt
        self.fingerprint = fingerprint
        self.isReply = isReply
        self.content = content
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 32 + content.count)
        writer.put(storedAt.nanoseconds)
        writer.put(fingerprint)
        writer.put(isReply)
        writer.put(bytes: content)
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        storedAt = WallInstant(nanoseconds: try reader.number())
        fingerprint = try reader.number()
        isReply = try reader.bool()
        content = reader.rest
    }
}
