internal import LMDB
internal import NotificationCore

/// What an idempotency key stands for, as its table keeps it.
struct IdempotencyRecord: Equatable {
    var storedAt: WallInstant
    /// Tells the request that the key came with.
    var fingerprint: UInt128
    /// The reply, as ``StoredReply`` writes it.
    var reply: [UInt8]

    private static let version: UInt8 = 1

    init(storedAt: WallInstant, fingerprint: UInt128, reply: [UInt8]) {
        self.storedAt = storedAt
        self.fingerprint = fingerprint
        self.reply = reply
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 32 + reply.count)
        writer.put(Self.version)
        writer.put(storedAt.nanoseconds)
        writer.put(fingerprint)
        return writer.bytes + reply
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt8.self) == Self.version else { throw ByteReader.corrupted }
        storedAt = WallInstant(nanoseconds: try reader.number())
        fingerprint = try reader.number()
        reply = reader.rest
    }
}
