/// The plural forms of a text, by the categories of CLDR (L10N-5).
package struct PluralForms: Hashable, Sendable {
    /// The form for zero, in languages that have it; empty uses ``other``, as in the next forms.
    package var zero: String
    /// The form for 1 in English, for example.
    package var one: String
    /// The form for two, in languages that have it.
    package var two: String
    /// The form for 2, 3 and 4 in Polish, for example.
    package var few: String
    /// The form for 11 to 99 in Arabic, for example.
    package var many: String
    /// The form for all other numbers; not empty.
    package var other: String

    package init(
        zero: String = "",
        one: String = "",
        two: String = "",
        few: String = "",
        many: String = "",
        other: String
    ) {
        self.zero = zero
        self.one = one
        self.two = two
        self.few = few
        self.many = many
        self.other = other
    }

    /// All forms, in the order of ``PluralCategory``.
    package var all: [String] { [zero, one, two, few, many, other] }

    /// Gives the form of a category, or ``other`` where that form is empty.
    package subscript(category: PluralCategory) -> String {
        let form =
            switch category {
            case .zero: zero
            case .one: one
            case .two: two
            case .few: few
            case .many: many
            case .other: other
            }
        return form.isEmpty ? other : form
    }
}

/// A text of a string table, with or without plural forms.
package enum LocalizedString: Hashable, Sendable {
    /// One text for every number.
    case text(String)
    case plural(PluralForms)

    /// The UTF-8 bytes of the text, or of all its forms.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .plural(let forms): forms.all.reduce(0) { $0 + $1.utf8.count }
        }
    }
}

/// The texts of an app in one language, on all devices: a Localizable.strings.
package struct StringTable: Hashable, Sendable {
    package var app: String
    /// The language, as a BCP 47 tag.
    package var language: String
    package var strings: [ExactText: LocalizedString]

    package init(app: String, language: String, strings: [ExactText: LocalizedString] = [:]) {
        self.app = app
        self.language = language
        self.strings = strings
    }

    /// The UTF-8 bytes of its keys and texts.
    ///
    /// - Complexity: O(*n*) in the texts.
    package var byteCount: Int {
        strings.reduce(0) { $0 + $1.key.text.utf8.count + $1.value.byteCount }
    }

    /// Checks the table.
    ///
    /// - Throws: The first refusal, in the order of the fields and then of the keys:
    ///   `APP_ID_INVALID`, `LANGUAGE_INVALID`, `STRING_TABLE_TOO_LARGE`,
    ///   `LOCALIZATION_KEY_INVALID` or `PLURAL_INVALID`.
    /// - Complexity: O(*n* log *n*) in the texts.
    package func validate() throws(Refusal) {
        try CenterName.validate(app: app, [.app])
        guard LanguageTag.isWellFormed(language) else { throw .languageInvalid([.language]) }
        guard strings.count <= Limits.stringsPerTable, byteCount <= Limits.stringTableBytes else {
            throw .stringTableTooLarge
        }
        // Sort the keys, so that the same table is always refused for the same text.
        for key in strings.keys.sorted(by: <) {
            let path = FieldPath.value(of: key.text, in: .strings)
            if key.text.isEmpty { throw .localizationKeyInvalid(path) }
            guard key.text.utf8.count <= Limits.localizationKeyBytes else {
                throw .localizationKeyTooLong(path)
            }
            if case .plural(let forms) = strings[key], forms.other.isEmpty {
                throw .invalid(
                    path.appending(.plural, .other),
                    "a plural text has a form for all other numbers",
                    reason: .pluralInvalid
                )
            }
        }
    }
}

extension Refusal {
    /// Refuses a table of too many texts, or bytes.
    package static let stringTableTooLarge = invalid(
        [.strings],
        """
        a table has at most \(Limits.stringsPerTable) texts and \
        \(Limits.stringTableBytes) bytes
        """,
        reason: .stringTableTooLarge
    )
}
