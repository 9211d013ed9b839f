internal import BelfryLMDB
internal import NotificationCore

/// A notification in the list of delivered notifications.
struct DeliveredRecord: Equatable {
    /// The request's sequence number, its key in `records`.
    var sequence: UInt64
    /// The date that the person sees.
    var date: WallInstant
    /// When the notification was delivered, by the elapsed clock; nil in a row of an older version.
    var since: ElapsedInstant?
    /// The number of the delivery's event.
    var event: UInt64
    /// Whether the notification waits for the scheduled summary.
    var isHeld = false

    private static let version: UInt8 = 3

    init(sequence: UInt64, date: WallInstant, event: UInt64) {
        self.sequence = sequence
        self.date = date
        self.event = event
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 35)
        writer.put(sequence)
        writer.put(date.nanoseconds)
        writer.put(event)
        writer.put(isHeld)
        writer.put(since) { $0.put($1.nanoseconds) }
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had no summary, version 2 no elapsed time.
        let found = try reader.version(upTo: Self.version)
        sequence = try reader.number()
        date = WallInstant(nanoseconds: try reader.number())
        event = try reader.number()
        if found > 1 { isHeld = try reader.bool() }
        if found > 2 {
            since = try reader.optional { reader throws(LMDBError) in
                ElapsedInstant(nanoseconds: try reader.number())
            }
        }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
