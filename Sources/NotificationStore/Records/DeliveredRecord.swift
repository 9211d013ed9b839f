internal import LMDB
internal import NotificationCore

/// A notification in the list of delivered ones.
struct DeliveredRecord: Equatable {
    /// The request's sequence number, its key in `records`.
    var sequence: UInt64
    /// The date that the person sees.
    var date: WallInstant
    /// The number of the event that tells of the delivery.
    var event: UInt64
    /// Whether it waits for the scheduled summary.
    var isHeld = false

    private static let version: UInt8 = 2

    init(sequence: UInt64, date: WallInstant, event: UInt64) {
        self.sequence = sequence
        self.date = date
        self.event = event
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 26)
        writer.put(Self.version)
        writer.put(sequence)
        writer.put(date.nanoseconds)
        writer.put(event)
        writer.put(isHeld)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = ByteReader(bytes)
        // Version 1 knew no summary.
        let found: UInt8 = try reader.number()
        guard (1...Self.version).contains(found) else { throw ByteReader.corrupted }
        sequence = try reader.number()
        date = WallInstant(nanoseconds: try reader.number())
        event = try reader.number()
        if found > 1 { isHeld = try reader.bool() }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
