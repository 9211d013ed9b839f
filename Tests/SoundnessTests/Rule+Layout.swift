extension Rule {
    /// The entries that the top level may hold besides dotfiles.
    static let topLevelEntries: Set<String> = [
        "Benchmarks", "CHANGELOG.md", "Clients", "Documentation", "Examples", "LICENSE", "Makefile",
        "Package.swift", "Protos",
        "README.md", "Sources", "Tests",
    ]

    /// Where C and C++ may be: the shims, what embeds files, and what is measured or run against
    /// the server.
    ///
    /// CLinux names the headers that Swift's Glibc module leaves out.
    static let cDirectories = [
        "Benchmarks", "Examples", "Sources/CBelfryGRPC", "Sources/CBelfryLMDB",
        "Sources/CBelfryLinux", "Sources/CBelfryOpenSSL", "Sources/CBelfryPage",
        "Sources/CBelfryWriting", "Tests/Conformance",
    ]

    static let topLevelIsTidy = Rule { tree in
        tree.topLevel.filter { !$0.hasPrefix(".") && !topLevelEntries.contains($0) }.map { entry in
            Violation(path: entry, line: 1, message: "does not belong to the top level")
        }
    }

    static let cIsInTheShims = eachFile(of: { $0.language == .c }) { file in
        guard !cDirectories.contains(where: file.isIn) else { return [] }
        return [file.violation(line: 1, "C and C++ are only in \(cDirectories)")]
    }
}
