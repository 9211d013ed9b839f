internal import Testing

/// Each command in slices has a test of the rest that a stop leaves.
@Suite("Commands in slices")
struct SlicedCommandTests {
    /// The rest of these is ended by deadlines, which other tests hold, or is that of the command
    /// inside.
    private static let others: Set<String> = ["EndUnservedQuestionsCommand", "OnceCommand"]

    /// The types of the store whose steps may leave something, as the sources have them.
    private func types() -> [String] {
        var found: Set<String> = []
        let sources = SourceTree.package.files.filter { $0.isIn("Sources/NotificationStore") }
        for source in sources {
            var type = ""
            for line in source.code {
                let words = line.split(whereSeparator: { " :<{".contains($0) })
                if !line.hasPrefix(" "),
                    let at = words.firstIndex(where: { $0 == "struct" || $0 == "extension" }),
                    at + 1 < words.count
                {
                    type = String(words[at + 1])
                }
                if line.contains(".more("), !line.contains("case .more(") { found.insert(type) }
            }
        }
        return found.sorted()
    }

    @Test("Each has a row of StopTests")
    func rows() throws {
        let path = "Tests/NotificationStoreTests/StopTests.swift"
        let tests = try #require(SourceTree.package.files.first { $0.path == path })
        let text = tests.lines.joined(separator: "\n")
        let types = types()
        #expect(types.count >= 10)
        for type in types where !Self.others.contains(type) {
            #expect(text.contains(type), "\(type) has no row")
        }
    }
}
