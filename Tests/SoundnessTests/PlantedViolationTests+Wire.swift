extension PlantedViolationTests {
    static let wire = [
        Planted(
            .wireWordsAreTheServices,
            "Sources/NotificationCore/A.swift",
            "\nthrow .invalid(\"time_zone\", problem)",
            line: 2
        ),
        Planted(
            .wireWordsAreTheServices,
            "Sources/NotificationStore/Person/A.swift",
            "message: \"\"\"\n    of \\(count): prompt_id: no app\n    \"\"\"",
            line: 2
        ),
        Planted(
            .wireWordsAreTheServices,
            "Sources/NotificationFeeds/A.swift",
            "let path = \"requests[\\(index)].content.badge\"",
            line: 1
        ),
        Planted(
            .wireWordsAreTheServices,
            "Sources/NotificationStore/A.swift",
            "let advice = \"call RequestAuthorization first\"",
            line: 1
        ),
        Planted(
            .wireWordsAreTheServices,
            "Sources/NotificationStore/A.swift",
            "let table = \"due_wall\" // not time_zone\nlet a = trigger.content.badge",
            line: nil
        ),
        Planted(
            .wireWordsAreTheServices,
            "Sources/NotificationCore/A.swift",
            "let problem = \"the title, the badge or the content. Add one of them\"",
            line: nil
        ),
        Planted(
            .wireWordsAreTheServices,
            "Sources/NotificationService/A.swift",
            "throw .invalid(\"time_zone\", problem)",
            line: nil
        ),
    ]
}
