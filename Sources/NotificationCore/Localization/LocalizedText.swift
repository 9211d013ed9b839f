/// A text that is looked up in the app's string tables when it is shown (L10N-5).
package struct LocalizedText: Hashable, Sendable {
    /// The key in the tables; not empty.
    package var key: String
    /// The values that replace each `%@` in order, or `%1$@`, `%2$@` by number.
    package var arguments: [String]

    package init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }

    /// Whether both texts have the same bytes.
    package static func == (left: Self, right: Self) -> Bool {
        left.key == right.key && left.arguments.areExactly(right.arguments)
    }

    /// The UTF-8 bytes of the key and the arguments; they count as text of the content or category.
    ///
    /// - Complexity: O(arguments).
    package var byteCount: Int {
        arguments.reduce(key.utf8.count) { $0 + $1.utf8.count }
    }

    /// Checks the text at `path`.
    ///
    /// - Throws: `LOCALIZATION_KEY_INVALID`, or a refusal of the arguments.
    func validate(_ path: FieldPath) throws(Refusal) {
        guard !key.isEmpty else { throw .localizationKeyInvalid(path.appending(.key)) }
        guard key.utf8.count <= Limits.localizationKeyBytes else {
            throw .localizationKeyTooLong(path.appending(.key))
        }
        guard arguments.count <= Limits.textArguments else {
            throw .invalid(path.appending(.arguments), "at most \(Limits.textArguments) are kept")
        }
    }
}

extension Refusal {
    static func localizationKeyTooLong(_ path: FieldPath) -> Refusal {
        invalid(
            path,
            "a key is at most \(Limits.localizationKeyBytes) bytes",
            reason: .localizationKeyInvalid
        )
    }

    static func localizationKeyInvalid(_ path: FieldPath) -> Refusal {
        invalid(path, "a text has a key", reason: .localizationKeyInvalid)
    }
}
