/// An extension of an app, as the app's manifest registers it and as it presents itself when it
/// serves.
package struct AppExtension: Hashable, Sendable {
    /// A kind of extension; the numbers are stored.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Changes a push before it is shown (§18).
        case service = 1
        /// Shows a notification of its categories itself (§19).
        case content = 2

        /// Apple's name of the extension point (§2.12).
        package var extensionPoint: String {
            switch self {
            case .service: "com.apple.usernotifications.service"
            case .content: "com.apple.usernotifications.content-extension"
            }
        }
    }

    /// How a content extension shows a notification (NCE-2).
    package struct Appearance: Hashable, Sendable {
        /// Height by width of the view until the extension sends one; positive and finite.
        package var initialContentSizeRatio = 1.0
        /// Whether the view takes the place of title, subtitle and body.
        package var hidesDefaultContent = false
        /// Whether the view sets the title.
        package var overridesDefaultTitle = false
        /// Whether the view takes touches.
        package var takesTouches = false
        /// Whether the extension answers the actions of its categories (§19.2).
        package var handlesResponses = false

        /// The appearance of an extension that says nothing of it.
        package init() {}
    }

    /// The extension's bundle identifier: the app's, a dot, and a name (NSE-8).
    package var identifier: String
    package var kind: Kind
    /// The categories that a content extension shows (NCE-1); none for a service extension.
    package var categories: [String]
    /// How a content extension shows them.
    package var appearance: Appearance

    package init(
        identifier: String,
        kind: Kind,
        categories: [String] = [],
        appearance: Appearance = Appearance()
    ) {
        self.identifier = identifier
        self.kind = kind
        self.categories = categories
        self.appearance = appearance
    }

    /// Checks the extensions of an app.
    ///
    /// `extensions` are the extensions, in the order of the manifest. `path` is where they are in
    /// the command.
    ///
    /// - Throws: The first refusal, in the order of the extensions: `EXTENSION_INVALID` or
    ///   `EXTENSION_CATEGORY_TAKEN`.
    /// - Complexity: O(*n*) in the categories, O(*n*²) in the few extensions.
    static func validate(
        _ extensions: [AppExtension],
        of app: String,
        at path: FieldPath
    ) throws(Refusal) {
        var taken: Set<ExactText> = []
        for (index, item) in extensions.enumerated() {
            let path = path[index]
            try item.validate(for: app, at: path)
            let earlier = extensions[..<index]
            guard !earlier.contains(where: { $0.identifier == item.identifier }) else {
                throw .extensionInvalid(
                    path.appending(.extension),
                    "is that of an earlier extension"
                )
            }
            guard item.kind != .service || !earlier.contains(where: { $0.kind == .service }) else {
                throw .extensionInvalid(
                    path.appending(.kind),
                    "an app has at most one service extension"
                )
            }
            for (place, category) in item.categories.enumerated()
            where !taken.insert(ExactText(category)).inserted {
                throw .extensionCategoryTaken(path.appending(.categories)[place])
            }
        }
    }

    /// Checks one extension of `app`, without the app's other extensions.
    ///
    /// `path` is where the extension is in the command.
    ///
    /// - Throws: The first refusal, in the order of the fields: `EXTENSION_INVALID`, or
    ///   `EXTENSION_CATEGORY_TAKEN` where it names a category twice.
    /// - Complexity: O(*n*) in the categories.
    package func validate(for app: String, at path: FieldPath) throws(Refusal) {
        let isName = CenterName.isName(identifier, atMost: Limits.appIDBytes, extra: "._-")
        guard isName, identifier.utf8.starts(with: (app + ".").utf8),
            identifier.utf8.count > app.utf8.count + 1
        else {
            throw .extensionInvalid(
                path.appending(.extension),
                "is \(app), a dot and a name, at most \(Limits.appIDBytes) of A-Z a-z 0-9 . _ -"
            )
        }
        switch kind {
        case .service:
            guard categories.isEmpty else {
                throw .extensionInvalid(
                    path.appending(.categories),
                    "a service extension has none"
                )
            }
            guard appearance == Appearance() else {
                throw .extensionInvalid(path, "only a content extension has a view")
            }
        case .content: try validateContent(path)
        }
    }

    private func validateContent(_ path: FieldPath) throws(Refusal) {
        let list = path.appending(.categories)
        guard !categories.isEmpty else {
            throw .extensionInvalid(list, "name the categories that the extension shows")
        }
        guard categories.count <= Limits.extensionCategories else {
            throw .extensionInvalid(list, "at most \(Limits.extensionCategories) are kept")
        }
        var taken: Set<ExactText> = []
        for (index, category) in categories.enumerated() {
            guard (1...Limits.categoryIdentifierBytes).contains(category.utf8.count) else {
                throw .extensionInvalid(
                    list[index],
                    "a category is 1-\(Limits.categoryIdentifierBytes) bytes of UTF-8"
                )
            }
            guard taken.insert(ExactText(category)).inserted else {
                throw .extensionCategoryTaken(list[index])
            }
        }
        let ratio = appearance.initialContentSizeRatio
        guard ratio.isFinite && ratio > 0 else {
            throw .extensionInvalid(
                path.appending(.initialContentSizeRatio),
                "is height by width, more than 0"
            )
        }
    }
}

extension Refusal {
    /// Another extension of the app shows a category, or the same extension named it before
    /// (NCE-1).
    package static func extensionCategoryTaken(_ path: FieldPath) -> Refusal {
        let problem = "an extension of the app shows this category already"
        return Refusal(
            .alreadyExists,
            reason: .extensionCategoryTaken,
            message: problem,
            fields: [WrongField(path, problem)]
        )
    }
}
