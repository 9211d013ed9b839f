internal import Faults

// In this package two texts are equal where their bytes are equal.
//
// In Swift two texts are equal where Unicode calls them equivalent. That comparison takes time that
// grows with the square of the marks on one letter, two minutes for a text of a megabyte, and texts
// come from outside. Also, identifiers that only look alike name different things. So this file
// declares the operators of text for every file that imports this module, and a key for sets and
// dictionaries; SoundnessTests finds comparisons that do not use them.

extension String {
    package static func == (left: String, right: String) -> Bool { left.isExactly(right) }

    /// Whether the texts differ in their bytes.
    package static func != (left: String, right: String) -> Bool { !left.isExactly(right) }

    /// Whether a text equals a pattern, byte by byte; the cases of a `switch` use it.
    package static func ~= (pattern: String, text: String) -> Bool { pattern.isExactly(text) }

    @usableFromInline
    package static func < (left: String, right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    package static func > (left: String, right: String) -> Bool { right < left }

    /// Whether both texts are the same bytes.
    ///
    /// Strings that only look alike are equal in Swift, but they name different threads, people and
    /// categories.
    ///
    /// - Complexity: O(bytes), no allocation.
    @inlinable
    package func isExactly(_ other: String) -> Bool {
        // The iterators of views of text take ten times as long.
        let bytes = utf8.span
        let others = other.utf8.span
        guard bytes.count == others.count else { return false }
        for place in bytes.indices where bytes[place] != others[place] { return false }
        return true
    }
}

extension Optional where Wrapped == String {
    /// Whether both texts have the same bytes, or both are nil.
    package static func == (left: String?, right: String?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left.isExactly(right)
        case (nil, nil): true
        default: false
        }
    }

    /// Whether the texts differ in their bytes, or one of them is nil.
    package static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension Sequence<String> {
    package func containsExactly(_ text: String) -> Bool { contains { $0.isExactly(text) } }

    /// Whether both have the same texts, byte by byte, in the same order.
    ///
    /// - Complexity: O(bytes), no allocation.
    func areExactly(_ others: some Sequence<String>) -> Bool {
        elementsEqual(others) { $0.isExactly($1) }
    }
}

/// A text as a key of sets and dictionaries; bytes decide its equality, its hash and its order.
@usableFromInline
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    @usableFromInline
    package let text: String

    @inlinable
    package init(_ text: String) { self.text = text }

    /// Makes a key of a text in the source.
    @inlinable
    package init(stringLiteral text: String) { self.text = text }

    /// Whether both are the same bytes.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// Hashes the bytes, eight at a time.
    ///
    /// - Complexity: O(bytes), no allocation.
    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        if Fault.textHashedByCharacters.isPlanted { return hasher.combine(text) }
        let bytes = text.utf8.span
        var place = 0
        while place + 8 <= bytes.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word = word << 8 | UInt64(bytes[place + offset]) }
            hasher.combine(word)
            place += 8
        }
        var rest = UInt64(bytes.count)
        for place in place..<bytes.count { rest = rest << 8 | UInt64(bytes[place]) }
        hasher.combine(rest)
    }
}
