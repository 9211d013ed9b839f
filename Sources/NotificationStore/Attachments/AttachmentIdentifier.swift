internal import Crypto
internal import NotificationCore

/// Names a stored file: it follows from what the file is, so that the same bytes of one app have
/// one name wherever and however often they are stored.
struct AttachmentIdentifier: Hashable, Sendable {
    /// The sixteen bytes of a version 8 UUID.
    let bytes: [UInt8]

    /// The name of a file with a SHA-256 that an app stores in a form.
    init(app: String, form: AttachmentForm, sha256: [UInt8]) {
        var hash = SHA256()
        for text in [app, form.identifier, form.mediaType] { hash.update(data: text.utf8 + [0]) }
        hash.update(data: [form.purpose.rawValue] + sha256)
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// The name with sixteen bytes that were stored.
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a name; nil where it can be none.
    init?(_ text: String) {
        guard let bytes = UUIDForm.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    /// The UUID as text.
    var text: String { UUIDForm.text(bytes) }
}
