// In this package texts are the same where their bytes are.
//
// In Swift they are the same where Unicode calls them so. To find that out takes time that grows
// with the square of the marks on one letter, two minutes for a text of a megabyte, and texts come
// from outside. And identifiers that only look alike name different things. So here are the
// operators of text, for every file that imports this module, and a key for sets and dictionaries;
// SoundnessTests finds what goes past them.

extension String {
    /// Whether both texts are the same bytes.
    ///
    /// - Complexity: O(bytes), no allocation.
    package static func == (left: String, right: String) -> Bool { left.isExactly(right) }

    /// Whether the texts are other bytes.
    package static func != (left: String, right: String) -> Bool { !left.isExactly(right) }

    /// Whether a text is a pattern, byte by byte: the cases of a `switch`.
    package static func ~= (pattern: String, text: String) -> Bool { pattern.isExactly(text) }

    /// Orders texts by their bytes.
    package static func < (left: String, right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Orders texts by their bytes.
    package static func > (left: String, right: String) -> Bool { right < left }

    /// Whether both texts are the same bytes.
    ///
    /// Strings that only look alike are equal in Swift, but they name different threads, people
    /// and categories.
    ///
    /// - Complexity: O(bytes), no allocation.
    public func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension Optional where Wrapped == String {
    /// Whether both texts are the same bytes, or neither is there.
    package static func == (left: String?, right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left.isExactly(right)
        case (nil, nil): true
        default: false
        }
    }

    /// Whether the texts are other bytes, or one of them is not there.
    package static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension Sequence<String> {
    /// Whether one of the texts is the same bytes as `text`.
    ///
    /// - Complexity: O(texts), no allocation.
    public func containsExactly(_ text: String) -> Bool { contains { $0.isExactly(text) } }

    /// Whether both have the same texts, byte by byte, in the same order.
    ///
    /// - Complexity: O(bytes), no allocation.
    func areExactly(_ others: some Sequence<String>) -> Bool {
        elementsEqual(others) { $0.isExactly($1) }
    }
}

/// A text as a key of sets and dictionaries: its equality, its hash and its order are its bytes'.
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    public let text: String

    /// Makes a key of a text.
    public init(_ text: String) { self.text = text }

    /// Makes a key of a text in the source.
    public init(stringLiteral text: String) { self.text = text }

    /// Whether both are the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

    /// Orders texts by their bytes.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// Hashes the bytes.
    ///
    /// - Complexity: O(bytes), no allocation.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
