/// A way in which an app may run without being seen; the bits are stored.
package struct BackgroundModes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `remote-notification`: the app is woken for silent pushes (REG-2).
    package static let remoteNotification = BackgroundModes(rawValue: 1)
}

/// The facts of `RegisterApp` about an app: its names, its extensions, and its rights.
///
/// An app that is registered by its first call has an empty registration.
package struct AppRegistration: Hashable, Sendable {
    /// The app's name by language tag, such as `pt-BR`; empty shows the app's identifier.
    ///
    /// Bounded: ``validate(for:)`` refuses tags that are not well formed.
    package var names: [String: String] = [:]
    /// The name of the app's icon; empty is none.
    package var icon = ""
    /// The app's own language, used where no text is in a language of the device (D-10).
    package var language = "en"
    /// The rights that the vendor gives the app.
    package var entitlements: Entitlements = []
    /// How the app may run without being seen.
    package var backgroundModes: BackgroundModes = []
    /// The app's extensions: at most one service extension (NSE-8).
    package var extensions: [AppExtension] = []
    /// Whether the app is there for a limited time, so that its permission needs no prompt.
    package var isEphemeral = false

    package init() {}

    /// Checks the registration of `app`.
    ///
    /// Paths in the refusals are relative to the registration.
    ///
    /// - Throws: The first refusal, in the order of the fields: `LANGUAGE_INVALID`,
    ///   `APP_NAME_INVALID`, `EXTENSION_INVALID`, `EXTENSION_CATEGORY_TAKEN` or one without a
    ///   reason of its own.
    /// - Complexity: O(*n* log *n*) in the names, O(*n*) in the extensions' categories.
    package func validate(for app: String) throws(Refusal) {
        try validateNames()
        guard icon.utf8.count <= Limits.appNameBytes else {
            throw .invalid([.icon], "an icon's name is at most \(Limits.appNameBytes) bytes")
        }
        guard extensions.count <= Limits.appExtensions else {
            throw .extensionInvalid([.extensions], "at most \(Limits.appExtensions) are kept")
        }
        try AppExtension.validate(extensions, of: app, at: [.extensions])
    }

    /// Gives the app's name for a person.
    ///
    /// - Parameter languages: The person's languages as BCP 47 tags, the preferred one first.
    /// - Returns: The name in the first of these languages for which the app has a name, by the
    ///   whole tag or by its first part; else the name in the app's own language; nil where the app
    ///   has no name.
    package func name(for languages: [String]) -> String? {
        for tag in languages {
            if let name = names[tag] { return name }
            let language = LanguageTag.parts(of: tag).first
            if let language, let name = names[language] { return name }
        }
        return names[language]
    }

    private func validateNames() throws(Refusal) {
        guard LanguageTag.isWellFormed(language) else { throw .languageInvalid([.language]) }
        guard names.count <= Limits.appLanguages else {
            throw .appNameInvalid([.names], "at most \(Limits.appLanguages) languages are kept")
        }
        // Sort the languages, so that the same registration is always refused for the same name.
        for (language, name) in names.sorted(by: { $0.key < $1.key }) {
            guard LanguageTag.isWellFormed(language) else { throw .languageInvalid([.names]) }
            guard (1...Limits.appNameBytes).contains(name.utf8.count) else {
                throw .appNameInvalid(
                    .value(of: language, in: .names),
                    "a name is 1-\(Limits.appNameBytes) bytes of UTF-8"
                )
            }
        }
        guard names.isEmpty || names[language] != nil else {
            throw .appNameInvalid([.names], "has none in the app's own language, \(language)")
        }
    }
}

extension Refusal {
    static func languageInvalid(_ path: FieldPath) -> Refusal {
        invalid(path, "a language is a tag such as en or pt-BR", reason: .languageInvalid)
    }

    fileprivate static func appNameInvalid(_ path: FieldPath, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .appNameInvalid)
    }

    static func extensionInvalid(_ path: FieldPath, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .extensionInvalid)
    }
}
