/// A sound of an app as the `sounds` table keeps it, by app and name.
package struct SoundRecord: TableRow, Equatable {
    package var attachment: AttachmentIdentifier

    package init(attachment: AttachmentIdentifier) {
        self.attachment = attachment
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 17)
        for byte in attachment.bytes { writer.put(byte) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        var name: [UInt8] = []
        for _ in 0..<16 { name.append(try reader.number()) }
        attachment = AttachmentIdentifier(bytes: name)
        guard reader.isAtEnd else { throw .undecodable }
    }
}
