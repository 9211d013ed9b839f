/// A rule that the package's files obey.
///
/// Rules are functions of a tree, so that each is shown to fail on a planted violation.
struct Rule: Sendable {
    let check: @Sendable (SourceTree) -> [Violation]

    /// A rule that each line of some files obeys on its own.
    ///
    /// - Parameters:
    ///   - files: Which files it is about.
    ///   - lines: The view of a file that it reads.
    ///   - message: What is wrong with a line, or nil.
    /// - Returns: The rule.
    static func eachLine(
        of files: @escaping @Sendable (SourceFile) -> Bool,
        in lines: @escaping @Sendable (SourceFile) -> [String],
        _ message: @escaping @Sendable (SourceFile, String) -> String?
    ) -> Rule {
        eachFile(of: files) { file in
            lines(file).enumerated().compactMap { index, line in
                message(file, line).map { file.violation(line: index + 1, $0) }
            }
        }
    }

    /// A rule that each of some files obeys on its own.
    static func eachFile(
        of files: @escaping @Sendable (SourceFile) -> Bool,
        _ violations: @escaping @Sendable (SourceFile) -> [Violation]
    ) -> Rule {
        Rule { tree in tree.files.filter(files).flatMap(violations) }
    }
}

extension SourceFile {
    /// Whether people wrote it in Swift.
    var isOwnSwift: Bool { language == .swift && !isGenerated }

    /// Whether the rules on size and style hold for it.
    var isStyled: Bool { language != .other && !isGenerated }
}

extension String {
    /// Whether the text has `word` with no letter, digit or underscore beside it.
    func hasWord(_ word: String) -> Bool {
        guard contains(word) else { return false }
        return split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == word }
    }
}
