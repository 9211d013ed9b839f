package import NotificationCore

/// A push that waits for its app's service extension, as the `service_arrivals` table keeps it: the
/// first of a center is asked about, the others wait for their turn (NSE-10).
package struct ServiceArrivalRecord: TableRow, Equatable {
    package var fired: EventRecord.Fired
    package var since: ElapsedInstant
    /// Whether the push is of type `alert`.
    package var isAlertType: Bool
    /// The open question about the push; nil while the push waits for its turn.
    package var asked: CallbackNumber?
    /// The record of the content that is delivered where no answer comes; nil where the extension
    /// sent none.
    package var bestAttempt: RequestNumber?

    package init(fired: EventRecord.Fired, since: ElapsedInstant, isAlertType: Bool) {
        self.fired = fired
        self.since = since
        self.isAlertType = isAlertType
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 64)
        fired.write(to: &writer)
        writer.put(since.nanoseconds)
        writer.put(isAlertType)
        writer.put(asked) { $0.put($1) }
        writer.put(bestAttempt) { $0.put($1) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        fired = try EventRecord.Fired(&reader)
        since = ElapsedInstant(nanoseconds: try reader.number())
        isAlertType = try reader.bool()
        asked = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        bestAttempt = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
