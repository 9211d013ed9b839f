extension Rule {
    /// The targets whose own declarations are for programs that depend on a product.
    static let publicTargets: Set<String> = [
        "NotificationClient", "NotificationProtocol", "NotificationServer", "NotificationTesting",
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
}

extension SourceFile {
    /// Whether the file is for this package alone.
    fileprivate var mayNotBePublic: Bool {
        let isShared = isIn("Sources") || isIn("Tests/TestSupport")
        return isShared && !(target.map(Rule.publicTargets.contains) ?? false)
            && Rule.publicFiles[path] == nil
    }
}
