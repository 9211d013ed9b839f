/// A rectangle within the unit square, whose origin is the upper left corner.
package struct UnitRect: Hashable, Sendable {
    /// The left edge.
    package var x: Double
    /// The upper edge.
    package var y: Double
    package var width: Double
    package var height: Double

    /// Makes a rectangle; ``NotificationAttachment`` checks it.
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Whether the rectangle lies within the unit square and is not empty.
    var isWithinUnitSquare: Bool {
        [x, y, width, height].allSatisfy { (0...1).contains($0) }
            && width > 0 && height > 0 && x + width <= 1 && y + height <= 1
    }
}

/// The moment that a thumbnail shows (§3.7).
package enum ThumbnailTime: Hashable, Sendable {
    /// Of a film, in nanoseconds from its beginning.
    case offset(nanoseconds: Int64)
    /// Of an animated picture, counted from 0.
    case frame(UInt32)
}

/// A stored file that a notification shows (§3.7).
package struct NotificationAttachment: Hashable, Sendable {
    /// The attachment's name within the notification.
    package var identifier: String
    /// The stored file's name.
    package var file: String
    /// Whether no thumbnail shows.
    package var isThumbnailHidden = false
    /// The part of the picture that the thumbnail shows; absent is all of it.
    package var clippingRect: UnitRect?
    /// The moment that the thumbnail shows; absent leaves it to the screen.
    package var thumbnailTime: ThumbnailTime?
    /// The file's uniform type identifier; empty until the store fills it in.
    package var type = ""

    /// Refers to a stored file.
    package init(identifier: String, file: String) {
        self.identifier = identifier
        self.file = file
    }

    /// The UTF-8 bytes of the attachment's text; they count as the content's.
    var byteCount: Int { identifier.utf8.count + file.utf8.count }

    /// Checks the attachment as far as that needs no file; paths begin with `path`.
    func validate(_ path: FieldPath) throws(Refusal) {
        guard (1...Limits.identifierBytes).contains(identifier.utf8.count) else {
            throw .identifierInvalid(path.appending(.identifier))
        }
        if let clippingRect, !clippingRect.isWithinUnitSquare {
            throw .invalid(
                path.appending(.thumbnailClippingRect),
                "must lie within the unit square, and not be empty"
            )
        }
        if case .offset(let nanoseconds) = thumbnailTime, nanoseconds < 0 {
            throw .invalid(path.appending(.thumbnailOffset), "must not be negative")
        }
    }

    /// Checks the attachment against its file, and notes the file's type (ATT-5, ATT-9).
    ///
    /// - Parameters:
    ///   - type: The file's uniform type identifier.
    ///   - purpose: What the file was stored for.
    ///   - path: The path of this reference in the request.
    /// - Throws: `UNErrorDomain` 101 for a file that notifications do not show, or a moment that a
    ///   file of its type does not have.
    package mutating func resolve(
        type: String,
        purpose: AttachmentPurpose,
        _ path: FieldPath
    ) throws(Refusal) {
        guard purpose == .notification, let kind = AttachmentType(identifier: type)?.kind else {
            throw .attachmentTypeUnknown(
                path.appending(.file),
                "was not stored for notifications"
            )
        }
        switch thumbnailTime {
        case .offset where kind != .movie:
            throw .invalid(path.appending(.thumbnailOffset), "only a film has one")
        case .frame where !["com.compuserve.gif", "public.png"].contains(type):
            throw .invalid(path.appending(.thumbnailFrame), "only an animated picture has one")
        default: break
        }
        self.type = type
    }
}

extension AttachmentPurpose {
    /// Whether a file that was stored for this, of the uniform type identifier `type`, may be the
    /// picture of an app or a person.
    package func isPicture(_ type: String) -> Bool {
        [.icon, .notification].contains(self)
            && AttachmentType(identifier: type)?.kind == .image
    }
}
