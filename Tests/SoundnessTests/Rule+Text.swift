// Some operations of Swift on text take time that grows with the square of the marks on one letter,
// and texts come from outside. NotificationCore has operators of text that go by bytes
// (ExactText.swift); these rules find code that goes past them.

extension Rule {
    /// The targets that read, judge and keep what comes from outside.
    static let textTargets = [
        "BelfryGRPC", "NotificationCore", "NotificationService", "NotificationStore",
    ]

    /// The types that hash texts.
    static let hashingTypes = ["Set<String>", "[String:", "[String :", "Dictionary<String"]

    /// The calls that compare texts by how they look, and the calls to write instead.
    static let lookingCalls = [
        ".hasPrefix(": "utf8.starts(with:)",
        ".hasSuffix(": "utf8.suffix(_:)",
        ".split(separator: \"": "utf8.split(separator:)",
    ]

    static let textIsHashedByItsBytes = eachFile(of: { $0.readsOutsideText }) { file in
        file.code.enumerated().filter { _, line in
            hashingTypes.contains { line.contains($0) }
        }.map { $0.offset + 1 }.filter { !file.saysBounded(beside: $0) }.map { line in
            file.violation(
                line: line,
                "hashes texts: use ExactText, or say in a `Bounded:` comment why they are short"
            )
        }
    }

    static let textIsComparedByItsBytes = eachLine(
        of: { $0.readsOutsideText },
        in: { $0.code }
    ) { _, line in
        lookingCalls.first { line.contains($0.key) }.map { "compares texts: use \($0.value)" }
    }

    /// The operators are those of the files that import them.
    static let textOperatorsAreImported = eachFile(
        of: { $0.target == "NotificationService" }
    ) { file in
        let isImported = file.code.contains { $0.hasSuffix("import NotificationCore") }
        let comparison = file.code.firstIndex { line in
            [" == ", " != ", " < ", " > ", "switch "].contains { line.contains($0) }
        }
        guard !isImported, let comparison else { return [] }
        return [
            file.violation(
                line: comparison + 1,
                "compares without the operators of text in NotificationCore: import it"
            )
        ]
    }
}

extension SourceFile {
    fileprivate var readsOutsideText: Bool {
        isOwnSwift && Rule.textTargets.contains(target ?? "")
    }

    /// Whether a comment on a line, or above its declaration, says `Bounded:`.
    fileprivate func saysBounded(beside number: Int) -> Bool {
        let above = prose[..<(number - 1)].reversed().prefix { line in
            let text = line.drop { $0.isWhitespace }
            return text.hasPrefix("//") || text.hasPrefix("@")
        }
        return prose[number - 1].contains("Bounded:") || above.contains { $0.contains("Bounded:") }
    }
}
