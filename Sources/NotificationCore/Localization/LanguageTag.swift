/// The rules of language tags, such as `pt-BR` (BCP 47).
package enum LanguageTag {
    /// Whether `text` has the form of a tag; whether the tag is registered is not checked.
    ///
    /// - Complexity: O(bytes).
    package static func isWellFormed(_ text: String) -> Bool {
        guard CenterName.isName(text, atMost: Limits.languageBytes, extra: "-") else {
            return false
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.allSatisfy { (1...8).contains($0.count) }
            && parts.first?.allSatisfy { $0 >= UInt8(ascii: "A") } == true
            && (2...8).contains(parts.first?.count ?? 0)
    }

    /// Gives the parts between a tag's hyphens.
    static func parts(of tag: String) -> [String] {
        tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Gives the canonical form of a tag, by which tags are compared: case has no meaning in a tag.
    package static func canonical(_ tag: String) -> String { tag.lowercased() }

    /// Gives the tags under which a text is looked up, the best first: for each language its tag
    /// and then its shorter forms, `pt-BR` and then `pt` (RFC 4647 3.4); then the app's own
    /// language in the same way (D-10).
    ///
    /// - Parameters:
    ///   - languages: The person's languages, the preferred one first.
    ///   - development: The app's own language.
    /// - Returns: Tags in their canonical form, each once.
    /// - Complexity: O(*n*²) in the few tags.
    package static func chain(of languages: [String], development: String) -> [String] {
        var chain: [String] = []
        for tag in languages + [development] {
            for tag in lookup(of: tag) where !chain.contains(tag) { chain.append(tag) }
        }
        return chain
    }

    /// Gives a tag and its shorter forms, made by taking parts from its end, in canonical form.
    ///
    /// A part of one letter only introduces the next part, so both are taken together.
    ///
    /// - Complexity: O(*n*²) in the few parts.
    static func lookup(of tag: String) -> [String] {
        var parts = parts(of: canonical(tag))
        var tags: [String] = []
        while !parts.isEmpty {
            tags.append(parts.joined(separator: "-"))
            parts.removeLast()
            while parts.last?.utf8.count == 1 { parts.removeLast() }
        }
        return tags
    }
}
