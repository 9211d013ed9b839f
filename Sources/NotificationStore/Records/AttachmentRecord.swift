internal import BelfryLMDB
internal import NotificationCore

/// A stored file as the `attachments` table keeps it, by app and identifier.
struct AttachmentRecord: Equatable {
    /// The file with the attachment's bytes.
    var file: AttachmentFile
    var fileName: String
    /// The file's uniform type identifier.
    var type: String
    var mediaType: String
    var purpose: AttachmentPurpose
    var byteCount: Int
    /// The file's SHA-256, of 32 bytes.
    var sha256: [UInt8]
    var createdAt: WallInstant
    /// How many requests, apps and sounds refer to the attachment.
    var referenceCount: UInt32 = 0
    /// When the attachment is removed; nil exactly while it is referred to.
    var unreferencedUntil: ElapsedInstant?
    /// The facts in the header of a sound; nil for any other file.
    var sound: SoundFacts?

    private static let version: UInt8 = 1

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 128)
        file.write(to: &writer)
        for text in [fileName, type, mediaType] { writer.put(text) }
        writer.put(purpose.rawValue)
        writer.put(byteCount)
        for byte in sha256 { writer.put(byte) }
        writer.put(createdAt.nanoseconds)
        writer.put(referenceCount)
        writer.put(unreferencedUntil) { $0.put($1.nanoseconds) }
        writer.put(sound) { $1.write(to: &$0) }
        return writer.sealed()
    }
}

extension AttachmentRecord {
    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        file = try AttachmentFile(&reader)
        fileName = try reader.text()
        type = try reader.text()
        mediaType = try reader.text()
        purpose = try reader.choice()
        byteCount = try reader.number()
        sha256 = []
        for _ in 0..<32 { sha256.append(try reader.number()) }
        createdAt = WallInstant(nanoseconds: try reader.number())
        referenceCount = try reader.number()
        unreferencedUntil = try reader.optional { reader throws(LMDBError) in
            ElapsedInstant(nanoseconds: try reader.number())
        }
        sound = try reader.optional { reader throws(LMDBError) in try SoundFacts(&reader) }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}

/// The totals of an app's attachments, as the `attachment_owners` table keeps them.
struct AttachmentOwnerRecord: Equatable {
    var count = 0
    var byteCount = 0

    private static let version: UInt8 = 1

    init() {}

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 17)
        writer.put(count)
        writer.put(byteCount)
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        count = try reader.number()
        byteCount = try reader.number()
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}

extension SoundFacts {
    func write(to writer: inout ByteWriter) {
        writer.put(codec.rawValue)
        writer.put(durationNanoseconds)
    }

    init(_ reader: inout ByteReader) throws(LMDBError) {
        self.init(codec: try reader.choice(), durationNanoseconds: try reader.number())
    }
}
