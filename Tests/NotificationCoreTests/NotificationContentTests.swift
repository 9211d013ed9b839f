internal import NotificationCore
internal import Testing

@Suite("A content (§3.1)")
struct NotificationContentTests {
    /// A property, and whether a content that says nothing has its default.
    struct Property: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hasDefault: @Sendable (NotificationContent) -> Bool

        init(
            _ name: String,
            _ hasDefault: @escaping @Sendable (NotificationContent) -> Bool
        ) {
            testDescription = name
            self.hasDefault = hasDefault
        }
    }

    @Test(
        "A content that says nothing",
        arguments: [
            Property("title is empty") { $0.title == "" },
            Property("subtitle is empty") { $0.subtitle == "" },
            Property("body is empty") { $0.body == "" },
            Property("badge is unchanged") { $0.badge == nil },
            Property("sound is none") { $0.sound == nil },
            Property("category is none") { $0.categoryIdentifier == "" },
            Property("thread is the app's own") { $0.threadIdentifier == "" },
            Property("user info is empty") { $0.userInfoJSON == "" },
            Property("launch image is none") { $0.launchImageName == "" },
            Property("summary argument is empty") { $0.summaryArgument == "" },
            Property("summary argument counts 1") { $0.summaryArgumentCount == 1 },
            Property("target is none") { $0.targetContentIdentifier == "" },
            Property("level is active") { $0.interruptionLevel == .active },
            Property("score is 0") { $0.relevanceScore == 0 },
            Property("filter criteria are none") { $0.filterCriteria == "" },
        ]
    )
    func defaults(property: Property) { #expect(property.hasDefault(NotificationContent())) }
}
