extension Rule {
    /// What other targets see is described where it is declared.
    static let sharedDeclarationsAreDescribed = eachFile(of: { $0.isOwnSwift }) { file in
        file.code.indices.filter { index in
            file.code[index].declaresForOthers && !file.hasDescription(above: index)
        }.map { index in
            file.violation(line: index + 1, "has no documentation comment")
        }
    }
}

extension SourceFile {
    /// Whether a documentation comment ends above a line and the attributes above it.
    fileprivate func hasDescription(above index: Int) -> Bool {
        let above = lines[..<index].map { $0.drop { $0.isWhitespace } }
        return above.last { !$0.hasPrefix("@") }?.hasPrefix("///") ?? false
    }
}

extension String {
    private static let declarationKinds: Set<Substring> = [
        "actor", "associatedtype", "class", "enum", "func", "init", "init?", "let", "macro",
        "protocol", "struct", "subscript", "typealias", "var",
    ]

    /// Whether the line declares something that other targets see; what overrides an inherited
    /// declaration is described there.
    fileprivate var declaresForOthers: Bool {
        guard hasWord("package") || hasWord("public") else { return false }
        let words = split { $0.isWhitespace || $0 == "(" || $0 == "<" }
        guard let access = words.firstIndex(where: { ["package", "public"].contains($0) }),
            let kind = words.firstIndex(where: Self.declarationKinds.contains)
        else { return false }
        return access < kind && !words.contains("override")
    }
}
