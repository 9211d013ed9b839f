internal import LMDB
internal import NotificationCore

/// What one identifier of a center stands for: a pending request, a delivered one, or both (M-7).
struct IdentifierRecord: Equatable {
    /// The pending request of the identifier.
    struct Pending: Equatable {
        /// The request's sequence number, its key in `records`.
        var sequence: UInt64
        /// When it fires next.
        var due: ElapsedInstant
        /// The newest event that refers to the record; 0 where no occurrence fired yet.
        var lastEvent: UInt64 = 0
    }

    var pending: Pending?
    /// The number of the delivery in the list of delivered notifications.
    var delivered: UInt64?

    private static let version: UInt8 = 1

    init(pending: Pending? = nil, delivered: UInt64? = nil) {
        self.pending = pending
        self.delivered = delivered
    }

    var isEmpty: Bool { pending == nil && delivered == nil }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 32)
        writer.put(Self.version)
        writer.put(pending) { writer, pending in
            writer.put(pending.sequence)
            writer.put(pending.due.nanoseconds)
            writer.put(pending.lastEvent)
        }
        writer.put(delivered) { $0.put($1) }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt8.self) == Self.version else { throw ByteReader.corrupted }
        pending = try reader.optional { reader throws(LMDBError) in
            Pending(
                sequence: try reader.number(),
                due: ElapsedInstant(nanoseconds: try reader.number()),
                lastEvent: try reader.number()
            )
        }
        delivered = try reader.optional { reader throws(LMDBError) in try reader.number() }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
