/// A test as COVERAGE.md names it: `Core/File::function[row]`, `test_file.py::function[row]`, or a
/// scenario's file.
struct TestName: Sendable {
    private let file: String
    private let function: Substring?
    private let row: Substring?

    init(_ text: String) {
        let halves = text.split(separator: "::", maxSplits: 1)
        file = halves.first.map(String.init) ?? ""
        let parts = halves.dropFirst().first?.split(separator: "[", maxSplits: 1)
        function = parts?.first
        row = parts?.dropFirst().first
    }

    /// The problem of the name, or nil where it names a test.
    func problem(in index: TestIndex) -> String? {
        guard let found = index.files[file] else { return "there is no such file" }
        if file.hasPrefix("scenarios/") {
            return function == nil ? nil : "a scenario has no functions"
        }
        guard let function else { return "the function is missing" }
        guard found.tests.contains(String(function)) else { return "there is no such test" }
        guard let row else { return nil }
        guard row.hasSuffix("]") else { return "the row has no end" }
        return found.texts.contains(String(row.dropLast())) ? nil : "there is no such row"
    }
}

/// The tests that COVERAGE.md may name.
struct TestIndex: Sendable {
    struct File: Sendable {
        let tests: Set<String>
        /// The texts between quotation marks, such as the rows of its tables.
        let texts: Set<String>
    }

    /// The directories of Swift tests, and their short names.
    private static let directories = [
        ("Tests/NotificationCoreTests", "Core"), ("Tests/NotificationStoreTests", "Store"),
        ("Tests/NotificationFeedsTests", "Feeds"),
        ("Tests/NotificationServiceTests", "Service"),
    ]

    /// Each file by its name in COVERAGE.md.
    let files: [String: File]

    init(_ sources: [SourceFile]) {
        var files: [String: File] = [:]
        for source in sources {
            guard let name = Self.name(of: source) else { continue }
            files[name] = File(tests: source.tests, texts: source.texts)
        }
        self.files = files
    }

    private static func name(of file: SourceFile) -> String? {
        if file.isIn("Tests/Conformance/languages/scenarios") { return "scenarios/\(file.name)" }
        // The folder of a test is not part of its name: pytest takes no two files of one name.
        if file.isIn("Tests/Conformance") { return file.name }
        let directory = directories.first { file.isIn($0.0) }
        guard let directory, file.name.hasSuffix(".swift") else { return nil }
        return "\(directory.1)/\(file.name.dropLast(".swift".count))"
    }
}

extension SourceFile {
    /// The functions of a file that are tests of Swift Testing or of pytest.
    fileprivate var tests: Set<String> {
        var tests: Set<String> = []
        var isMarked = false
        for line in code {
            if line.hasPrefix("def test_") {
                tests.insert(String(line.dropFirst(4).prefix { $0 != "(" }))
            }
            if line.drop(while: { $0 == " " }).hasPrefix("@Test") { isMarked = true }
            guard isMarked else { continue }
            let words = line.split { $0 == " " || $0 == "(" }
            guard let keyword = words.firstIndex(of: "func") else { continue }
            tests.formUnion(words.dropFirst(keyword + 1).prefix(1).map(String.init))
            isMarked = false
        }
        return tests
    }

    fileprivate var texts: Set<String> {
        Set(
            lines.flatMap { line in
                line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
            }
        )
    }
}
