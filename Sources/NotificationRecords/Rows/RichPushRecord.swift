package import NotificationCore

/// A rich push as the `rich` table keeps it, by app and number.
package struct RichPushRecord: SealedRow, Equatable {
    package var createdAt: WallInstant
    package var message: String
    package var richType: String
    package var mediaType: String
    package var byteCount: Int
    /// The file with the payload; nil while the rich push is being removed.
    package var attachment: AttachmentIdentifier?
    /// The push that announces it.
    package var push: TagPushNumber
    /// When it is removed.
    package var removalAt: ElapsedInstant

    package init(
        createdAt: WallInstant,
        message: String,
        richType: String,
        mediaType: String,
        byteCount: Int,
        attachment: AttachmentIdentifier,
        push: TagPushNumber,
        removalAt: ElapsedInstant
    ) {
        self.createdAt = createdAt
        self.message = message
        self.richType = richType
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.attachment = attachment
        self.push = push
        self.removalAt = removalAt
    }

    package var expectedByteCount: Int { 128 }

    package func write(to writer: inout ByteWriter) {
        createdAt.write(to: &writer)
        for text in [message, richType, mediaType] { writer.put(text) }
        writer.putVarint(UInt64(byteCount))
        attachment.write(to: &writer)
        writer.put(push)
        removalAt.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        createdAt = try reader.value()
        message = try reader.text()
        richType = try reader.text()
        mediaType = try reader.text()
        byteCount = try reader.count()
        attachment = try reader.value()
        push = try reader.serial()
        removalAt = try reader.value()
    }
}

/// A rich push on one device, as the `rich_inbox` table keeps it, by center and number.
package struct RichInboxRecord: SealedRow, Equatable {
    /// When the device read it; nil while it has not.
    package var readAt: WallInstant?

    package init(readAt: WallInstant? = nil) { self.readAt = readAt }

    package func write(to writer: inout ByteWriter) {
        readAt.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        readAt = try reader.value()
    }
}
