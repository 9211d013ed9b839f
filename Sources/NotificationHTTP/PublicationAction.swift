internal import BelfryGRPC
internal import Foundation

/// A button of a publication.
///
/// The server passes it to the app, and does none of its work.
struct PublicationAction: Encodable {
    /// The act of a button.
    enum Kind: String, Encodable, CaseIterable {
        case view
        case http
        case broadcast
        case copy

        /// The fields of a kind of button, beside the common ones; the one that must be there is
        /// first.
        fileprivate var fields: [String] {
            switch self {
            case .view: ["url"]
            case .http: ["url", "method", "headers", "body"]
            case .broadcast: ["intent", "extras"]
            case .copy: ["value"]
            }
        }

        /// The field that must be there.
        fileprivate var required: String? { self == .broadcast ? nil : fields.first }
    }

    /// The fields of a button before they are checked.
    struct Draft {
        var texts: [String: String] = [:]
        /// The fields that have names of their own: headers and extras.
        var maps: [String: [String: String]] = [:]
    }

    let action: Kind
    let label: String
    var url: String?
    var method: String?
    var headers: [String: String]?
    var body: String?
    var intent: String?
    var extras: [String: String]?
    var value: String?
    var clear: Bool?

    /// Checks the fields of a button.
    ///
    /// - Throws: INVALID_ARGUMENT, with the field that is wrong.
    init(_ draft: Draft) throws(Status) {
        let texts = draft.texts.filter { !$0.value.isEmpty }
        guard let action = Kind(rawValue: texts["action"]?.lowercased() ?? "") else {
            throw .refused("Actions: an action is view, http, broadcast or copy")
        }
        guard let label = texts["label"] else { throw .refused("Actions: a label is missing") }
        let common = ["action", "label", "clear"]
        let names = Set(texts.keys).union(draft.maps.keys)
        for name in names.sorted() where !common.contains(name) && !action.fields.contains(name) {
            throw .refused("Actions: \(action.rawValue) has no field '\(name)'")
        }
        if let name = action.required, texts[name] == nil {
            throw .refused("Actions: \(action.rawValue) needs '\(name)'")
        }
        self.action = action
        self.label = label
        url = texts["url"]
        method = texts["method"]?.uppercased()
        body = texts["body"]
        intent = texts["intent"]
        value = texts["value"]
        headers = draft.maps["headers"]
        extras = draft.maps["extras"]
        if let text = texts["clear"] {
            guard let flag = PublicationParameter.flag(text) else {
                throw .refused("Actions: 'clear' has to be true or false")
            }
            clear = flag
        }
        if let method {
            guard method.utf8.count <= 32, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
            else { throw .refused("Actions: 'method' is no method of HTTP") }
            guard body == nil || method != "GET" && method != "HEAD" else {
                throw .refused("Actions: a \(method) has no 'body'")
            }
        }
    }

    static func read(_ list: [JSONValue]) throws(Status) -> [PublicationAction] {
        try list.map { value throws(Status) in
            guard case .object(let object) = value else {
                throw .refused("Actions: each has to be an object")
            }
            var draft = Draft()
            for (key, value) in object where !value.isEmpty {
                try draft.set(key.lowercased(), value)
            }
            return try PublicationAction(draft)
        }
    }
}

extension PublicationAction.Draft {
    private static let textNames: Set = [
        "action", "label", "url", "method", "body", "intent", "value", "clear",
    ]

    /// Sets a text, or a part of a map: "extras.cmd".
    ///
    /// - Throws: INVALID_ARGUMENT where no button has such a field, or this one has it already.
    mutating func set(_ name: String, text: String) throws(Status) {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        let isTaken: Bool
        if parts.count == 2, ["headers", "extras"].contains(parts[0].lowercased()) {
            let map = parts[0].lowercased()
            isTaken = maps[map, default: [:]].updateValue(text, forKey: parts[1]) != nil
        } else if Self.textNames.contains(name.lowercased()) {
            isTaken = texts.updateValue(text, forKey: name.lowercased()) != nil
        } else {
            throw .refused(
                "Actions: a field is none of \(Self.textNames.sorted().joined(separator: ", ")), "
                    + "headers.NAME, extras.NAME: quote a value that has an equals sign"
            )
        }
        guard !isTaken else { throw .refused("Actions: a field is there twice") }
    }

    fileprivate mutating func set(_ name: String, _ value: JSONValue) throws(Status) {
        switch value {
        case .text(let text) where Self.textNames.contains(name): texts[name] = text
        case .flag(let flag) where name == "clear": texts[name] = flag ? "true" : "false"
        case .object(let object) where name == "headers" || name == "extras":
            var map: [String: String] = [:]
            for (key, value) in object {
                guard case .text(let text) = value else {
                    throw .refused("Actions: each of '\(name)' has to be a text")
                }
                map[key] = text
            }
            maps[name] = map
        default:
            guard Self.textNames.contains(name) || name == "headers" || name == "extras" else {
                throw .refused("Actions: an action has a field that none has")
            }
            throw .refused("Actions: '\(name)' has another type")
        }
    }
}
