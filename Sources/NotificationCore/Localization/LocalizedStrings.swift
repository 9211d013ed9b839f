/// What was found under a key, and in which language.
public struct FoundString: Hashable, Sendable {
    /// The text, or its forms.
    public var string: LocalizedString
    /// The tag of the table that has it: it decides which form a number takes.
    public var language: String

    /// Makes what was found.
    public init(_ string: LocalizedString, language: String) {
        self.string = string
        self.language = language
    }

    /// Gives the text for a number; without one that for all other numbers.
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

/// The strings that one app's texts come to in the languages of one device.
///
/// Whoever renders has looked them up, each in the languages of
/// ``LanguageTag/chain(of:development:)`` in order (L10N-4, D-10). A key that is not
/// here is in no table.
public struct LocalizedStrings: Hashable, Sendable {
    // By the keys' bytes: keys that only look alike are two.
    private var found: [[UInt8]: FoundString] = [:]

    /// Makes the strings of an app without tables.
    public init() {}

    /// What was found under a key.
    public subscript(key: String) -> FoundString? {
        get { found[Array(key.utf8)] }
        set { found[Array(key.utf8)] = newValue }
    }

    /// Gives what is shown of a text that has no number: of a plural one the form `other`.
    ///
    /// Where no table has it, that is the plain text beside it, and where that is empty the key
    /// (D-10).
    ///
    /// - Parameters:
    ///   - text: The text; nil is the plain one alone.
    ///   - plain: The plain text beside it.
    ///   - removesEscapes: Whether it is shown without printf escapes (D-12).
    /// - Returns: The text, of at most ``Limits/shownTextBytes`` where it is from a table.
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

    /// Gives a format for `count`: of a plural text the form that the language has for it
    /// (LK-1, SUM-6).
    ///
    /// Its marks are left for whoever has what they stand for; the text's own arguments are not
    /// used.
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
