internal import BelfryHashing
internal import NotificationCore
internal import NotificationRecords

extension AttachmentIdentifier {
    /// The identifier of a file of an app, by its form and SHA-256.
    init(app: String, form: AttachmentForm, sha256: [UInt8]) {
        let hash = SHA256()
        for text in [app, form.identifier, form.mediaType] {
            hash.update((Array(text.utf8) + [0]).span)
        }
        hash.update(([form.purpose.rawValue] + sha256).span)
        var bytes = Array(hash.finish().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(bytes: bytes)
    }

    /// Reads an identifier; nil where the text is not one.
    init?(_ text: String) {
        guard let bytes = UUIDForm.bytes(of: text) else { return nil }
        self.init(bytes: bytes)
    }

    var text: String { UUIDForm.text(bytes) }
}
