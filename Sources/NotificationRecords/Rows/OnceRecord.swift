package import NotificationCore

/// The row of an idempotency key.
package struct OnceRecord: TableRow, Equatable {
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

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32 + content.count)
        writer.put(storedAt.nanoseconds)
        writer.put(fingerprint)
        writer.put(registrant)
        writer.put(isReply)
        writer.put(bytes: content)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        storedAt = WallInstant(nanoseconds: try reader.number())
        fingerprint = try reader.number()
        registrant = try reader.text()
        isReply = try reader.bool()
        content = reader.rest
    }
}
