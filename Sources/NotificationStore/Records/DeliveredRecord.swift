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

    private static let version: UInt8 = 1

    init(sequence: UInt64, date: WallInstant, event: UInt64) {
        self.sequence = sequence
        self.date = date
        self.event = event
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 25)
        writer.put(Self.version)
        writer.put(sequence)
        writer.put(date.nanoseconds)
        writer.put(event)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt8.self) == Self.version else { throw ByteReader.corrupted }
        sequence = try reader.number()
        date = WallInstant(nanoseconds: try reader.number())
        event = try reader.number()
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
