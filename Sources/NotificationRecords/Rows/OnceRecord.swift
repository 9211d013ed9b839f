package import NotificationCore

/// The row of an idempotency key.
package struct OnceRecord: TableRow, Equatable {
    /// When the key was kept.
    package var storedAt: WallInstant
    /// The fingerprint of the request that had the key.
    package var fingerprint: UInt128
    /// For whom the row counts, as ``Registrant/name`` has it; empty where it counts for nobody.
    package var registrant: String
    /// Whether the call is done; if not, a later step goes on.
    package var isReply: Bool
    /// The reply, as ``StoredReply`` writes it, or the progress of the call.
    package var content: [UInt8]

    /// The row of a key.
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

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32 + content.count)
        writer.put(storedAt.nanoseconds)
        writer.put(fingerprint)
        writer.put(registrant)
        writer.put(isReply)
        writer.put(bytes: content)
        return writer.sealed()
    }

    /// Reads a row.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        storedAt = WallInstant(nanoseconds: try reader.number())
        fingerprint = try reader.number()
        registrant = try reader.text()
        isReply = try reader.bool()
        content = reader.rest
    }
}
