package import NotificationCore

/// A rich push as the `rich` table keeps it, by app and number.
package struct RichPushRecord: TableRow, Equatable {
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

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 128)
        writer.put(createdAt.nanoseconds)
        for text in [message, richType, mediaType] { writer.put(text) }
        writer.putVarint(UInt64(byteCount))
        writer.put(attachment) { $0.put(bytes: $1.bytes) }
        writer.put(push)
        writer.put(removalAt.nanoseconds)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        createdAt = WallInstant(nanoseconds: try reader.number())
        message = try reader.text()
        richType = try reader.text()
        mediaType = try reader.text()
        byteCount = try reader.count()
        attachment = try reader.optional { reader throws(RowProblem) in
            AttachmentIdentifier(bytes: try reader.bytes(16))
        }
        push = try reader.serial()
        removalAt = ElapsedInstant(nanoseconds: try reader.number())
        guard reader.isAtEnd else { throw .undecodable }
    }
}

/// A rich push on one device, as the `rich_inbox` table keeps it, by center and number.
package struct RichInboxRecord: TableRow, Equatable {
    /// When the device read it; nil while it has not.
    package var readAt: WallInstant?

    package init(readAt: WallInstant? = nil) { self.readAt = readAt }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 10)
        writer.put(readAt) { $0.put($1.nanoseconds) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        readAt = try reader.optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
