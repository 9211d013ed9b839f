/// The string that was found for a key, and its language.
package struct FoundString: Hashable, Sendable {
    /// The text, or its plural forms.
    package var string: LocalizedString
    /// The tag of the string's table: the language decides which plural form a number takes.
    package var language: String

    package init(_ string: LocalizedString, language: String) {
        self.string = string
        self.language = language
    }

    /// Gives the text for a number; without a number, the text of the form `other`.
    fileprivate func text(for count: UInt64? = nil) -> String {
        let text =
            switch string {
            case .text(let text): text
            case .plural(let forms): forms[count.map { category(of: $0) } ?? .other]
            }
        return text.prefix(ofBytes: Limits.shownTextBytes)
    }

    private func category(of count: UInt64) -> PluralCategory {
        PluralRule(language: language).category(of: count)
    }
}

/// The strings of one app's texts in the languages of one device.
///
/// The renderer has looked each string up in the languages of
/// ``LanguageTag/chain(of:development:)`` in order (L10N-4, D-10). A key that is not here is in no
/// table.
package struct LocalizedStrings: Hashable, Sendable {
    // Looked up by the keys' bytes: keys that only look alike are different keys.
    private var found: [[UInt8]: FoundString] = [:]

    /// Makes the strings of an app without tables.
    package init() {}

    package subscript(key: String) -> FoundString? {
        get { found[Array(key.utf8)] }
        set { found[Array(key.utf8)] = newValue }
    }

    /// Gives the shown text of a localized text without a number: the form `other` of a plural
    /// text.
    ///
    /// Where no table has the key, the shown text is the plain text beside it, or the key where the
    /// plain text is empty (D-10).
    ///
    /// - Parameters:
    ///   - text: The localized text; nil shows the plain text alone.
    ///   - plain: The plain text beside it.
    ///   - removesEscapes: Whether the text is shown without printf escapes (D-12).
    /// - Returns: The shown text; a text from a table has at most ``Limits/shownTextBytes``.
    /// - Complexity: O(bytes).
    func resolve(
        _ text: LocalizedText?,
        else plain: String,
        removesEscapes: Bool = false
    ) -> String {
        if let text, let found = self[text.key] {
            return TextFormat(found.text())
                .filled(with: text.arguments, removesEscapes: removesEscapes)
        }
        let shown = fallback(text, plain)
        return removesEscapes ? shown.withoutPrintfEscapes : shown
    }

    /// Gives the format for `count`: for a plural text, the language's form for that number (LK-1,
    /// SUM-6).
    ///
    /// The format's marks are not filled: the caller has their values. The text's own arguments are
    /// not used.
    ///
    /// - Complexity: O(bytes).
    func format(_ text: LocalizedText?, else plain: String, count: UInt64) -> String {
        guard let text, let found = self[text.key] else { return fallback(text, plain) }
        return found.text(for: count)
    }

    private func fallback(_ text: LocalizedText?, _ plain: String) -> String {
        plain.isEmpty ? text?.key ?? "" : plain
    }
}
