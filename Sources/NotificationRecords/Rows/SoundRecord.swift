/// A sound of an app as the `sounds` table keeps it, by app and name.
package struct SoundRecord: SealedRow, Equatable {
    package var attachment: AttachmentIdentifier

    package init(attachment: AttachmentIdentifier) {
        self.attachment = attachment
    }

    package func write(to writer: inout ByteWriter) {
        attachment.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        attachment = try reader.value()
    }
}
