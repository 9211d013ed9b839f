package import NotificationCore

/// A notification that the person snoozed, as the `snoozed` table keeps it until it comes back.
package struct SnoozedRecord: SealedRow, Equatable {
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

    package func write(to writer: inout ByteWriter) {
        writer.put(sequence)
        Optional(due).write(to: &writer)
        date.write(to: &writer)
        writer.put(event)
        waitsSince.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        sequence = try reader.serial()
        guard let due = try Due?(&reader) else { throw .undecodable }
        self.due = due
        date = try reader.value()
        event = try reader.serial()
        waitsSince = try reader.value()
    }
}
