internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Reads the texts of an app in one language from a file.
enum StringsFile {
    typealias Problem = JSONFile.Problem

    /// Reads a JSON object of texts by key; "-" is standard input.
    ///
    /// - Throws: `ExitCode` 65, after printing the problem on standard error.
    static func read(_ path: String) throws -> [String: Belfry_V1_LocalizedString] {
        try JSONFile.read(path, parse)
    }

    /// Reads an object whose values are texts, or objects with the forms of a text.
    static func parse(_ data: Data) throws -> [String: Belfry_V1_LocalizedString] {
        let object: Any
        do {
            object = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw Problem(text: JSONFault.syntax(of: [UInt8](data))?.problem ?? "it is no JSON")
        }
        guard let texts = object as? [String: Any] else {
            throw Problem(text: "it is not an object of texts by key")
        }
        guard !texts.isEmpty else {
            throw Problem(text: "there are no texts in it; 'belfry strings remove' removes all")
        }
        // Sort the texts, so that the same file is always refused for the same text.
        return try texts.sorted { $0.key < $1.key }.reduce(into: [:]) { strings, text in
            strings[text.key] = try string(text.value, of: text.key.printable)
        }
    }

    private static func string(
        _ value: Any,
        of key: String
    ) throws -> Belfry_V1_LocalizedString {
        if let text = value as? String { return .with { $0.text = text } }
        guard let forms = value as? [String: Any] else {
            throw Problem(text: "\"\(key)\" is neither a text nor an object of its forms")
        }
        var plural = Belfry_V1_PluralText()
        for (name, form) in forms.sorted(by: { $0.key < $1.key }) {
            guard let path = Self.forms[name] else {
                throw Problem(
                    text: "\"\(key)\" has a form \"\(name.printable)\": there are zero, one, two, "
                        + "few, many and other"
                )
            }
            guard let text = form as? String else {
                throw Problem(text: "the form \(name) of \"\(key)\" is not a text")
            }
            plural[keyPath: path] = text
        }
        guard forms["other"] != nil else {
            throw Problem(text: "\"\(key)\" has no form \"other\", which every number may need")
        }
        return .with { $0.plural = plural }
    }

    private static var forms: [String: WritableKeyPath<Belfry_V1_PluralText, String>] {
        [
            "zero": \.zero, "one": \.one, "two": \.two, "few": \.few, "many": \.many,
            "other": \.other,
        ]
    }
}
