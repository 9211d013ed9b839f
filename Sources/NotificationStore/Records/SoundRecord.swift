internal import BelfryLMDB

/// A sound of an app as the `sounds` table keeps it, by app and name.
struct SoundRecord: Equatable {
    /// The attachment with the sound's file.
    var attachment: AttachmentIdentifier

    private static let version: UInt8 = 1

    init(attachment: AttachmentIdentifier) {
        self.attachment = attachment
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 17)
        for byte in attachment.bytes { writer.put(byte) }
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        var name: [UInt8] = []
        for _ in 0..<16 { name.append(try reader.number()) }
        attachment = AttachmentIdentifier(bytes: name)
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
