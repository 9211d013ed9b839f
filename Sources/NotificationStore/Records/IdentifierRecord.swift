internal import BelfryLMDB
internal import NotificationCore

/// The rows of one identifier of a center: a pending request, an arriving occurrence, a delivered
/// notification, or several of these (M-7).
struct IdentifierRecord: Equatable {
    /// The pending request of the identifier.
    struct Pending: Equatable {
        /// The request's sequence number, its key in `records`.
        var sequence: UInt64
        /// When the request fires next.
        var due: Due
        /// The newest event that refers to the request's record; 0 where no occurrence fired yet.
        var lastEvent: UInt64 = 0
        /// For a request that waits for dates, when the last occurrence that fired was due: the
        /// next occurrence is later, whatever the clock shows (CAL-8).
        var lastScheduled: WallInstant?
    }

    /// An arriving occurrence of the identifier, which waits for the app's answer.
    struct Arriving: Equatable {
        /// The number of the callback that asks the app.
        var callback: UInt64
        /// The request's sequence number, its key in `records`.
        var sequence: UInt64
    }

    var pending: Pending?
    var arriving: Arriving?
    /// The number of the delivery in the list of delivered notifications.
    var delivered: UInt64?

    private static let version: UInt8 = 3

    init(pending: Pending? = nil, arriving: Arriving? = nil, delivered: UInt64? = nil) {
        self.pending = pending
        self.arriving = arriving
        self.delivered = delivered
    }

    var isEmpty: Bool { pending == nil && arriving == nil && delivered == nil }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 32)
        writer.put(pending) { writer, pending in
            writer.put(pending.sequence)
            pending.due.write(to: &writer)
            writer.put(pending.lastEvent)
            writer.put(pending.lastScheduled) { $0.put($1.nanoseconds) }
        }
        writer.put(arriving) { writer, arriving in
            writer.put(arriving.callback)
            writer.put(arriving.sequence)
        }
        writer.put(delivered) { $0.put($1) }
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had only elapsed time and no arriving occurrence; version 2 had no last
        // scheduled date.
        let version = try reader.version(upTo: Self.version)
        pending = try reader.optional { reader throws(LMDBError) in
            Pending(
                sequence: try reader.number(),
                due: version == 1
                    ? .elapsed(ElapsedInstant(nanoseconds: try reader.number()))
                    : try Due(&reader),
                lastEvent: try reader.number(),
                lastScheduled: version < 3
                    ? nil
                    : try reader.optional { reader throws(LMDBError) in
                        WallInstant(nanoseconds: try reader.number())
                    }
            )
        }
        if version > 1 {
            arriving = try reader.optional { reader throws(LMDBError) in
                Arriving(callback: try reader.number(), sequence: try reader.number())
            }
        }
        delivered = try reader.optional { reader throws(LMDBError) in try reader.number() }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}

extension Due {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .elapsed(let instant):
            writer.put(UInt8(1))
            writer.put(instant.nanoseconds)
        case .wall(let instant):
            writer.put(UInt8(2))
            writer.put(instant.nanoseconds)
        }
    }

    init(_ reader: inout ByteReader) throws(LMDBError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .elapsed(ElapsedInstant(nanoseconds: try reader.number()))
        case 2: self = .wall(WallInstant(nanoseconds: try reader.number()))
        default: throw ByteReader.corrupted
        }
    }
}
