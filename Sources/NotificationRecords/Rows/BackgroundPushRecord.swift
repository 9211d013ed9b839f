package import NotificationCore

/// A push that waits for its app, as the `background_pushes` table keeps it (D-9).
package struct BackgroundPushRecord: SealedRow, Equatable {
    package var apnsID: String
    /// The collapse id; empty is none.
    package var collapseIdentifier: String
    /// Until when the app may be asked; nil for a push that had no time to wait when it came, and
    /// is tried once.
    package var end: Due?
    /// The payload as it was received.
    package var payload: String
    /// The trace context of the call that pushed it (W-24).
    package var trace: TraceContext?

    package init(apnsID: String, collapseIdentifier: String, end: Due?, payload: String) {
        self.apnsID = apnsID
        self.collapseIdentifier = collapseIdentifier
        self.end = end
        self.payload = payload
    }

    package var expectedByteCount: Int { 128 + payload.utf8.count }

    package func write(to writer: inout ByteWriter) {
        writer.put(apnsID)
        writer.put(collapseIdentifier)
        end.write(to: &writer)
        writer.put(payload)
        writer.put(trace)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        apnsID = try reader.text()
        collapseIdentifier = try reader.text()
        end = try Due?(&reader)
        payload = try reader.text()
        trace = try reader.trace()
    }
}

/// An app's work in the background, as the `background_work` table keeps it.
package struct BackgroundWorkRecord: SealedRow, Equatable {
    /// A push that the app was asked to work on.
    package struct Open: Equatable {
        /// The callback by which the app was asked.
        package var callback: CallbackNumber
        /// The push, which still waits.
        package var push: RequestNumber

        package init(callback: CallbackNumber, push: RequestNumber) {
            self.callback = callback
            self.push = push
        }
    }

    /// The push at work; nil where the app works on none.
    package var open: Open?
    /// When the app was last asked, the latest last: at most as many instants as the profile
    /// counts.
    package var asked: [ElapsedInstant] = []

    package init() {}

    package func write(to writer: inout ByteWriter) {
        writer.put(open) { writer, open in
            writer.put(open.callback)
            writer.put(open.push)
        }
        asked.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        open = try reader.optional { reader throws(RowProblem) in
            Open(callback: try reader.serial(), push: try reader.serial())
        }
        asked = try reader.value()
    }
}

/// The outcome of a push that the provider named, as the `push_receipts` table keeps it for
/// retries.
package struct PushReceiptRecord: SealedRow, Equatable {
    /// The number of the receipt, its key in `push_order`.
    package var number: UInt64
    package var instant: ElapsedInstant
    /// The caller that registered the app, as ``Registrant/name`` has it; empty for one without a
    /// limit.
    package var registrant: String
    /// The outcome that the provider was told at once.
    package var outcome: PushOutcome
    /// The identifier of its notification; empty where there is none.
    package var identifier: String

    package init(
        number: UInt64,
        instant: ElapsedInstant,
        registrant: String,
        outcome: PushOutcome,
        identifier: String
    ) {
        self.number = number
        self.instant = instant
        self.registrant = registrant
        self.outcome = outcome
        self.identifier = identifier
    }

    package func write(to writer: inout ByteWriter) {
        writer.put(number)
        instant.write(to: &writer)
        writer.put(registrant)
        writer.put(outcome.rawValue)
        writer.put(identifier)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        number = try reader.number()
        instant = try reader.value()
        registrant = try reader.text()
        outcome = try reader.choice()
        identifier = try reader.text()
    }
}
