internal import Foundation
internal import Testing

/// Finds the mistakes in each run over which `make faults` would stumble, which takes too long for
/// that.
@Suite("Seeded faults")
struct SeededFaultTests {
    private static let files = SourceTree.package.files
    private static let list = "Tests/Faults/faults.tsv"

    /// The cases of `Fault` and the names by which they are planted.
    private static let cases: [(swift: Substring, name: Substring)] = {
        let file = files.first { $0.path == "Sources/Faults/Fault.swift" }
        return (file?.lines ?? []).compactMap { line in
            line.firstMatch(of: #/^ +case (\w+) = "([a-z0-9-]+)"$/#).map { ($0.1, $0.2) }
        }
    }()

    private static func rows() throws -> [[Substring]] {
        let url = SourceTree.packageRoot.appending(path: list)
        let text = try String(contentsOf: url, encoding: .utf8)
        return text.split(separator: "\n").map { $0.split(separator: "\t") }
    }

    @Test("Each is planted somewhere, and a row of the list names the test that catches it")
    func planted() throws {
        let rows = Set(try Self.rows().compactMap(\.first))
        let imports = ["internal import Faults", "#include \"CGRPCFaults.h\""]
        let lines = Self.files.filter {
            $0.isIn("Sources") && imports.contains(where: $0.lines.contains)
        }
        .flatMap(\.lines)
        let inSwift = Set(lines.flatMap { $0.matches(of: #/Fault\.(\w+)\.isPlanted/#).map(\.1) })
        let inC = Set(
            lines.flatMap { $0.matches(of: #/(?:IsPlanted|LockUnless)\("([a-z0-9-]+)"/#).map(\.1) }
        )
        for (swift, name) in Self.cases {
            #expect(rows.contains(name), "\(name) has no row in \(Self.list)")
            #expect(inSwift.contains(swift) || inC.contains(name), "\(name) is planted nowhere")
        }
        let names = Set(Self.cases.map(\.name))
        #expect(inC.subtracting(names) == [], "they are no cases of Fault")
        #expect(rows.subtracting(names) == [], "they are no cases of Fault")
        #expect(names.count > 100)
    }

    @Test("The tests that the list names are there")
    func tests() throws {
        for row in try Self.rows() {
            let isThere: Bool
            switch (row.count, row.dropFirst().first) {
            case (3, "races"): isThere = row[2] == "Races"
            case (3...4, "swift"): isThere = Self.hasSwiftTest(row[2])
            case (3, "pytest"): isThere = Self.hasPythonTest(row[2])
            default: isThere = false
            }
            #expect(isThere, "\(row.joined(separator: " "))")
            #expect(row.count < 4 || row[3] == "hang")
        }
    }

    /// Whether there is a test such as `NotificationStoreTests.AddTests/many`.
    private static func hasSwiftTest(_ name: Substring) -> Bool {
        let parts = name.split { $0 == "." || $0 == "/" }
        guard parts.count == 3 else { return false }
        return files.contains { file in
            file.isIn("Tests/\(parts[0])")
                && file.code.contains { line in
                    ["struct", "extension"].contains { line.hasPrefix("\($0) \(parts[1]) {") }
                }
                && file.code.contains { $0.hasPrefix("    func \(parts[2])(") }
        }
    }

    /// Whether there is a test such as `app/test_add.py::test_many`, with a row behind it or none.
    private static func hasPythonTest(_ name: Substring) -> Bool {
        let parts = name.split(separator: "[")[0].split(separator: "::")
        guard parts.count == 2 else { return false }
        let file = files.first { $0.path == "Tests/Conformance/\(parts[0])" }
        return file?.lines.contains { $0.hasPrefix("def \(parts[1])(") } == true
    }
}
