extension PlantedViolationTests {
    static let text = [
        Planted(
            .textIsHashedByItsBytes,
            "Sources/NotificationCore/A.swift",
            "\nvar known: Set<String> = []",
            line: 2
        ),
        Planted(
            .textIsHashedByItsBytes,
            "Sources/NotificationService/A.swift",
            "let filters: [String: Int] = [:]",
            line: 1
        ),
        Planted(
            .textIsHashedByItsBytes,
            "Sources/NotificationService/A.swift",
            "/// Names.\n///\n/// Bounded: they were validated.\nlet filters: [String: Int] = [:]",
            line: nil
        ),
        Planted(
            .textIsHashedByItsBytes,
            "Sources/NotificationCore/A.swift",
            "let known: Set<ExactText> = [] // no Set<String>",
            line: nil
        ),
        Planted(
            .textIsHashedByItsBytes,
            "Sources/NotificationClient/A.swift",
            "let known: Set<String> = []",
            line: nil
        ),
        Planted(
            .textIsComparedByItsBytes,
            "Sources/BelfryGRPC/A.swift",
            "let a = b.hasPrefix(\"c\")",
            line: 1
        ),
        Planted(
            .textIsComparedByItsBytes,
            "Sources/NotificationCore/A.swift",
            "let parts = text.split(separator: \"/\")",
            line: 1
        ),
        Planted(
            .textIsComparedByItsBytes,
            "Sources/NotificationCore/A.swift",
            "let parts = text.utf8.split(separator: UInt8(ascii: \"/\"))",
            line: nil
        ),
        Planted(
            .textOperatorsAreImported,
            "Sources/NotificationService/A.swift",
            "internal import BelfryGRPC\nlet isKnown = name == \"gregorian\"",
            line: 2
        ),
        Planted(
            .textOperatorsAreImported,
            "Sources/NotificationService/A.swift",
            "internal import NotificationCore\nlet isKnown = name == \"gregorian\"",
            line: nil
        ),
    ]
}
