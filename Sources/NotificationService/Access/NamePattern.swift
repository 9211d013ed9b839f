internal import NotificationCore

/// The names of apps or of devices that a right is for: one name, or all that begin alike.
package struct NamePattern: Sendable, Hashable, CustomStringConvertible {
    /// The name, or the beginning of the names.
    private let text: String
    private let isPrefix: Bool

    /// Reads a pattern: a name, or the beginning of names with a `*` behind it.
    ///
    /// A `*` alone is for every name. Returns nil where no name is, or begins, like the text.
    ///
    /// `isBeginning` says whether a text may be the beginning of such a name.
    package init?(_ pattern: String, where isBeginning: (String) -> Bool) {
        let isPrefix = pattern.utf8.last == UInt8(ascii: "*")
        let text = isPrefix ? String(pattern.dropLast()) : pattern
        guard isPrefix || !text.isEmpty, isBeginning(text) else { return nil }
        self.text = text
        self.isPrefix = isPrefix
    }

    func matches(_ name: String) -> Bool {
        isPrefix ? name.utf8.starts(with: text.utf8) : name == text
    }

    package var description: String { isPrefix ? text + "*" : text }
}
