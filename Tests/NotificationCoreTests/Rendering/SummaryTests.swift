internal import NotificationCore
internal import Testing

/// A member of a group, the newest first.
struct Item: Sendable {
    var argument: String
    var count: UInt32
    var category: String

    init(_ argument: String, count: UInt32 = 1, in category: String = "c") {
        self.argument = argument
        self.count = count
        self.category = category
    }
}

@Suite("Summaries (§15.2, §15.3)")
struct SummaryTests {
    /// A group, the format of its lead's category, and the text under it.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let items: [Item]
        let format: String?
        let expected: String?

        init(_ rule: String, _ items: [Item], _ format: String?, _ expected: String?) {
            self.rule = rule
            self.items = items
            self.format = format
            self.expected = expected
        }

        var testDescription: String { rule }
    }

    private static func group(_ items: [Item]) throws -> NotificationGroup {
        let list = items.enumerated().map { index, item in
            var content = NotificationContent()
            content.summaryArgument = item.argument
            content.summaryArgumentCount = item.count
            content.categoryIdentifier = item.category
            return ListedNotification(
                app: "app",
                identifier: "\(index)",
                delivery: DeliveryNumber(rawValue: UInt64(items.count - index)),
                date: WallInstant(nanoseconds: Int64(-index)),
                content: content
            )
        }
        return try #require(NotificationGroup.groups(of: list) { _ in .automatic }.first)
    }

    private static func category(_ format: String?, in items: [Item]) -> NotificationCategory? {
        guard let lead = items.first else { return nil }
        return format.map { NotificationCategory(identifier: lead.category, summaryFormat: $0) }
    }

    private static func people(_ names: String...) -> [Item] { names.map { Item($0) } }

    private static let fromPeople = "%u more notifications from %@"

    private func expect(_ row: Row) throws {
        let text = try Self.group(row.items).summary(
            category: Self.category(row.format, in: row.items),
            arePreviewsHidden: false
        )
        #expect(text == row.expected)
    }

    @Test(
        "The worked examples",
        arguments: [
            Row(
                "G1",
                people("Alice", "Alice", "Alice", "Alice", "Alice", "Alice"),
                fromPeople,
                "5 more notifications from Alice"
            ),
            Row(
                "G2",
                people("Alice", "Me", "Alice", "Me", "Alice", "Alice"),
                fromPeople,
                "5 more notifications from Me and Alice"
            ),
            Row(
                "G3",
                people("Alice", "Bob", "Alice", "Carol"),
                "%u more messages from %@",
                "3 more messages from Bob, Alice and Carol"
            ),
            Row(
                "G4",
                [Item("X", count: 3), Item("Y", count: 2), Item("X", count: 1)],
                "%u more episodes of %@",
                "3 more episodes of Y and X"
            ),
            Row("G5", people("", "", ""), nil, "2 more notifications"),
            Row(
                "G6",
                [Item("P", in: "A"), Item("Q", in: "A"), Item("R", in: "B")],
                "%u more from %@",
                "2 more notifications"
            ),
            Row("G7", people("", "", "", ""), "%u more messages", "3 more messages"),
            Row("G8", people("Alice"), "%u more from %@", nil),
            Row("G9", people("Ann", "", "Ann"), "%u more from %@", "2 more from Ann"),
        ]
    )
    func examples(row: Row) throws { try expect(row) }

    @Test("G10, SUM-12: With previews hidden no name shows")
    func hidden() throws {
        let items = Self.people("Ann", "Bob", "Carol")
        let category = NotificationCategory(
            identifier: "c",
            hiddenPreviewsBodyPlaceholder: "%u messages",
            summaryFormat: "%u more from %@"
        )
        let group = try Self.group(items)
        #expect(
            group.summary(category: category, arePreviewsHidden: true) == "2 more notifications"
        )
        let lead = RenderedNotification(
            of: group.lead.content,
            category: category,
            on: Screen(isLocked: false),
            showPreviews: .never,
            threadCount: group.members.count
        )
        #expect(lead.body == "3 messages")
    }

    @Test(
        "The rules",
        arguments: [
            Row("SUM-1 all but the lead", people("Ann", "Bob"), "%u from %@", "1 from Bob"),
            Row("SUM-2 no category", people("A", "B", "C"), nil, "2 more notifications"),
            Row("SUM-2 no format", people("A", "B", "C"), "", "2 more notifications"),
            Row("SUM-3 no list", people("A", "B", "C"), "%u more", "2 more"),
            Row("SUM-3 no number", people("A", "B", "C"), "more from %@", "more from B and C"),
            Row(
                "SUM-4 counts",
                [Item("", count: 7), Item("", count: 3), Item("")],
                "%u more",
                "4 more"
            ),
            Row(
                "SUM-4 the greatest counts",
                [Item(""), Item("", count: .max), Item("", count: .max)],
                nil,
                "8589934590 more notifications"
            ),
            Row("SUM-5 once", people("L", "A", "A", "B"), "%u from %@", "3 from A and B"),
            Row(
                "SUM-5 what looks alike is two",
                people("L", "Zo\u{E9}", "Zoe\u{301}"),
                "%u from %@",
                "2 from Zo\u{E9} and Zoe\u{301}"
            ),
            Row("SUM-7 most recent first", people("L", "B", "A"), "%@", "B and A"),
            Row("SUM-7 not the lead's", people("L", "A"), "%@", "A"),
            Row("SUM-8 none", people("L", "", ""), "%u from %@", "2 more notifications"),
            Row("SUM-8 one", people("L", "A"), "%@", "A"),
            Row("SUM-8 two", people("L", "A", "B"), "%@", "A and B"),
            Row("SUM-8 three", people("L", "A", "B", "C"), "%@", "A, B and C"),
            Row("SUM-8 four", people("L", "A", "B", "C", "D"), "%@", "A, B, C and D"),
            Row(
                "SUM-9 another lead",
                [Item("A", in: "A"), Item("B", in: "B"), Item("C", in: "B")],
                "%u of %@",
                "2 more notifications"
            ),
            Row(
                "SUM-9 case",
                [Item("A", in: "c"), Item("B", in: "C")],
                "%u of %@",
                "1 more notification"
            ),
            Row("SUM-10 left out", people("L", "A", "", "B"), "%u from %@", "3 from A and B"),
            Row("SUM-11 no singular", people("L", "A"), "%u more messages", "1 more messages"),
            Row("SUM-11 the default has one", people("L", "A"), nil, "1 more notification"),
            Row("SUM-13 by number", people("L", "A"), "%2$@: %1$u", "A: 1"),
            Row("SUM-13 first match", people("L", "A"), "%u %u %@ %@", "1 %u A %@"),
            Row("SUM-13 first match, mixed", people("L", "A"), "%1$u %u %2$@ %@", "1 %u A %@"),
            Row("SUM-13 others stay", people("L", "A"), "%d %s %n %1$@ %u", "%d %s %n %1$@ 1"),
            Row("SUM-13 escaped", people("L", "A"), "100%% %%u %%@ %u", "100%% %%u %%@ 1"),
            Row("SUM-13 the end", people("L", "A"), "%u %", "1 %"),
            Row("SUM-13 an argument is text", people("L", "%u%@"), "%@ %u", "%u%@ 1"),
        ]
    )
    func rules(row: Row) throws { try expect(row) }

    @Test(
        "SUM-6: In the person's language, in the form of the number",
        arguments: [
            ("en", 1, "1 more message from A"), ("en", 2, "2 more messages from A"),
            ("pl", 1, "1 kolejna wiadomość od A"), ("pl", 2, "2 kolejne wiadomości od A"),
            ("pl", 5, "5 kolejnych wiadomości od A"), ("pl", 22, "22 kolejne wiadomości od A"),
            ("fr", 1, "1 of A"),
        ] as [(String, UInt32, String)]
    )
    func plural(language: String, count: UInt32, expected: String) throws {
        let forms = [
            "en": PluralForms(one: "%u more message from %@", other: "%u more messages from %@"),
            "pl": PluralForms(
                one: "%u kolejna wiadomość od %@",
                few: "%u kolejne wiadomości od %@",
                many: "%u kolejnych wiadomości od %@",
                other: "%u kolejnej wiadomości od %@"
            ),
        ]
        var strings = LocalizedStrings()
        strings["more"] = forms[language].map { FoundString(.plural($0), language: language) }
        var category = NotificationCategory(identifier: "c", summaryFormat: "%u of %@")
        category.localizedSummaryFormat = LocalizedText(key: "more", arguments: ["not used"])
        let group = try Self.group([Item("lead"), Item("A", count: count)])
        func text(isHidden: Bool = false, rules: SummaryRules = .ios12) -> String? {
            group.summary(
                category: category,
                arePreviewsHidden: isHidden,
                rules: rules,
                strings: strings
            )
        }
        #expect(text() == expected)
        #expect(text(rules: .ios15) == "1 more notification", "SUM-14")
        #expect(text(isHidden: true)?.contains("more notification") == true, "SUM-12")
    }

    @Test("SUM-2: A localized format that is empty is the default, as is one that is not there")
    func emptyFormat() throws {
        var category = NotificationCategory(identifier: "c", summaryFormat: "%u of %@")
        category.localizedSummaryFormat = LocalizedText(key: "more")
        let group = try Self.group([Item("lead"), Item("A")])
        var strings = LocalizedStrings()
        strings["more"] = FoundString(.text(""), language: "en")
        let text = group.summary(category: category, arePreviewsHidden: false, strings: strings)
        #expect(text == "1 more notification")
        category.summaryFormat = ""
        let key = group.summary(category: category, arePreviewsHidden: false)
        #expect(key == "more", "D-10")
    }

    @Test("Long arguments with marks make one line at once", .timeLimit(.minutes(1)))
    func longArguments() throws {
        let marks = String(repeating: "\u{323}\u{301}", count: 15_000)
        let items = [Item("L")] + (0..<200).map { Item("\($0)" + marks + "\($0)") }
        let text = try #require(
            try Self.group(items).summary(
                category: Self.category("%u from %@", in: items),
                arePreviewsHidden: false
            )
        )
        #expect(text.utf8.starts(with: "200 from 0\u{323}".utf8))
        #expect(text.utf8.count <= Limits.summaryTextBytes)
    }

    @Test("SUM-9: A category that is not the lead's is not used")
    func anotherCategory() throws {
        let other = NotificationCategory(identifier: "other", summaryFormat: "%u more from %@")
        let text = try Self.group([Item("A"), Item("B", in: "other")])
            .summary(category: other, arePreviewsHidden: false)
        #expect(text == "1 more notification")
    }

    @Test(
        "SUM-14: Under iOS 15's rules the arguments and their counts are ignored",
        arguments: [
            ([Item("A"), Item("B", count: 3), Item("C")], "2 more notifications"),
            ([Item("A"), Item("B", count: 3)], "1 more notification"),
            ([Item("A", count: 3)], nil),
        ] as [([Item], String?)]
    )
    func ios15(items: [Item], expected: String?) throws {
        let text = try Self.group(items).summary(
            category: Self.category("%u more from %@", in: items),
            arePreviewsHidden: false,
            rules: .ios15
        )
        #expect(text == expected)
    }
}
