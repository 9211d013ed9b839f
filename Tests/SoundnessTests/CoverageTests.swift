internal import Foundation
internal import Testing

@Suite("What holds the rules")
struct CoverageTests {
    private func coverage() throws -> Coverage {
        let url = SourceTree.packageRoot.appending(path: Coverage.path)
        return Coverage(text: try String(contentsOf: url, encoding: .utf8))
    }

    /// The package's sources, with the scenarios.
    private func sources() throws -> [SourceFile] {
        let directory = "Tests/Conformance/languages/scenarios"
        let url = SourceTree.packageRoot.appending(path: directory)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return SourceTree.package.files
            + names.map { SourceFile(path: "\(directory)/\($0)", text: "") }
    }

    private func expectNone(_ violations: [Violation]) {
        for violation in violations { Issue.record("\(violation)") }
    }

    @Test("Each rule, each row of a table and each sample is listed, once, and no other")
    func list() throws { expectNone(try coverage().listViolations) }

    @Test("Each has tests, or a reason why it has none")
    func answers() throws { expectNone(try coverage().answerViolations) }

    @Test("Each test that is named is there")
    func tests() throws { expectNone(try coverage().testViolations(in: sources())) }

    @Test("What is said of a rule is said of one that tests hold")
    func remarks() throws { expectNone(try coverage().remarkViolations) }

    /// A table that is wrong in one place, and the violation.
    struct Planted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let heading: Coverage.Table
        let rows: [String]
        let message: String

        init(
            _ name: String,
            _ heading: Coverage.Table = .rules,
            _ rows: String...,
            says message: String
        ) {
            testDescription = name
            self.heading = heading
            self.rows = rows
            self.message = message
        }
    }

    private static let sources = [
        SourceFile(
            path: "Tests/NotificationCoreTests/Deep/TeaTests.swift",
            text: "@Test(arguments: [Row(\"hot\")])\nfunc tea(row: Row) {}\nfunc helper() {}\n"
        ),
        SourceFile(
            path: "Tests/Conformance/app/test_tea.py",
            text: "def test_tea(app: App) -> None:\n    pass\n\n\ndef helper() -> None:\n    pass\n"
        ),
        SourceFile(path: "Tests/Conformance/languages/scenarios/tea.yaml", text: ""),
    ]

    @Test(
        "A mistake is found",
        arguments: [
            Planted("twice", .rules, "A-1 | x | y", "A-1 | x | y", says: "A-1 is listed twice"),
            Planted("missing", .rules, "A-1 | x | y", says: "A-2 is not listed"),
            Planted("dead", .rules, "A-12 | x | y", says: "A-12 is not of the specification"),
            Planted("dead family", .rules, "X-1 | x | y", says: "X-1 is not of"),
            Planted("dead table", .rules, "99 row | x | y", says: "99 row is not of"),
            Planted("missing row", .rules, "6.3 both | x | y", says: "6.3 has 4 rows, not 1"),
            Planted("missing sample", .samples, "remove | x | y", says: "receive text is not"),
            Planted("dead sample", .samples, "dance | x | y", says: "dance is not of"),
            Planted("no answer", .rules, "A-1 | x | y", says: "A-1 names no test and no reason"),
            Planted("two cells", .rules, "A-1 | `y`", says: "A-1 does not have three cells"),
            Planted(
                "excused, with a test",
                .rules,
                "A-1 | x | nothing to hold: advice, but `test_tea.py::test_tea`",
                says: "A-1 names a test, and says that none is"
            ),
            Planted("later", .rules, "A-1 | x | not yet: pushes", says: "no test and no reason"),
            Planted("no file", .rules, "A-1 | x | `Core/CupTests::tea`", says: "no such file"),
            Planted("no target", .rules, "A-1 | x | `Shop/TeaTests::tea`", says: "no such file"),
            Planted("no scenario", .rules, "A-1 | x | `scenarios/cup.yaml`", says: "no such file"),
            Planted("no function", .rules, "A-1 | x | `Core/TeaTests`", says: "is missing"),
            Planted("renamed", .rules, "A-1 | x | `Core/TeaTests::te`", says: "no such test"),
            Planted("helper", .rules, "A-1 | x | `Core/TeaTests::helper`", says: "no such test"),
            Planted(
                "Python's helper",
                .rules,
                "A-1 | x | `test_tea.py::test_tea`<br>`test_tea.py::helper`",
                says: "A-1 test_tea.py::helper: there is no such test"
            ),
            Planted("no row", .rules, "A-1 | x | `Core/TeaTests::tea[ho]`", says: "no such row"),
            Planted("dead remark", .parts, "A-1 | x", says: "A-1 is no rule that a test holds"),
            Planted("dead difference", .differences, "A-1 | a | b | c", says: "A-1 is no rule"),
        ]
    )
    func planted(mistake: Planted) {
        let rows = [mistake.heading.rawValue, "--- | ---"] + mistake.rows
        let coverage = Coverage(text: rows.map { "| \($0) |" }.joined(separator: "\n"))
        let violations =
            coverage.listViolations + coverage.answerViolations + coverage.remarkViolations
            + coverage.testViolations(in: Self.sources)
        #expect(violations.contains { "\($0)".contains(mistake.message) }, "\(violations)")
    }

    @Test(
        "A test that is there is found",
        arguments: [
            "Core/TeaTests::tea", "Core/TeaTests::tea[hot]", "test_tea.py::test_tea",
            "scenarios/tea.yaml",
        ]
    )
    func found(name: String) {
        #expect(TestName(name).problem(in: TestIndex(Self.sources)) == nil)
    }
}
