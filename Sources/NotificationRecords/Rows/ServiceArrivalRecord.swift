package import NotificationCore

/// A push that waits for its app's service extension, as the `service_arrivals` table keeps it: the
/// first of a center is asked about, the others wait for their turn (NSE-10).
package struct ServiceArrivalRecord: SealedRow, Equatable {
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

    package func write(to writer: inout ByteWriter) {
        fired.write(to: &writer)
        since.write(to: &writer)
        writer.put(isAlertType)
        asked.write(to: &writer)
        bestAttempt.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        fired = try EventRecord.Fired(&reader)
        since = try reader.value()
        isAlertType = try reader.bool()
        asked = try reader.value()
        bestAttempt = try reader.value()
    }
}
