package import NotificationCore

/// A notification that the person snoozed, as the `snoozed` table keeps it until it comes back.
package struct SnoozedRecord: TableRow, Sendable, Equatable {
    package var sequence: RequestNumber
    package var due: Due
    /// The clocks when the notification first was to come back; set while it waits for arriving
    /// occurrences.
    package var waitsSince: Now?
    /// The date of the delivery that was snoozed, which the person saw.
    package var date: WallInstant
    /// The number of that delivery's event.
    package var event: EventNumber

    /// The row of a notification that comes back at an instant.
    package init(sequence: RequestNumber, due: Due, date: WallInstant, event: EventNumber) {
        self.sequence = sequence
        self.due = due
        self.date = date
        self.event = event
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 40)
        writer.put(sequence)
        Optional(due).write(to: &writer)
        writer.put(date.nanoseconds)
        writer.put(event)
        writer.put(waitsSince) { writer, since in
            writer.put(since.elapsed.nanoseconds)
            writer.put(since.wall.nanoseconds)
        }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        sequence = try reader.serial()
        guard let due = try Due?(&reader) else { throw .undecodable }
        self.due = due
        date = WallInstant(nanoseconds: try reader.number())
        event = try reader.serial()
        waitsSince = try reader.optional { reader throws(RowProblem) in
            Now(
                elapsed: ElapsedInstant(nanoseconds: try reader.number()),
                wall: WallInstant(nanoseconds: try reader.number())
            )
        }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
