extension Rule {
    /// The targets whose own declarations are for programs that depend on a product.
    static let publicTargets: Set<String> = [
        "NotificationClient", "NotificationProtocol", "NotificationServer",
    ]

    /// The other files that declare something public, and why.
    static let publicFiles: [String: String] = [
        "Sources/BelfryGRPC/Channel.swift":
            "a client is made over a channel",
        "Sources/BelfryGRPC/StatusCode.swift":
            "a client's error has a code",
    ]

    /// An import may be public everywhere: functions that are inlined elsewhere need it.
    static let publicIsForPrograms = eachLine(
        of: { $0.isOwnSwift && $0.mayNotBePublic },
        in: { $0.code }
    ) { _, line in
        guard line.hasWord("public"), !line.hasWord("import") else { return nil }
        return "is no part of a product: make it package"
    }

    static let publicFilesNeedTheirEntry = Rule { tree in
        tree.files.filter { file in
            publicFiles[file.path] != nil && !file.code.contains { $0.hasWord("public") }
        }.map { file in
            file.violation(line: 1, "declares nothing public: take it off Rule.publicFiles")
        }
    }

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
    /// Whether the file is for this package alone.
    fileprivate var mayNotBePublic: Bool {
        let isShared = isIn("Sources") || isIn("Tests/TestSupport")
        return isShared && !(target.map(Rule.publicTargets.contains) ?? false)
            && Rule.publicFiles[path] == nil
    }

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
