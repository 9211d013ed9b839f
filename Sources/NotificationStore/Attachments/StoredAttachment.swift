package import NotificationCore
internal import NotificationRecords

/// A file that an app has in the store.
package struct StoredAttachment: Hashable, Sendable {
    package var identifier: String
    package var app: String
    package var fileName: String
    package var type: String
    package var mediaType: String
    /// The use for which the sender stored the file.
    package var purpose: AttachmentPurpose
    package var byteCount: Int
    /// The file's SHA-256 in hexadecimal.
    package var sha256: String
    package var createdAt: WallInstant
    /// When the attachment is removed, unless a reference keeps it; nil while there is one.
    package var unreferencedUntil: WallInstant?
    package var sound: SoundFacts?

    /// Makes the attachment of a row, on clocks that show `now`.
    init(_ record: AttachmentRecord, _ identifier: AttachmentIdentifier, app: String, now: Now) {
        self.identifier = identifier.text
        self.app = app
        fileName = record.fileName
        type = record.type
        mediaType = record.mediaType
        purpose = record.purpose
        byteCount = record.byteCount
        sha256 = record.sha256.hexadecimal
        createdAt = record.createdAt
        unreferencedUntil = record.unreferencedUntil.map(now.wall(at:))
        sound = record.sound
    }
}

/// The result of an upload: the attachment, and the file that is kept for it, which is an earlier
/// file where the same bytes were stored before.
struct AttachmentReply: Sendable {
    var attachment: StoredAttachment
    var file: AttachmentFile
}

extension AttachmentReply: Coded {
    func write(to writer: inout ByteWriter) {
        file.write(to: &writer)
        for text in [
            attachment.identifier, attachment.app, attachment.fileName, attachment.type,
            attachment.mediaType, attachment.sha256,
        ] { writer.put(text) }
        writer.put(attachment.purpose.rawValue)
        writer.put(attachment.byteCount)
        attachment.createdAt.write(to: &writer)
        attachment.unreferencedUntil.write(to: &writer)
        attachment.sound.write(to: &writer)
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        file = try reader.value()
        attachment = try StoredAttachment(&reader)
    }
}

extension StoredAttachment {
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        identifier = try reader.text()
        app = try reader.text()
        fileName = try reader.text()
        type = try reader.text()
        mediaType = try reader.text()
        sha256 = try reader.text()
        purpose = try reader.choice()
        byteCount = try reader.number()
        createdAt = try reader.value()
        unreferencedUntil = try reader.value()
        sound = try reader.value()
    }
}
