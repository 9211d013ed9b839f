internal import NotificationCore

/// The names of apps or of devices that a right is for: one name, or all that begin alike.
package struct NamePattern: Sendable, Hashable, CustomStringConvertible {
    /// The name, or the beginning of the names.
    private let text: String
    private let isPrefix: Bool

    /// Reads a pattern: a name, or the beginning of names with a `*` behind it.
    ///
    /// A `*` alone is for every name. Returns nil where the text is no pattern: empty, above 160
    /// bytes, or with a `*` or a character elsewhere that no name has.
    package init?(_ pattern: String) {
        let isPrefix = pattern.utf8.last == UInt8(ascii: "*")
        let text = isPrefix ? String(pattern.dropLast()) : pattern
        guard isPrefix || !text.isEmpty, text.utf8.count <= 160,
            text.utf8.allSatisfy(Self.isOfName)
        else { return nil }
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Whether the pattern is for a name.
    func matches(_ name: String) -> Bool {
        isPrefix ? name.utf8.starts(with: text.utf8) : name == text
    }

    /// The pattern as it is written.
    package var description: String { isPrefix ? text + "*" : text }

    /// What the names of apps and of devices are made of.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8](".-_:".utf8).contains(byte)
        }
    }
}
