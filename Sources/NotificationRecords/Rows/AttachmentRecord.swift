package import NotificationCore

/// A stored file as the `attachments` table keeps it, by app and identifier.
package struct AttachmentRecord: TableRow, Sendable, Equatable {
    package var file: AttachmentFile
    package var fileName: String
    /// The file's uniform type identifier.
    package var type: String
    package var mediaType: String
    package var purpose: AttachmentPurpose
    package var byteCount: Int
    /// The file's SHA-256, of 32 bytes.
    package var sha256: [UInt8]
    /// When the file was stored.
    package var createdAt: WallInstant
    /// How many requests, apps and sounds refer to the attachment.
    package var referenceCount: UInt32 = 0
    /// When the attachment is removed; nil exactly while it is referred to.
    package var unreferencedUntil: ElapsedInstant?
    /// The facts in the header of a sound; nil for any other file.
    package var sound: SoundFacts?
    /// The caller that stored the file, as ``Registrant/name`` has it; empty where it counts for
    /// nobody.
    package var registrant = ""

    package init(
        file: AttachmentFile,
        fileName: String,
        type: String,
        mediaType: String,
        purpose: AttachmentPurpose,
        byteCount: Int,
        sha256: [UInt8],
        createdAt: WallInstant,
        sound: SoundFacts?
    ) {
        self.file = file
        self.fileName = fileName
        self.type = type
        self.mediaType = mediaType
        self.purpose = purpose
        self.byteCount = byteCount
        self.sha256 = sha256
        self.createdAt = createdAt
        self.sound = sound
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 128)
        file.write(to: &writer)
        for text in [fileName, type, mediaType] { writer.put(text) }
        writer.put(purpose.rawValue)
        writer.put(byteCount)
        for byte in sha256 { writer.put(byte) }
        writer.put(createdAt.nanoseconds)
        writer.put(referenceCount)
        writer.put(unreferencedUntil) { $0.put($1.nanoseconds) }
        writer.put(sound) { $1.write(to: &$0) }
        writer.put(registrant)
        return writer.sealed()
    }
}

extension AttachmentRecord {
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
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
        unreferencedUntil = try reader.optional { reader throws(RowProblem) in
            ElapsedInstant(nanoseconds: try reader.number())
        }
        sound = try reader.optional { reader throws(RowProblem) in try SoundFacts(&reader) }
        registrant = try reader.text()
        guard reader.isAtEnd else { throw .undecodable }
    }
}

/// The totals of an app's attachments, as the `attachment_owners` table keeps them.
package struct AttachmentOwnerRecord: TableRow, Equatable {
    package var count = 0
    /// Bytes of the files.
    package var byteCount = 0

    package init() {}

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 17)
        writer.put(count)
        writer.put(byteCount)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        count = try reader.number()
        byteCount = try reader.number()
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension SoundFacts {
    package func write(to writer: inout ByteWriter) {
        writer.put(codec.rawValue)
        writer.put(durationNanoseconds)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(codec: try reader.choice(), durationNanoseconds: try reader.number())
    }
}
