internal import NotificationCore
internal import Testing

/// An entry of a list: whose, in which thread, and at which second.
private func entry(
    _ app: String,
    _ thread: String,
    at second: Int64,
    delivery: DeliveryNumber? = nil,
    score: Double = 0
) -> ListedNotification {
    var content = NotificationContent()
    content.threadIdentifier = thread
    content.relevanceScore = score
    return ListedNotification(
        app: app,
        identifier: "\(second)",
        delivery: delivery ?? DeliveryNumber(rawValue: UInt64(second)),
        date: WallInstant(nanoseconds: second),
        content: content
    )
}

@Suite("Groups (§11, §15.1, §16.2)")
struct NotificationGroupTests {
    /// A list, the person's choice, and the groups: the app, its thread, and the seconds.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let mode: GroupingMode
        let list: [ListedNotification]
        let expected: [String]

        init(
            _ rule: String,
            _ mode: GroupingMode,
            _ list: [(String, String, Int64)],
            _ expected: [String]
        ) {
            self.rule = rule
            self.mode = mode
            self.list = list.map { entry($0, $1, at: $2) }
            self.expected = expected
        }

        var testDescription: String { rule }
    }

    private static func text(_ group: NotificationGroup) -> String {
        let seconds = group.members.map(\.identifier).joined(separator: ",")
        return "\(group.app)/\(group.thread):\(seconds)"
    }

    private static let threads = [
        ("a", "", Int64(1)), ("a", "x", 2), ("a", "", 3), ("a", "y", 4), ("a", "x", 5),
    ]

    @Test(
        "Which notifications make a group",
        arguments: [
            Row("nothing", .automatic, [], []),
            Row(
                "GRP-1 one stack, newest on top",
                .automatic,
                [("a", "", 1), ("a", "", 2)],
                ["a/:2,1"]
            ),
            Row("GRP-2 by thread", .automatic, threads, ["a/x:5,2", "a/y:4", "a/:3,1"]),
            Row("GRP-3 by app", .byApp, threads, ["a/:5,4,3,2,1"]),
            Row("GRP-3 off", .off, threads, ["a/:5", "a/:4", "a/:3", "a/:2", "a/:1"]),
            Row(
                "GRP-5 apps never share a thread",
                .automatic,
                [("a", "x", 1), ("b", "x", 2), ("a", "x", 3)],
                ["a/x:3,1", "b/x:2"]
            ),
            Row(
                "GRP-5 apps never share a stack",
                .byApp,
                [("a", "x", 1), ("b", "x", 2)],
                ["b/:2", "a/:1"]
            ),
            Row(
                "GRP-5 by the newest member",
                .automatic,
                [("a", "x", 1), ("a", "y", 2), ("a", "x", 3), ("b", "", 4), ("a", "z", 0)],
                ["b/:4", "a/x:3,1", "a/y:2", "a/z:0"]
            ),
            Row(
                "GRP-2 threads that look alike are two",
                .automatic,
                [("a", "\u{E9}", 1), ("a", "e\u{301}", 2)],
                ["a/e\u{301}:2", "a/\u{E9}:1"]
            ),
        ]
    )
    func groups(row: Row) {
        for list in [row.list, row.list.reversed()] {
            let groups = NotificationGroup.groups(of: list) { _ in row.mode }
            #expect(groups.map(Self.text) == row.expected)
            #expect(groups.allSatisfy { $0.members.first == $0.lead })
        }
    }

    @Test("GRP-3: Each app has its own mode")
    func modes() {
        let list = [
            entry("a", "x", at: 1), entry("a", "y", at: 2), entry("b", "x", at: 3),
            entry("b", "y", at: 4), entry("c", "", at: 5), entry("c", "", at: 6),
        ]
        let modes: [String: GroupingMode] = ["a": .byApp, "b": .automatic, "c": .off]
        var asked: [String] = []
        let groups = NotificationGroup.groups(of: list) { app in
            asked.append(app)
            return modes[app] ?? .automatic
        }
        #expect(groups.map(Self.text) == ["c/:6", "c/:5", "b/y:4", "b/x:3", "a/:2,1"])
        #expect(asked.sorted() == ["a", "b", "c"])
    }

    @Test("22: A conversation groups its messages where they name no thread")
    func conversation() {
        let list = (1...2 as ClosedRange<Int64>).map { second in
            var message = entry("a", "", at: second)
            message.content.communication = Communication(
                kind: .message,
                sender: "Ann",
                conversationIdentifier: "talk"
            )
            return message
        }
        let groups = NotificationGroup.groups(of: list + [entry("a", "talk", at: 3)]) { _ in
            .automatic
        }
        #expect(groups.map(Self.text) == ["a/talk:3,2,1"])
    }

    @Test("NC-1: Newest first; of one date the later delivery, and always the same order")
    func order() {
        let list = [
            entry("a", "", at: 2, delivery: 3), entry("a", "", at: 1, delivery: 9),
            entry("a", "", at: 1, delivery: 8), entry("b", "", at: 1, delivery: 10),
        ]
        for shuffled in [list, list.reversed(), [list[2], list[0], list[3], list[1]]] {
            #expect(shuffled.sorted { $0.isAbove($1) } == list)
        }
    }

    @Test("SSM-2, SSM-3: In a summary by score, then by date")
    func summaryOrder() {
        let list = [
            entry("a", "", at: 1, score: 1), entry("a", "", at: 9, score: 0.5),
            entry("a", "", at: 3, score: 0.5), entry("a", "", at: 20), entry("a", "", at: 10),
        ]
        for shuffled in [list, list.reversed(), [list[3], list[1], list[4], list[0], list[2]]] {
            #expect(shuffled.sorted { $0.isAboveInSummary($1) } == list)
        }
    }
}
