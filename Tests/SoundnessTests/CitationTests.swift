internal import Foundation
internal import Testing

@Suite("Rules that are cited")
struct CitationTests {
    /// A line that cites rules, and its rules that are not defined.
    struct Line: CustomTestStringConvertible {
        let text: String
        var unknown: String?

        var testDescription: String { text }
    }

    private static let rules = SourceFile(
        path: "Documentation/Rules.md",
        text: "- A-1 One.\n| A-2 | two |\n### W-1 Wire\n## 2.2–2.5 Enums\nas A-3 says\n"
    )

    @Test(
        "One that is not defined is found",
        arguments: [
            Line(text: "// what A-2 says"),
            Line(text: "// as A-3 says", unknown: "no A-3"),
            Line(text: "/// §2.4 and §2.6", unknown: "no §2.6"),
            Line(text: "/// §2.3-2.5, W-1"),
            Line(text: "// UTF-8, SHA-256"),
            Line(text: "// semantics.md A-1", unknown: "cites semantics.md"),
        ]
    )
    func cited(line: Line) {
        let source = SourceFile(path: "Sources/BelfryLMDB/A.swift", text: line.text)
        let violations = Rule.citedRulesExist.check(SourceTree(files: [Self.rules, source]))
            .filter { $0.path == source.path }
        #expect(violations.count == (line.unknown == nil ? 0 : 1))
        #expect(violations.allSatisfy { $0.message.contains(line.unknown ?? "") })
    }

    /// The files that a line of a document names.
    private static func paths(in line: some StringProtocol) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            .filter { path in
                ["Sources/", "Protos/", "Tests/"].contains(where: path.hasPrefix)
                    && path.contains(".")
            }
    }

    @Test("The files that Documentation names exist")
    func files() {
        let manager = FileManager.default
        for file in SourceTree.package.files where file.isIn("Documentation") {
            for (index, line) in file.lines.enumerated() {
                for path in Self.paths(in: line) {
                    let url = SourceTree.packageRoot.appending(path: path)
                    #expect(manager.fileExists(atPath: url.path), "\(file.path):\(index + 1)")
                }
            }
        }
    }

    @Test("A walk passes eight files at most")
    func walks() throws {
        let walk = try #require(
            SourceTree.package.files.first { $0.path == "Documentation/Walk.md" }
        )
        let counts = walk.lines.joined(separator: "\n").split(separator: "\n## ").dropFirst()
            .map { Self.paths(in: $0).count }
        #expect(counts.count == 3)
        #expect(counts.allSatisfy { (1...8).contains($0) }, "\(counts)")
    }
}
