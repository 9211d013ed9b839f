/// Names a center: one app on one device.
///
/// Everything an app schedules belongs to one center.
@usableFromInline
package struct CenterName: Hashable, Sendable {
    /// The app's bundle identifier: 1-155 of `A-Za-z0-9._-`.
    @usableFromInline
    package let app: String
    /// The device: 1-128 of `A-Za-z0-9._:-`.
    @usableFromInline
    package let device: String

    /// The device of a call that names none.
    package static let localDevice = "local"

    /// Makes the name of `app`'s center on `device`.
    ///
    /// `device` is the device; empty means ``localDevice``.
    ///
    /// - Throws: A refusal that names the app or the device.
    package init(app: String, device: String) throws(Refusal) {
        try Self.validate(app: app, [.center, .app])
        guard
            device.isEmpty || Self.isName(device, atMost: Limits.deviceIDBytes, extra: "._:-")
        else {
            throw .invalid(
                [.center, .device],
                "is 1-\(Limits.deviceIDBytes) of A-Z a-z 0-9 . _ : -",
                reason: .deviceIDInvalid
            )
        }
        self.app = app
        self.device = device.isEmpty ? Self.localDevice : device
    }

    /// Whether both name the same center.
    ///
    /// Names are ASCII, so equal texts are the same bytes.
    ///
    /// - Complexity: O(bytes), a few instructions for each word.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        // Call Swift's own operator, which compares words: this module's goes byte by byte.
        func isSame<Name: Equatable>(_ left: Name, _ right: Name) -> Bool { left == right }
        return isSame(left.app, right.app) && isSame(left.device, right.device)
    }

    /// Checks an app's bundle identifier, which a command has at `path`.
    static func validate(
        app: String,
        _ path: @autoclosure () -> FieldPath
    ) throws(Refusal) {
        guard isName(app, atMost: Limits.appIDBytes, extra: "._-") else {
            throw .invalid(
                path(),
                app.isEmpty
                    ? "is required, such as org.example.reminders"
                    : "is 1-\(Limits.appIDBytes) of A-Z a-z 0-9 . _ -",
                reason: .appIDInvalid
            )
        }
    }

    /// Whether `text` may be the beginning of an app's bundle identifier.
    package static func isBeginning(ofApp text: String) -> Bool {
        text.utf8.isEmpty || isName(text, atMost: Limits.appIDBytes, extra: "._-")
    }

    /// Whether `text` may be the beginning of a device's name.
    package static func isBeginning(ofDevice text: String) -> Bool {
        text.utf8.isEmpty || isName(text, atMost: Limits.deviceIDBytes, extra: "._:-")
    }

    /// Whether `text` is 1-`limit` ASCII letters, digits and `extra`.
    static func isName(_ text: String, atMost limit: Int, extra: String) -> Bool {
        let bytes = text.utf8Span.span
        guard (1...limit).contains(bytes.count) else { return false }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            case let byte:
                guard extra.utf8.contains(byte) else { return false }
            }
        }
        return true
    }
}
