internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension AttachmentMetadata {
    /// Reads the metadata of a file; the core validates it.
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

/// Reads the app of a call that names no device.
func appName(_ wire: String) throws(Refusal) -> String {
    do throws(Refusal) {
        return try CenterName(app: wire, device: "").app
    } catch {
        throw .invalid("app_id", error.fields.first?.problem ?? "", reason: error.reason)
    }
}

extension NotificationAttachment {
    /// Reads a reference to a stored file, and makes an identifier when the reference has none; the
    /// store adds the type.
    init(_ wire: Belfry_V1_AttachmentReference, _ path: String) throws(Refusal) {
        self.init(
            identifier: wire.identifier.isEmpty ? UUIDText.random() : wire.identifier,
            file: wire.attachmentID
        )
        isThumbnailHidden = wire.thumbnailHidden
        if wire.hasThumbnailClippingRect {
            let rect = wire.thumbnailClippingRect
            clippingRect = UnitRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
        }
        thumbnailTime =
            switch wire.thumbnailTime {
            case .thumbnailOffset(let offset):
                .offset(nanoseconds: try Int64(offset, path + ".thumbnail_offset"))
            case .thumbnailFrame(let frame): .frame(frame)
            case nil: nil
            }
    }
}

extension Belfry_V1_AttachmentReference {
    init(_ attachment: NotificationAttachment) {
        self.init()
        identifier = attachment.identifier
        attachmentID = attachment.file
        thumbnailHidden = attachment.isThumbnailHidden
        if let rect = attachment.clippingRect {
            thumbnailClippingRect.x = rect.x
            thumbnailClippingRect.y = rect.y
            thumbnailClippingRect.width = rect.width
            thumbnailClippingRect.height = rect.height
        }
        switch attachment.thumbnailTime {
        case .offset(let nanoseconds):
            thumbnailOffset = Google_Protobuf_Duration(nanoseconds: nanoseconds)
        case .frame(let frame): thumbnailFrame = frame
        case nil: break
        }
        type = attachment.type
    }
}
