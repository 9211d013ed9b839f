/// The attachments that a request refers to, as the `attachment_uses` table keeps them: each once,
/// by the app and the identifier of its key in `attachments`.
package struct AttachmentUseRecord: SealedRow, Equatable {
    package var app: String
    /// The files, each once.
    package var identifiers: [AttachmentIdentifier]

    package init(app: String, identifiers: [AttachmentIdentifier]) {
        self.app = app
        self.identifiers = identifiers
    }

    package var expectedByteCount: Int { 32 + 16 * identifiers.count }

    package func write(to writer: inout ByteWriter) {
        writer.put(app)
        identifiers.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        app = try reader.text()
        identifiers = try reader.value()
    }
}

extension AttachmentIdentifier: Coded {
    package func write(to writer: inout ByteWriter) { writer.put(bytes: bytes) }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(bytes: try reader.bytes(16))
    }
}
