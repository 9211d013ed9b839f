package import NotificationCore

/// A notification in the list of delivered notifications.
package struct DeliveredRecord: TableRow, Sendable, Equatable {
    /// The number of the delivered request, its key in `records`.
    package var sequence: RequestNumber
    /// The identifier of that request.
    package var identifier: String
    /// The date that the person sees.
    package var date: WallInstant
    /// When the notification was delivered, by the elapsed clock.
    package var since: ElapsedInstant
    package var event: EventNumber
    package var isHeld = false
    /// The name of the Focus that kept the notification quiet; nil where none did.
    package var silencingFocus: String?

    package init(
        sequence: RequestNumber,
        identifier: String,
        at now: Now,
        event: EventNumber
    ) {
        self.sequence = sequence
        self.identifier = identifier
        date = now.wall
        since = now.elapsed
        self.event = event
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 36 + identifier.utf8.count)
        writer.put(sequence)
        writer.put(identifier)
        writer.put(date.nanoseconds)
        writer.put(event)
        writer.put(isHeld)
        writer.put(since.nanoseconds)
        writer.put(silencingFocus) { $0.put($1) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        sequence = try reader.serial()
        identifier = try reader.text()
        date = WallInstant(nanoseconds: try reader.number())
        event = try reader.serial()
        isHeld = try reader.bool()
        since = ElapsedInstant(nanoseconds: try reader.number())
        silencingFocus = try reader.optional { reader throws(RowProblem) in try reader.text() }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
