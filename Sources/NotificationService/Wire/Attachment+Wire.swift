internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension AttachmentMetadata {
    /// Reads what a caller says of a file; the core judges it.
    init(_ wire: Belfry_V1_AttachmentMetadata) throws(Refusal) {
        self.init(
            fileName: wire.fileName,
            purpose: try choice(wire.purpose, "metadata.purpose")
        )
        typeHint = wire.typeHint
        byteCount = wire.hasSizeBytes ? wire.sizeBytes : nil
        sha256 = wire.sha256
        mediaType = wire.mediaType
    }
}

extension Belfry_V1_Attachment {
    init(_ attachment: StoredAttachment) {
        self.init()
        attachmentID = attachment.identifier
        appID = attachment.app
        fileName = attachment.fileName
        type = attachment.type
        mediaType = attachment.mediaType
        purpose = .init(rawValue: Int(attachment.purpose.rawValue)) ?? .notification
        sizeBytes = UInt64(attachment.byteCount)
        sha256 = attachment.sha256
        createdAt = .init(attachment.createdAt)
        if let end = attachment.unreferencedUntil { unreferencedUntil = .init(end) }
    }
}

/// Reads the app of a call that is about no device.
func appName(_ wire: String) throws(Refusal) -> String {
    do throws(Refusal) {
        return try CenterName(app: wire, device: "").app
    } catch {
        throw .invalid("app_id", error.fields.first?.problem ?? "", reason: error.reason)
    }
}
