internal import LMDB

/// A sound of an app as the `sounds` table keeps it, by app and name.
struct SoundRecord: Equatable {
    /// The attachment that has it.
    var attachment: AttachmentIdentifier

    private static let version: UInt8 = 1

    init(attachment: AttachmentIdentifier) {
        self.attachment = attachment
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 17)
        writer.put(Self.version)
        for byte in attachment.bytes { writer.put(byte) }
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = ByteReader(bytes)
        guard try reader.number(UInt8.self) == Self.version else { throw ByteReader.corrupted }
        var name: [UInt8] = []
        for _ in 0..<16 { name.append(try reader.number()) }
        attachment = AttachmentIdentifier(bytes: name)
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
