internal import LMDB
internal import NotificationCore

/// A notification in the list of delivered ones.
struct DeliveredRecord: Equatable {
    /// The request's sequence number, its key in `records`.
    var sequence: UInt64
    /// The date that the person sees.
    var date: WallInstant

    private static let version: UInt8 = 1

    init(sequence: UInt64, date: WallInstant) {
        self.sequence = sequence
        self.date = date
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 17)
        writer.put(Self.version)
        writer.put(sequence)
        writer.put(date.nanoseconds)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt8.self) == Self.version else { throw ByteReader.corrupted }
        sequence = try reader.number()
        date = WallInstant(nanoseconds: try reader.number())
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
