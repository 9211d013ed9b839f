internal import Testing

extension PlantedViolationTests {
    static let comments = [
        Planted(
            .publicDeclarationsAreDescribed,
            "Sources/NotificationClient/A.swift",
            "/// A thing.\npublic struct A {\n\n    public let a: Int\n}",
            line: 4
        ),
        Planted(
            .publicDeclarationsAreDescribed,
            "Sources/NotificationClient/A.swift",
            "/// A thing.\n\npublic final class A {}",
            line: 3
        ),
        Planted(
            .publicDeclarationsAreDescribed,
            "Sources/NotificationClient/A.swift",
            "// A thing.\n@discardableResult public static func a() {}",
            line: 2
        ),
        Planted(
            .publicDeclarationsAreDescribed,
            "Sources/NotificationClient/A.swift",
            "extension A {\n    public init?(a: Int) {}\n}",
            line: 2
        ),
        Planted(
            .publicDeclarationsAreDescribed,
            "Sources/NotificationClient/A.swift",
            """
            public import B
            public extension A {
                /// Makes it.
                @inlinable
                public init<C>(_ c: C) {}
                override public func a() {}
                package let a = 1
                func b() {}
            }
            """,
            line: nil
        ),
        Planted(
            .commentsHaveSubjects,
            "Sources/A/A.swift",
            "let a = 1\n/// What is left.\nlet b = 2",
            line: 2
        ),
        Planted(
            .commentsHaveSubjects,
            "Tests/ATests/A.swift",
            "let a = \"//\" // Who asks, waits.",
            line: 1
        ),
        Planted(
            .commentsHaveSubjects,
            "Sources/A/A.swift",
            "// The first line has a subject.\n// The second is\n// good. What follows has none.",
            line: 1
        ),
        Planted(
            .commentsHaveSubjects,
            "Sources/A/A.swift",
            "/// Counts.\n///\n/// - Returns: A number.\n///\n/// What is left.\nfunc a()",
            line: 1
        ),
        Planted(
            .commentsHaveSubjects,
            "Sources/A/A.swift",
            "/// Whatever is left, and who asked:\n/// What a line begins with is no sentence.",
            line: nil
        ),
        Planted(
            .commentsHaveSubjects,
            "Sources/A/A.swift",
            "let a = \"// What is left\"",
            line: nil
        ),
        Planted(
            .descriptionsAreSaidOnce,
            "Sources/A/A.swift",
            """
            // The row.
            let a = 1  // The row.
            /// The row. It is short.
            let b = \"/// The row.\"
            /// The row's
            /// key.
            let c = 3
            """,
            line: nil
        ),
    ]

    @Test("A sentence that describes two declarations is found at both")
    func descriptionSaidTwice() {
        let tree = SourceTree(files: [
            SourceFile(path: "Tests/B/B.swift", text: "/// The row. It is short.\nlet b = 2"),
            SourceFile(
                path: "Sources/A/A.swift",
                text: "/// The\n/// row.\n///\n/// It is long.\nlet a = 1\n/// A row.\nlet b = 1"
            ),
        ])
        let violations = Rule.descriptionsAreSaidOnce.check(tree)
        #expect(violations.map(\.path) == ["Sources/A/A.swift", "Tests/B/B.swift"])
        #expect(violations.map(\.line) == [1, 1])
    }
}
