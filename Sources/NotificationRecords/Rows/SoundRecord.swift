/// A sound of an app as the `sounds` table keeps it, by app and name.
package struct SoundRecord: TableRow, Equatable {
    /// The attachment with the sound's file.
    package var attachment: AttachmentIdentifier

    private static let version: UInt8 = 1

    /// The row of a sound in a file.
    package init(attachment: AttachmentIdentifier) {
        self.attachment = attachment
    }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 17)
        for byte in attachment.bytes { writer.put(byte) }
        return writer.sealed()
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        var name: [UInt8] = []
        for _ in 0..<16 { name.append(try reader.number()) }
        attachment = AttachmentIdentifier(bytes: name)
        guard reader.isAtEnd else { throw .undecodable }
    }
}
