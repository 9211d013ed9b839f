package import NotificationCore

/// The row of an idempotency key.
package struct OnceRecord: SealedRow, Equatable {
    package var storedAt: WallInstant
    package var fingerprint: UInt128
    /// The caller for whom the row counts, as ``Registrant/name`` has it; empty where it counts for
    /// nobody.
    package var registrant: String
    /// Whether the call is done; if not, a later step goes on.
    package var isReply: Bool
    package var content: [UInt8]

    package init(
        storedAt: WallInstant,
        fingerprint: UInt128,
        registrant: String = "",
        isReply: Bool,
        content: [UInt8]
    ) {
        self.storedAt = storedAt
        self.fingerprint = fingerprint
        self.registrant = registrant
        self.isReply = isReply
        self.content = content
    }

    package var expectedByteCount: Int { 32 + content.count }

    package func write(to writer: inout ByteWriter) {
        storedAt.write(to: &writer)
        writer.put(fingerprint)
        writer.put(registrant)
        writer.put(isReply)
        writer.put(bytes: content)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        storedAt = try reader.value()
        fingerprint = try reader.number()
        registrant = try reader.text()
        isReply = try reader.bool()
        content = reader.takeRest()
    }
}
