/// The attachments that a request refers to, as the `attachment_uses` table keeps them: each once,
/// by the app and the identifier of its key in `attachments`.
package struct AttachmentUseRecord: TableRow, Equatable {
    package var app: String
    /// The files, each once.
    package var identifiers: [AttachmentIdentifier]

    package init(app: String, identifiers: [AttachmentIdentifier]) {
        self.app = app
        self.identifiers = identifiers
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32 + 16 * identifiers.count)
        writer.put(app)
        writer.putVarint(UInt64(identifiers.count))
        for identifier in identifiers {
            for byte in identifier.bytes { writer.put(byte) }
        }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        app = try reader.text()
        identifiers = []
        for _ in 0..<(try reader.count()) {
            var bytes: [UInt8] = []
            for _ in 0..<16 { bytes.append(try reader.number()) }
            identifiers.append(AttachmentIdentifier(bytes: bytes))
        }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
