extension String {
    /// Whether both texts are the same bytes.
    ///
    /// Strings that only look alike are equal in Swift, but they name different threads, people
    /// and categories.
    ///
    /// - Complexity: O(bytes), no allocation.
    public func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Sequence<String> {
    /// Whether one of the texts is the same bytes as `text`.
    ///
    /// - Complexity: O(texts), no allocation.
    public func containsExactly(_ text: String) -> Bool { contains { $0.isExactly(text) } }
}
