internal import BelfryGRPC
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore

/// The parameters of a publication, each with the first value of its body, its headers and its
/// query.
struct PublicationFields {
    private var values: [PublicationParameter: String] = [:]
    /// The buttons of a body as JSON; nil where it has none.
    private(set) var actions: [JSONValue]?
    /// The app that a body as JSON names.
    private(set) var topic = ""

    /// The value of a parameter; nil where the request has none.
    subscript(_ parameter: PublicationParameter) -> String? { values[parameter] }

    /// Reads the headers and the query of a request.
    ///
    /// - Throws: INVALID_ARGUMENT for a parameter that the query alone has a name for, and for a
    ///   header that does not decode.
    init(_ exchange: Exchange) throws(Status) {
        for parameter in PublicationParameter.allCases {
            guard let text = Self.header(parameter, exchange) else { continue }
            set(parameter, try EncodedWords.decode(text, in: parameter.rawValue))
        }
        for (name, value) in exchange.queryItems where name != "auth" {
            guard let parameter = PublicationParameter(name: name) else {
                throw .refused("\(Self.shown(name)): there is no such parameter in a query")
            }
            set(parameter, value)
        }
    }

    /// Reads the body of a publication to the server itself.
    ///
    /// - Throws: INVALID_ARGUMENT, with the field that is wrong.
    mutating func read(json bytes: [UInt8]) throws(Status) {
        guard
            case .object(let object)? = try? JSONDecoder().decode(
                JSONValue.self,
                from: Data(bytes)
            )
        else {
            throw .refused(
                "the body is no object of JSON: a text is published to a topic, as in /alerts"
            )
        }
        let before = values
        values = [:]
        for (key, value) in object where !value.isEmpty {
            if key.lowercased() == "topic" {
                guard case .text(let text) = value else {
                    throw .refused("topic: it has to be a text")
                }
                topic = text
            } else if let parameter = PublicationParameter(key: key) {
                try read(value, parameter)
            } else {
                throw .refused("\(Self.shown(key)): JSON of a publication has no such field")
            }
        }
        guard !topic.isEmpty else { throw .refused("topic: the JSON has none") }
        if actions != nil { values[.actions] = "" }
        // Prefer the body: some clients send a part in headers, too.
        values.merge(before) { mine, _ in mine }
    }

    /// Reads a body that is a form; it stays a text unless it has a message, and names of
    /// parameters alone.
    mutating func read(form text: String) -> Bool {
        let items = Exchange.items(of: text)
        let named = items.map { (PublicationParameter(name: $0.name), $0.value) }
        guard named.contains(where: { $0.0 == .message }), named.allSatisfy({ $0.0 != nil }) else {
            return false
        }
        let before = values
        values = [:]
        for case (let parameter?, let value) in named { set(parameter, value) }
        values.merge(before) { mine, _ in mine }
        return true
    }

    /// Refuses the parameters of the request that the server cannot follow.
    func check() throws(Status) {
        for parameter in PublicationParameter.allCases {
            if let value = values[parameter] { try parameter.check(value) }
        }
    }

    private mutating func set(_ parameter: PublicationParameter, _ value: String) {
        let value = value.trimmingCharacters(in: .whitespacesAndNewlines)
        if !value.isEmpty, values[parameter] == nil { values[parameter] = value }
    }

    private mutating func read(
        _ value: JSONValue,
        _ parameter: PublicationParameter
    ) throws(Status) {
        let name = parameter.rawValue
        switch (parameter, value) {
        case (.tags, .list(let list)):
            values[.tags] = try list.map { tag throws(Status) in
                guard case .text(let text) = tag else {
                    throw .refused("Tags: each has to be a text")
                }
                return text
            }.joined(separator: ",")
        case (.tags, _): throw .refused("Tags: it has to be a list of texts")
        case (.actions, .list(let list)): actions = list
        case (.actions, _): throw .refused("Actions: it has to be a list")
        case (.priority, .number(let number)):
            values[.priority] = Int(exactly: number).map(String.init) ?? "\(number)"
        case (.priority, _): throw .refused("Priority: it has to be a number, 1 to 5")
        case (.markdown, .flag(let flag)), (.cache, .flag(let flag)), (.firebase, .flag(let flag)):
            values[parameter] = flag ? "yes" : "no"
        case (.markdown, _): throw .refused("Markdown: it has to be true or false")
        case (_, .text(let text)): set(parameter, text)
        default: throw .refused("\(name): it has to be a text")
        }
    }

    private static func header(
        _ parameter: PublicationParameter,
        _ exchange: Exchange
    ) -> String? {
        for name in parameter.names.flatMap({ ["x-" + $0, $0] }) {
            guard let field = HTTPField.Name(name), let value = exchange.field(field),
                !value.isEmpty
            else { continue }
            // Skip HTTP's own header of this name (RFC 9218).
            if name == "priority", value.wholeMatch(of: #/(u=[0-7])?(, ?)?(i(=\?[01])?)?/#) != nil {
                continue
            }
            return value
        }
        return nil
    }

    /// A name from outside, as a refusal repeats it.
    private static func shown(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain && (1...40).contains(name.utf8.count) ? name : "a name"
    }
}

extension Exchange {
    fileprivate var queryItems: [(name: String, value: String)] {
        Self.items(of: request.uri.query ?? "")
    }

    /// The names and values of a text that is written as HTML's forms are.
    static func items(of text: some StringProtocol) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                decoded(Substring(parts[0])), parts.count > 1 ? decoded(Substring(parts[1])) : ""
            )
        }
    }
}
