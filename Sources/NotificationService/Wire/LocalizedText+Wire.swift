internal import NotificationCore
internal import NotificationProtocol

extension LocalizedText {
    init(_ wire: Belfry_V1_LocalizedText) {
        self.init(key: wire.key, arguments: wire.args)
    }
}

extension Belfry_V1_LocalizedText {
    init(_ text: LocalizedText) {
        self.init()
        key = text.key
        args = text.arguments
    }
}

extension StringTable {
    /// Reads an app's string table in one language.
    ///
    /// - Throws: The refusal of a wrong field, with its path in the request.
    init(_ wire: Belfry_V1_SetStringTableRequest) throws(Refusal) {
        self.init(app: wire.appID, language: wire.language)
        guard wire.strings.count <= Limits.stringsPerTable else { throw .stringTableTooLarge }
        for entry in wire.strings {
            let (key, path) = (ExactText(entry.key), FieldPath.value(of: entry.key, in: .strings))
            let string = try LocalizedString(entry.value, path)
            guard strings.updateValue(string, forKey: key) == nil else {
                throw .invalid(path, "is there twice", reason: .localizationKeyInvalid)
            }
        }
        try validate()
    }
}

extension LocalizedString {
    fileprivate init(_ wire: Belfry_V1_LocalizedString, _ path: FieldPath) throws(Refusal) {
        switch wire.kind {
        case .text(let text): self = .text(text)
        case .plural(let forms):
            self = .plural(
                PluralForms(
                    zero: forms.zero,
                    one: forms.one,
                    two: forms.two,
                    few: forms.few,
                    many: forms.many,
                    other: forms.other
                )
            )
        case nil: throw .invalid(path, "must be one of text, plural")
        }
    }
}
