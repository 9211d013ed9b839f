/// The picture and the play button that a content extension shows in an opened notification (§19).
package struct ContentView: Hashable, Sendable {
    /// The media type of the data, such as `image/png`.
    package var mediaType: String
    /// The bytes that are shown; empty leaves the earlier bytes.
    package var data: [UInt8]
    /// The play button and what it controls; nil is none.
    package var media: MediaState?

    package init(mediaType: String, data: [UInt8], media: MediaState? = nil) {
        self.mediaType = mediaType
        self.data = data
        self.media = media
    }

    /// About how many bytes the view takes.
    package var byteCount: Int { mediaType.utf8.count + data.count }

    /// Checks the view; paths are relative to it.
    ///
    /// - Throws: The first refusal, in the order of the fields; `CONTENT_VIEW_TOO_LARGE` for too
    ///   many bytes.
    /// - Complexity: O(1) in the data.
    package func validate() throws(Refusal) {
        guard mediaType.utf8.count <= Limits.viewMediaTypeBytes, mediaType.isMediaType else {
            throw .invalid(
                [.mediaType],
                """
                is a type, a slash and a subtype, such as image/png; at most \
                \(Limits.viewMediaTypeBytes) bytes
                """
            )
        }
        guard data.count <= Limits.contentViewBytes else {
            throw .invalid(
                [.data],
                "is \(data.count) bytes; at most \(Limits.contentViewBytes) are shown",
                reason: .contentViewTooLarge
            )
        }
        do {
            try media?.validate()
        } catch {
            throw error.within([.media])
        }
    }

    /// The view after an update: an update without data leaves the picture, and changes only the
    /// play button.
    package func updated(by update: ContentView) -> ContentView {
        guard update.data.isEmpty, !data.isEmpty else { return update }
        var view = self
        view.media = update.media
        return view
    }
}

/// The looks of a play button (NCE-7); the numbers are Apple's.
package enum MediaButtonType: UInt8, Hashable, Sendable, CaseIterable {
    /// There is no button.
    case none = 0
    /// The button is always there.
    case `default` = 1
    /// The button lies over the media, and vanishes while the media plays.
    case overlay = 2
}

/// The play button of a view, and whether the media plays (NCE-7).
package struct MediaState: Hashable, Sendable {
    package var buttonType: MediaButtonType
    /// Where the button is in the view; needed unless there is none.
    package var buttonFrame: UnitRect?
    /// The button's colour, such as `#ff8800`; empty is the system's.
    package var tintColor: String
    package var isPlaying: Bool

    package init(
        buttonType: MediaButtonType,
        buttonFrame: UnitRect? = nil,
        tintColor: String = "",
        isPlaying: Bool = false
    ) {
        self.buttonType = buttonType
        self.buttonFrame = buttonFrame
        self.tintColor = tintColor
        self.isPlaying = isPlaying
    }

    fileprivate func validate() throws(Refusal) {
        guard buttonFrame?.isWithinUnitSquare ?? (buttonType == .none) else {
            throw .invalid(
                [.buttonFrame],
                "must lie within the unit square, and not be empty, where there is a button"
            )
        }
        guard tintColor.isEmpty || tintColor.isColor else {
            throw .invalid([.buttonTintColor], "is a colour such as #ff8800 or #ff8800c0")
        }
    }
}

/// The person's act on the media of a view; the numbers are the wire's.
package enum MediaCommand: UInt8, Hashable, Sendable, CaseIterable {
    case play = 1
    case pause = 2
}

/// A content extension's answer to an action (§19.2); the numbers are Apple's, and are stored.
package enum ContentAnswer: UInt8, Hashable, Sendable, CaseIterable {
    /// The view stays, and the app is not told.
    case doNotDismiss = 0
    /// The view closes, and the app is not told.
    case dismiss = 1
    /// The view closes, and the app is told.
    case dismissAndForward = 2

    package var closes: Bool { self != .doNotDismiss }
    /// Whether the app is told the response.
    package var tellsApp: Bool { self == .dismissAndForward }
    /// Whether the notification leaves the list together with its view, since the person acted on
    /// it (NC-2).
    package var leavesList: Bool { self != .doNotDismiss }
}

extension String {
    /// Whether the text is a media type: two names of RFC 6838 with a slash between them, then
    /// perhaps parameters.
    fileprivate var isMediaType: Bool {
        let essence = utf8.prefix { $0 != UInt8(ascii: ";") }
        let names = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.count == 2, utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return false
        }
        return names.allSatisfy { name in
            !name.isEmpty
                && name.allSatisfy { byte in
                    Self.isLetterOrDigit(byte) || "!#$&-^_.+".utf8.contains(byte)
                }
        }
    }

    /// Whether the text is `#` and six or eight hexadecimal digits.
    fileprivate var isColor: Bool {
        guard utf8.first == UInt8(ascii: "#"), [7, 9].contains(utf8.count) else { return false }
        return utf8.dropFirst().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
