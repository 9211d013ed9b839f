internal import BelfryLMDB
public import NotificationCore

/// A file that an app has in the store.
public struct StoredAttachment: Hashable, Sendable {
    /// Names it, within its app.
    public var identifier: String
    /// Whose it is.
    public var app: String
    /// Its name, as the first who stored these bytes gave it.
    public var fileName: String
    /// Its uniform type identifier.
    public var type: String
    /// Its media type.
    public var mediaType: String
    /// What it is for.
    public var purpose: AttachmentPurpose
    /// Its size in bytes.
    public var byteCount: Int
    /// Its SHA-256 in hexadecimal.
    public var sha256: String
    /// When it was stored.
    public var createdAt: WallInstant
    /// When it goes unless something refers to it by then; nil while something does.
    public var unreferencedUntil: WallInstant?
    /// What the header of a sound says.
    public var sound: SoundFacts?

    /// An app's attachment as its row is, on clocks that show `now`.
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

/// What came of an upload: the attachment, and the file that is kept for it, which is another one
/// where the same bytes were there.
struct AttachmentReply: Sendable {
    var attachment: StoredAttachment
    var file: AttachmentFile
}

extension AttachmentReply: StoredReply {
    func write(to writer: inout ByteWriter) {
        file.write(to: &writer)
        for text in [
            attachment.identifier, attachment.app, attachment.fileName, attachment.type,
            attachment.mediaType, attachment.sha256,
        ] { writer.put(text) }
        writer.put(attachment.purpose.rawValue)
        writer.put(attachment.byteCount)
        writer.put(attachment.createdAt.nanoseconds)
        writer.put(attachment.unreferencedUntil) { $0.put($1.nanoseconds) }
        writer.put(attachment.sound) { $1.write(to: &$0) }
    }

    init(_ reader: inout ByteReader) throws(LMDBError) {
        file = try AttachmentFile(&reader)
        attachment = try StoredAttachment(&reader)
    }
}

extension StoredAttachment {
    fileprivate init(_ reader: inout ByteReader) throws(LMDBError) {
        identifier = try reader.text()
        app = try reader.text()
        fileName = try reader.text()
        type = try reader.text()
        mediaType = try reader.text()
        sha256 = try reader.text()
        purpose = try reader.choice()
        byteCount = try reader.number()
        createdAt = WallInstant(nanoseconds: try reader.number())
        unreferencedUntil = try reader.optional { reader throws(LMDBError) in
            WallInstant(nanoseconds: try reader.number())
        }
        sound = try reader.optional { reader throws(LMDBError) in try SoundFacts(&reader) }
    }
}
