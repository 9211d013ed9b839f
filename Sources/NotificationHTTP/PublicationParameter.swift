internal import BelfryGRPC

/// The parameters of a publication, by the names that ntfy documents.
enum PublicationParameter: String, CaseIterable {
    case message = "Message"
    case title = "Title"
    case priority = "Priority"
    case tags = "Tags"
    case delay = "Delay"
    case timeZone = "Timezone"
    case click = "Click"
    case actions = "Actions"
    case sequence = "Sequence-ID"
    case firebase = "Firebase"
    case cache = "Cache"
    case markdown = "Markdown"
    case icon = "Icon"
    case attach = "Attach"
    case filename = "Filename"
    case email = "Email"
    case call = "Call"
    case template = "Template"
    case unifiedPush = "UnifiedPush"
    case poll = "Poll-ID"

    /// The names in small letters; a header and the query may have `x-` before each.
    var names: [String] { [rawValue.lowercased()] + aliases }

    private var aliases: [String] {
        switch self {
        case .message: ["m"]
        case .title: ["ti", "t"]
        case .priority: ["prio", "p"]
        case .tags: ["tag", "ta"]
        case .delay: ["at", "in"]
        case .actions: ["action"]
        case .sequence: ["sid"]
        case .markdown: ["md"]
        case .attach: ["a"]
        case .filename: ["file", "f"]
        case .email: ["e-mail", "mail", "e"]
        case .template: ["tpl"]
        case .unifiedPush: ["up"]
        case .timeZone, .click, .firebase, .cache, .icon, .call, .poll: []
        }
    }

    /// The parameter of a name in the query or in a form.
    init?(name: String) {
        let bare = name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
        guard let found = Self.allCases.first(where: { $0.names.contains(bare) }) else {
            return nil
        }
        self = found
    }

    /// The parameter of a name in JSON, in which case does not matter.
    init?(key: String) {
        let bare = key.lowercased() == "sequence_id" ? "sequence-id" : key.lowercased()
        guard let found = Self.allCases.first(where: { $0.rawValue.lowercased() == bare }) else {
            return nil
        }
        self = found
    }

    /// Refuses a value that the server cannot follow.
    ///
    /// - Throws: INVALID_ARGUMENT, with the parameter and why it is refused.
    func check(_ value: String) throws(Status) {
        let reason: String
        switch self {
        case .message, .title, .priority, .tags, .delay, .timeZone, .click, .icon, .actions,
            .sequence:
            return
        case .firebase:
            // Accept either value: nothing goes to Firebase.
            _ = try flag(value)
            return
        case .cache:
            if try flag(value) { return }
            reason = "each notification is stored until it is removed"
        case .markdown:
            guard try flag(value) else { return }
            reason = "texts are shown as they are: send plain text"
        case .unifiedPush:
            guard try flag(value) else { return }
            reason = "the server distributes nothing for UnifiedPush"
        case .template:
            if Self.flag(value) == false { return }
            reason = "the server fills in no templates: send the text itself"
        case .email:
            if Self.flag(value) == false { return }
            reason = "the server sends no e-mail"
        case .call:
            if Self.flag(value) == false { return }
            reason = "the server makes no phone calls"
        case .attach: reason = "the server fetches no files: put the address into the message"
        case .filename: reason = "files are not taken here: upload them with PutAttachment"
        case .poll: reason = "it is for servers of ntfy alone"
        }
        throw .refused("\(rawValue): \(reason)")
    }

    private func flag(_ value: String) throws(Status) -> Bool {
        guard let flag = Self.flag(value) else {
            throw .refused("\(rawValue): it has to be yes or no")
        }
        return flag
    }

    /// Reads a yes or a no; nil for anything else.
    static func flag(_ value: String) -> Bool? {
        switch value.lowercased() {
        case "1", "yes", "true": true
        case "0", "no", "false": false
        default: nil
        }
    }
}
