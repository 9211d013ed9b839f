/// The identifiers of rules and sections: `CAL-8`, `W-12`, `§7.3`.
struct RuleIdentifiers {
    /// The identifiers that the documentation defines.
    private(set) var defined: Set<String> = []
    /// The letters before the numbers of rules: `CAL`, `W`.
    private(set) var families: Set<String> = []

    /// Reads the definitions of the files of `Documentation`: the beginning of an item, of a row or
    /// of a heading.
    init(_ files: [SourceFile]) {
        for line in files.filter({ $0.isIn("Documentation") }).flatMap(\.lines) {
            let marks = line.prefix { "-|#* ".contains($0) }
            guard !marks.isEmpty else { continue }
            let text = line.dropFirst(marks.count)
            if marks.hasPrefix("#"), let first = text.first, first.isNumber {
                defined.formUnion(Self.sections(inHeading: text))
            }
            guard let first = Self.identifiers(in: text.prefix(12)).first,
                text.hasPrefix(first), let family = Self.family(of: first)
            else { continue }
            defined.insert(first)
            families.insert(family)
        }
    }

    /// The sections that a heading begins: `7.3`, or `2.2–2.5` for each of the range.
    private static func sections(inHeading text: Substring) -> [String] {
        let numbers = text.prefix { $0.isNumber || $0 == "." || $0 == "–" }.split(separator: "–")
            .map { $0.hasSuffix(".") ? $0.dropLast() : $0 }
        guard let first = numbers.first, let last = numbers.last else { return [] }
        func part(_ number: Substring) -> Int {
            number.split(separator: ".").last.flatMap { Int($0) } ?? 0
        }
        let chapter = first.dropLast(String(part(first)).count)
        return (part(first)...max(part(first), part(last))).map { "§\(chapter)\($0)" }
    }

    private static func family(of identifier: String) -> String? {
        identifier.split(separator: "-").first.map(String.init)
    }

    /// The identifiers in a text: capitals, a hyphen and one or two digits, or `§` and numbers.
    static func identifiers(in text: some StringProtocol) -> [String] {
        let words = text.split { !($0.isLetter || $0.isNumber || "-§._/".contains($0)) }
        return words.flatMap { word -> [String] in
            // "§8-10" is a range of sections.
            if word.hasPrefix("§") {
                let parts = word.dropFirst().split(separator: "-")
                return parts.map { part in
                    let numbers = part.split(separator: ".").prefix { Int($0) != nil }
                    return "§" + numbers.joined(separator: ".")
                }
            }
            let parts = word.split(separator: ".").first?.split(separator: "-") ?? []
            guard parts.count == 2, (1...2).contains(parts[1].count), Int(parts[1]) != nil,
                parts[0].allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) }),
                parts[0].first?.isUppercase == true
            else { return [] }
            return ["\(parts[0])-\(parts[1])"]
        }
    }

    /// The identifiers that a line cites and the documentation does not define.
    func unknown(in line: String) -> [String] {
        guard line.contains("-") || line.contains("§") else { return [] }
        return Self.identifiers(in: line).filter { identifier in
            guard !defined.contains(identifier) else { return false }
            return identifier.hasPrefix("§")
                || Self.family(of: identifier).map(families.contains) ?? false
        }
    }
}

extension Rule {
    /// Documents that are not in the repository.
    private static let strangeDocuments = ["semantics.md", "api.md", "design.md", "engineering.md"]

    /// Comments cite rules by their identifiers, which `Documentation` defines.
    static let citedRulesExist = Rule { tree in
        let identifiers = RuleIdentifiers(tree.files)
        return tree.files.filter { !$0.isIn("Tests/SoundnessTests") && !$0.isGenerated }.flatMap {
            file in
            file.lines.enumerated().flatMap { index, line in
                identifiers.unknown(in: line).map {
                    file.violation(line: index + 1, "Documentation defines no \($0)")
                }
                    + strangeDocuments.filter { line.contains($0) }.map {
                        file.violation(line: index + 1, "cites \($0), which is not here")
                    }
            }
        }
    }
}
