internal import BelfryGRPC
internal import Foundation

extension PublicationAction {
    /// Reads buttons as a header has them: `view, Open, https://example.org, clear=true; copy,
    /// "Copy, please", 123456`, or as JSON.
    ///
    /// - Throws: INVALID_ARGUMENT, with what is wrong.
    static func read(_ text: String) throws(Status) -> [PublicationAction] {
        if text.hasPrefix("[") {
            let list = try? JSONDecoder().decode([JSONValue].self, from: Data(text.utf8))
            guard let list else { throw .refused("Actions: it is no list of JSON") }
            return try read(list)
        }
        var scanner = Scanner(rest: text[...])
        var actions: [PublicationAction] = []
        while !scanner.isAtEnd { actions.append(try PublicationAction(scanner.draft())) }
        return actions
    }

    /// Reads the short form from its beginning to its end.
    private struct Scanner {
        var rest: Substring

        var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

        /// Reads one button, and the semicolon behind it.
        mutating func draft() throws(Status) -> Draft {
            var draft = Draft()
            var place = 0
            while true {
                let (name, value) = try field()
                if let name = name ?? Self.name(at: place, draft) {
                    try draft.set(name, text: value)
                } else if !value.isEmpty {
                    throw .refused("Actions: say which field a value is, as in body=...")
                }
                place += 1
                if rest.popFirst() != "," { return draft }
            }
        }

        /// The field that a value without a name is.
        private static func name(at place: Int, _ draft: Draft) -> String? {
            let kind = Kind(rawValue: draft.texts["action"]?.lowercased() ?? "")
            return switch (place, kind) {
            case (0, _): "action"
            case (1, _): "label"
            case (2, .view), (2, .http): "url"
            case (2, .copy): "value"
            default: nil
            }
        }

        /// Reads a field up to the comma or semicolon behind it.
        private mutating func field() throws(Status) -> (name: String?, value: String) {
            skipSpaces()
            var name: String?
            if let match = rest.prefixMatch(of: #/([A-Za-z0-9_.-]+)\s*=\s*/#) {
                name = String(match.1)
                rest = rest[match.range.upperBound...]
            }
            guard let quote = rest.first, quote == "\"" || quote == "'" else {
                let value = rest.prefix { $0 != "," && $0 != ";" }
                rest = rest[value.endIndex...]
                return (name, value.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            return (name, try quoted())
        }

        /// Reads a value in quotes, in which a backslash stands before a quote.
        private mutating func quoted() throws(Status) -> String {
            let quote = rest.removeFirst()
            var value = ""
            while let character = rest.popFirst() {
                if character == "\\", rest.first == quote {
                    value.append(rest.removeFirst())
                } else if character == quote {
                    skipSpaces()
                    guard rest.isEmpty || rest.first == "," || rest.first == ";" else {
                        throw .refused("Actions: there is something behind a closing quote")
                    }
                    return value
                } else {
                    value.append(character)
                }
            }
            throw .refused("Actions: a quote is not closed")
        }

        private mutating func skipSpaces() { rest = rest.drop(while: \.isWhitespace) }
    }
}
