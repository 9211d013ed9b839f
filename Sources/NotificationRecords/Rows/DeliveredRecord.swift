package import NotificationCore

/// A notification in the list of delivered notifications.
package struct DeliveredRecord: TableRow, Sendable, Equatable {
    /// The request's sequence number, its key in `records`.
    package var sequence: RequestNumber
    /// The date that the person sees.
    package var date: WallInstant
    /// When the notification was delivered, by the elapsed clock; nil in a row of an older version.
    package var since: ElapsedInstant?
    /// The number of the delivery's event.
    package var event: EventNumber
    /// Whether the notification waits for the scheduled summary.
    package var isHeld = false
    /// The name of the Focus that kept the notification quiet; nil where none did.
    package var silencingFocus: String?

    private static let version: UInt8 = 4

    /// The row of a delivery of a request.
    package init(sequence: RequestNumber, date: WallInstant, event: EventNumber) {
        self.sequence = sequence
        self.date = date
        self.event = event
    }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 35)
        writer.put(sequence)
        writer.put(date.nanoseconds)
        writer.put(event)
        writer.put(isHeld)
        writer.put(since) { $0.put($1.nanoseconds) }
        writer.put(silencingFocus) { $0.put($1) }
        return writer.sealed()
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had no summary, version 2 no elapsed time, version 3 no Focus.
        let found = try reader.version(upTo: Self.version)
        sequence = try reader.serial()
        date = WallInstant(nanoseconds: try reader.number())
        event = try reader.serial()
        if found > 1 { isHeld = try reader.bool() }
        if found > 2 {
            since = try reader.optional { reader throws(RowProblem) in
                ElapsedInstant(nanoseconds: try reader.number())
            }
        }
        if found > 3 {
            silencingFocus = try reader.optional { reader throws(RowProblem) in
                try reader.text()
            }
        }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
