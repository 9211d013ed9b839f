internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

extension AppRegistration {
    /// Reads an app's manifest; the paths of refusals are paths in the request.
    ///
    /// - Throws: The refusal of a malformed field, or of a field that this version would store and
    ///   ignore.
    init(_ wire: Belfry_V1_AppManifest, for app: String) throws(Refusal) {
        self.init()
        names = try Self.names(wire.names)
        icon = wire.iconAttachmentID
        if !wire.language.isEmpty { language = wire.language }
        entitlements = try Entitlements(wire.entitlements)
        backgroundModes = try optionSet(wire.backgroundModes, "manifest.background_modes")
        isEphemeral = wire.ephemeral
        for (index, item) in wire.extensions.enumerated() {
            extensions.append(try AppExtension(item, "manifest.extensions[\(index)]"))
        }
        do {
            try validate(for: app)
        } catch {
            throw error.within([.registration])
        }
    }
}

extension AppRegistration {
    /// Reads the names by language; a text that is not a valid language never becomes a key.
    ///
    /// Bounded: tags are short and ASCII before they are hashed.
    private static func names(_ wire: [Belfry_V1_AppName]) throws(Refusal) -> [String: String] {
        guard wire.count <= Limits.appLanguages else {
            throw nameInvalid("at most \(Limits.appLanguages) languages are kept")
        }
        // Bounded: the languages are validated before they are hashed.
        var names: [String: String] = [:]
        for entry in wire {
            guard LanguageTag.isWellFormed(entry.language) else {
                throw .invalid(
                    "manifest.names",
                    "a language is a tag such as en or pt-BR",
                    reason: .languageInvalid
                )
            }
            guard names.updateValue(entry.name, forKey: entry.language) == nil else {
                throw nameInvalid("has two in one language, \(entry.language)")
            }
        }
        return names
    }

    private static func nameInvalid(_ problem: String) -> Refusal {
        .invalid("manifest.names", problem, reason: .appNameInvalid)
    }
}

extension Entitlements {
    fileprivate init(_ wire: Belfry_V1_Entitlements) throws(Refusal) {
        self = []
        pushEnvironment = try PushEnvironment.optional(
            wire.apsEnvironment,
            "manifest.entitlements.aps_environment"
        )
        if wire.criticalAlerts { insert(.criticalAlerts) }
        if wire.timeSensitive { insert(.timeSensitive) }
        if wire.communication { insert(.communication) }
        if wire.filtering { insert(.filtering) }
    }
}

extension AppExtension {
    /// Reads an extension; `path` is where it is in the request.
    init(_ wire: Belfry_V1_AppExtension, _ path: String) throws(Refusal) {
        let kind: Kind
        switch wire.kind {
        case .service: kind = .service
        case .content: kind = .content
        case .unspecified, .UNRECOGNIZED:
            throw .invalid(
                path + ".kind",
                "must be there, and one that is known",
                reason: .extensionInvalid
            )
        }
        self.init(identifier: wire.extensionID, kind: kind, categories: wire.categories)
        if wire.hasInitialContentSizeRatio {
            appearance.initialContentSizeRatio = wire.initialContentSizeRatio
        }
        appearance.hidesDefaultContent = wire.defaultContentHidden
        appearance.overridesDefaultTitle = wire.overridesDefaultTitle
        appearance.takesTouches = wire.userInteractionEnabled
        appearance.handlesResponses = wire.handlesResponses
    }
}

extension Belfry_V1_AppManifest {
    init(_ registration: AppRegistration) {
        self.init()
        names = registration.names.sorted { $0.key < $1.key }.map { language, name in
            .with { entry in
                entry.language = language
                entry.name = name
            }
        }
        iconAttachmentID = registration.icon
        language = registration.language
        if !registration.entitlements.isEmpty {
            entitlements.apsEnvironment = .init(registration.entitlements.pushEnvironment)
            entitlements.criticalAlerts = registration.entitlements.contains(.criticalAlerts)
            entitlements.timeSensitive = registration.entitlements.contains(.timeSensitive)
            entitlements.communication = registration.entitlements.contains(.communication)
            entitlements.filtering = registration.entitlements.contains(.filtering)
        }
        backgroundModes = optionList(registration.backgroundModes.rawValue)
        extensions = registration.extensions.map(Belfry_V1_AppExtension.init)
        ephemeral = registration.isEphemeral
    }
}

extension Belfry_V1_AppExtension {
    init(_ item: AppExtension) {
        self.init()
        extensionID = item.identifier
        kind = item.kind == .service ? .service : .content
        categories = item.categories
        guard item.kind == .content else { return }
        initialContentSizeRatio = item.appearance.initialContentSizeRatio
        defaultContentHidden = item.appearance.hidesDefaultContent
        overridesDefaultTitle = item.appearance.overridesDefaultTitle
        userInteractionEnabled = item.appearance.takesTouches
        handlesResponses = item.appearance.handlesResponses
    }
}
