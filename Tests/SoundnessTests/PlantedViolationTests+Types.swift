internal import Testing

extension PlantedViolationTests {
    static let types = [
        small("\nstruct A {\n" + properties(13) + "}", line: 2),
        small("struct A {\n" + properties(12) + "}", line: nil),
        small("\n\nfinal class A {\n" + methods(41) + "}", line: 3),
        small("actor A {\n" + methods(40) + "}", line: nil),
        // All declarations count together, at the place of the type.
        small(
            "extension A {\n" + methods(20) + "}\nstruct A {\n" + methods(20) + "}\n"
                + "extension A {\n  subscript(a: Int) -> Int { a }\n}",
            line: 22 + 1
        ),
        small("extension A {\n" + methods(41) + "}", line: 1),
        small(
            "extension A.B {\n" + methods(20) + "}\nextension A.B {\n" + methods(21) + "}",
            line: 1
        ),
        // A nested type is one of its own, of its place's name.
        small(
            "struct A {\n  struct B {\n" + properties(12) + "  }\n" + properties(12) + "}",
            line: nil
        ),
        small("struct A {\n  struct B {\n" + properties(13) + "  }\n}", line: 2),
        small(
            "enum A {}\nextension A {\n  struct B {\n" + methods(21) + "  }\n}\n"
                + "extension A.B {\n" + methods(20) + "}",
            line: 3
        ),
        // A type of another target counts for itself; a generated type or a test's does not count.
        Planted(
            .typesAreSmall,
            "Sources/NotificationProtocol/a.pb.swift",
            "struct A {\n" + properties(13) + "}",
            line: nil
        ),
        Planted(
            .typesAreSmall,
            "Tests/BelfryTests/A.swift",
            "struct A {\n" + properties(13) + "}",
            line: nil
        ),
        // A record of its field may have many properties, and no more methods than others.
        Planted(
            .typesAreSmall,
            "Sources/NotificationCore/A.swift",
            "struct NotificationContent {\n" + properties(22) + "}",
            line: nil
        ),
        Planted(
            .typesAreSmall,
            "Sources/NotificationCore/A.swift",
            "struct NotificationContent {\n" + properties(22) + methods(41) + "}",
            line: 1
        ),
        Planted(
            .typesAreSmall,
            "Sources/NotificationStore/A.swift",
            "struct NotificationContent {\n" + properties(22) + "}",
            line: 1
        ),
    ]

    @Test("A type is measured over all files of its target, and of no other")
    func typesOverFiles() {
        let parts = [
            SourceFile(path: "Sources/A/A+B.swift", text: "extension A {\n\(Self.methods(21))}"),
            SourceFile(path: "Sources/A/A.swift", text: "\nstruct A {\n\(Self.methods(20))}"),
        ]
        let other = SourceFile(path: "Sources/B/A.swift", text: "struct A {\n\(Self.methods(20))}")
        let found = Rule.typesAreSmall.check(SourceTree(files: parts + [other]))
        #expect(
            found.map(\.description) == [
                """
                Sources/A/A.swift:2: A has 0 stored properties and 41 methods, more than 12 or 40
                """
            ]
        )
    }

    @Test("An exception that no type needs is found")
    func exceptionsOfTypes() {
        let names = { (files: [SourceFile]) in
            Rule.largeTypesNeedTheirEntry.check(SourceTree(files: files)).map {
                String($0.message.prefix { $0 != " " })
            }
        }
        let path = "Sources/NotificationCore/A.swift"
        let record = "struct NotificationContent {\n"
        let isNamed = { (text: String) in
            names([SourceFile(path: path, text: text)])
                .contains("NotificationCore.NotificationContent")
        }
        #expect(names([]).count == Rule.recordsOfTheField.count + Rule.interfaces.count)
        #expect(isNamed(record + Self.properties(12) + Self.methods(41) + "}"))
        #expect(!isNamed(record + Self.properties(13) + "}"))
    }

    private static func small(_ text: String, line: Int?) -> Planted {
        Planted(.typesAreSmall, "Sources/A/A.swift", text, line: line)
    }

    private static func properties(_ count: Int) -> String {
        (0..<count).map { "  let a\($0): Int\n" }.joined()
    }

    private static func methods(_ count: Int) -> String {
        (0..<count).map { "  func a\($0)() {}\n" }.joined()
    }
}
