internal import NotificationCore
internal import StandardServices

// The words of the wire for the refusals of the core, the store and the feeds: a refusal names its
// problem by type, and only these extensions know the names that the contract has for it.

extension Refusal {
    /// The message, which begins with the fields that are wrong and ends with what to do.
    var wireMessage: String {
        let paths = namesFields ? fields.map(\.path.wireName).joined(separator: ", ") + ": " : ""
        return paths + wireText(message) + (hint?.wireText ?? "")
    }

    /// The wrong fields, by their paths on the wire.
    var violations: [FieldViolation] {
        fields.map { FieldViolation(field: $0.path.wireName, description: wireText($0.problem)) }
    }

    /// `UNErrorDomain` for the twelve reasons that have a number of Apple's (§2.9), else `belfry`.
    var domain: String { unErrorCode == nil ? "belfry" : UNErrorCode.domain }

    /// The metadata of the reason, which holds Apple's number.
    ///
    /// Bounded: the keys are the server's own names.
    var wireMetadata: [String: String] {
        // Bounded: as above.
        var metadata: [String: String] = [:]
        for (fact, value) in facts { metadata[fact.wireName] = value }
        if case .lacks(let missing)? = hint { metadata["missing"] = missing.wireName }
        if let unErrorCode { metadata["code"] = "\(unErrorCode)" }
        return metadata
    }

    /// A text about a name, which begins with what the contract calls the name.
    private func wireText(_ text: String) -> String {
        switch reason {
        case .appIDInvalid: "an app_id " + text
        case .deviceIDInvalid: "a device_id " + text
        default: text
        }
    }

    /// Refuses a request for one field that only the contract knows.
    static func invalid(
        _ path: String,
        _ problem: String,
        reason: Reason = .invalidField
    ) -> Refusal {
        invalid(.written(path), problem, reason: reason)
    }
}

extension Reason {
    /// The reason in UPPER_SNAKE_CASE.
    var wireName: String { snakeCase(rawValue).uppercased() }
}

extension Refusal.Fact {
    /// The key in the metadata.
    fileprivate var wireName: String {
        switch self {
        case .app: "app_id"
        case .device: "device_id"
        case .callback: "callback_id"
        case .callerKind: "caller"
        case .firstEvent: "first_number"
        case .lastEvent: "last_event_number"
        case .byteCount: "size_bytes"
        default: rawValue
        }
    }
}

extension FieldPath {
    /// A path in the request, in the contract's words.
    static func written(_ path: String) -> FieldPath { FieldPath([.written(path)]) }

    /// The path in the request, such as `content.attachments[2].attachment_id`.
    var wireName: String {
        var name = ""
        for step in steps {
            switch step {
            case .field(let field): name += (name.isEmpty ? "" : ".") + field.wireName
            case .written(let path): name += (name.isEmpty ? "" : ".") + path
            case .index(let index): name += "[\(index)]"
            case .key(let key): name += "[\"\(Self.shown(key))\"]"
            }
        }
        return name
    }

    /// How many characters of a key are shown: enough for a person to find it.
    private static let keyScalars = 64

    /// Cuts a key, and escapes it as in a program: it may be long and hold any characters.
    private static func shown(_ key: String) -> String {
        let start = key.unicodeScalars.prefix(keyScalars)
        let isCut = start.endIndex != key.unicodeScalars.endIndex
        return start.map { $0.escaped(asASCII: false) }.joined() + (isCut ? "…" : "")
    }
}

extension Field {
    /// The field's name in the protos: its own, in snake case, where the contract has no other.
    var wireName: String {
        switch self {
        case .app: "app_id"
        case .arguments: "args"
        case .avatar: "avatar_attachment_id"
        case .byteCount: "size_bytes"
        case .callback: "callback_id"
        case .changes: "update_mask"
        case .collapse: "collapse_id"
        case .payload: "payload_json"
        case .conversation: "conversation_id"
        case .device: "device_id"
        case .extension: "extension_id"
        case .file: "attachment_id"
        case .group: "group_id"
        case .iconFile: "icon_attachment_id"
        case .listedApps: "app_ids"
        case .localizedSummaryFormat: "localized_category_summary_format"
        case .presentation: "presentation_id"
        case .prompt: "prompt_id"
        case .registration: "manifest"
        case .resumedSubscription: "resume_subscription_id"
        case .serving: "serving_id"
        case .subscription: "subscription_id"
        case .userInfo: "user_info_json"
        default: snakeCase(rawValue)
        }
    }
}

extension Refusal.Hint {
    /// The end of a message, in the words of the contract and of the program.
    fileprivate var wireText: String {
        switch self {
        case .askForPermission: ": call RequestAuthorization first"
        case .lacks(let missing): ": " + missing.wireText
        case .askForAppSettings: ": it did not ask for PROVIDES_APP_NOTIFICATION_SETTINGS"
        case .startWithManualClock: ": start it with --clock manual"
        case .repeatWithSameKey: ", then call again with the same idempotency_key"
        case .beginAnew: ": ask for a snapshot, or begin with after 0"
        case .repairStore:
            "; stop the server and run 'belfry check --repair', or restore a backup"
        }
    }
}

extension Refusal {
    /// The refusal of a command that is a part of its request.
    ///
    /// The idempotency key is beside the part: its path stays as it is.
    func ofPart(_ name: String) -> Refusal {
        fields.first?.path == [.idempotencyKey] ? self : within(.written(name))
    }
}

extension MissingPermission {
    /// The missing permission's name, for programs.
    fileprivate var wireName: String {
        switch self {
        case .notAsked: "NOT_ASKED"
        case .notAnswered: "NOT_ANSWERED"
        case .denied: "DENIED"
        case .setting(let field, _): field.wireName
        }
    }

    /// The missing permission and its remedy, for a person.
    fileprivate var wireText: String {
        switch self {
        case .notAsked: "nobody has been asked yet: call RequestAuthorization first"
        case .notAnswered: "the person is being asked, and has not answered yet"
        case .denied: "the person denied them, and may allow them in the settings"
        case .setting(_, .notSupported): "the app never asked for \(wireName), or cannot have it"
        case .setting: "the person turned \(wireName) off"
        }
    }
}

/// Writes a name of several words in snake case: `timeInterval` becomes `time_interval`.
private func snakeCase(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
        scalar.properties.isUppercase ? "_" + scalar.properties.lowercaseMapping : String(scalar)
    }.joined()
}
