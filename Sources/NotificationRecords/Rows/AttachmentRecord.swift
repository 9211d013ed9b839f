package import NotificationCore

/// A stored file as the `attachments` table keeps it, by app and identifier.
package struct AttachmentRecord: SealedRow, Equatable {
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

    package var expectedByteCount: Int { 128 }

    package func write(to writer: inout ByteWriter) {
        file.write(to: &writer)
        for text in [fileName, type, mediaType] { writer.put(text) }
        writer.put(purpose.rawValue)
        writer.put(byteCount)
        writer.put(bytes: sha256)
        createdAt.write(to: &writer)
        writer.put(referenceCount)
        unreferencedUntil.write(to: &writer)
        sound.write(to: &writer)
        writer.put(registrant)
    }
}

extension AttachmentRecord {
    package init(_ reader: inout ByteReader) throws(RowProblem) {
        file = try reader.value()
        fileName = try reader.text()
        type = try reader.text()
        mediaType = try reader.text()
        purpose = try reader.choice()
        byteCount = try reader.number()
        sha256 = try reader.bytes(32)
        createdAt = try reader.value()
        referenceCount = try reader.number()
        unreferencedUntil = try reader.value()
        sound = try reader.value()
        registrant = try reader.text()
    }
}

/// The totals of an app's attachments, as the `attachment_owners` table keeps them.
package struct AttachmentOwnerRecord: SealedRow, Equatable {
    package var count = 0
    /// Bytes of the files.
    package var byteCount = 0

    package init() {}

    package func write(to writer: inout ByteWriter) {
        writer.put(count)
        writer.put(byteCount)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        count = try reader.number()
        byteCount = try reader.number()
    }
}

extension SoundFacts: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(codec.rawValue)
        writer.put(durationNanoseconds)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(codec: try reader.choice(), durationNanoseconds: try reader.number())
    }
}
