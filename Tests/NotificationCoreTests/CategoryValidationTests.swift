internal import NotificationCore
internal import Testing

@Suite("A category and its actions (§3.5, §3.6)")
struct CategoryValidationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let path: FieldPath
        let reason: Reason
        let category: NotificationCategory
        var testDescription: String { name }

        init(
            _ name: String,
            _ path: FieldPath = [],
            _ reason: Reason = .invalidField,
            _ change: (inout NotificationCategory) -> Void
        ) {
            self.name = name
            self.path = path
            self.reason = reason
            var category = NotificationCategory(identifier: "MESSAGE")
            change(&category)
            self.category = category
        }
    }

    private static func actions(_ identifiers: String...) -> [NotificationAction] {
        identifiers.map { NotificationAction(identifier: $0, title: "Title") }
    }

    private static func actions(count: Int) -> [NotificationAction] {
        (0..<count).map { NotificationAction(identifier: "a\($0)", title: "Title") }
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(
        "What is taken",
        arguments: [
            Case("3.5 only an identifier") { _ in },
            Case("3.5 longest identifier") { $0.identifier = text(256) },
            Case("K-2 more actions than are shown") { $0.actions = actions(count: 64) },
            Case("K-2 no more intents") { $0.intentIdentifiers = Array(repeating: "i", count: 64) },
            Case("3.6 empty title") {
                $0.actions = [NotificationAction(identifier: "a", title: "")]
            },
            Case("3.6 identifiers that differ in case") { $0.actions = actions("OPEN", "open") },
            Case("3.6 identifiers that differ in bytes") {
                $0.actions = actions("caf\u{e9}", "cafe\u{301}")
            },
            Case("K-4 almost reserved") {
                $0.actions = actions("com.apple.unnotificationdefaultactionidentifier")
            },
            Case("3.5 placeholder") { $0.hiddenPreviewsBodyPlaceholder = "%u messages, %u in all" },
            Case("3.5 a summary's format is checked by nobody") {
                $0.summaryFormat = "%u more from %@ 100%"
            },
            Case("3.5 localized texts, whatever the plain ones are") {
                $0.localizedHiddenPreviewsBodyPlaceholder = LocalizedText(key: "%d")
                $0.localizedSummaryFormat = LocalizedText(key: "k", arguments: ["a"])
                $0.actions = [
                    NotificationAction(
                        identifier: "a",
                        title: "",
                        localizedTitle: LocalizedText(key: "k")
                    )
                ]
            },
            Case("largest") { $0.summaryFormat = text(64 * 1024 - 7) },
        ]
    )
    func taken(_ row: Case) throws {
        try row.category.validate()
    }

    private static let refusedCategories: [Case] = [
        Case("3.5 empty identifier", [.identifier], .categoryInvalid) { $0.identifier = "" },
        Case("3.5 long identifier", [.identifier], .categoryInvalid) {
            $0.identifier = text(257)
        },
        Case("too many intents", [.intentIdentifiers], .categoryInvalid) {
            $0.intentIdentifiers = Array(repeating: "i", count: 65)
        },
        Case("too large", [.identifier], .categoryTooLarge) {
            $0.summaryFormat = text(64 * 1024 - 6)
        },
        Case("too large for its actions", [.identifier], .categoryTooLarge) {
            $0.actions = [
                NotificationAction(
                    identifier: "a",
                    title: text(20_000),
                    icon: .systemImage(text(20_000)),
                    textInput: ActionTextInput(buttonTitle: text(20_000), placeholder: text(6_000))
                )
            ]
        },
    ]

    private static let refusedTexts: [Case] = [
        Case(
            "a placeholder without a key",
            [.localizedHiddenPreviewsBodyPlaceholder, .key],
            .localizationKeyInvalid
        ) { $0.localizedHiddenPreviewsBodyPlaceholder = LocalizedText(key: "") },
        Case(
            "a summary without a key",
            [.localizedSummaryFormat, .key],
            .localizationKeyInvalid
        ) { $0.localizedSummaryFormat = LocalizedText(key: "") },
        Case(
            "a button's title without a key",
            .element(1, of: .actions).appending(.localizedTitle, .key),
            .localizationKeyInvalid
        ) {
            $0.actions = actions("a", "b")
            $0.actions[1].localizedTitle = LocalizedText(key: "")
        },
        Case("too large for its localized texts", [.identifier], .categoryTooLarge) {
            $0.localizedSummaryFormat = LocalizedText(key: "K", arguments: [text(30_000)])
            $0.actions = actions("a")
            $0.actions[0].localizedTitle = LocalizedText(key: "K", arguments: [text(36_000)])
        },
    ]

    private static let refusedPlaceholders: [Case] = [
        "%", "%@", "%d", "%%", "50 %", "%u %", "%1$u",
    ].map { placeholder in
        Case(
            "LK-1 placeholder \(placeholder)",
            [.hiddenPreviewsBodyPlaceholder],
            .categoryInvalid
        ) { $0.hiddenPreviewsBodyPlaceholder = placeholder }
    }

    private static let refusedActions: [Case] = [
        Case(
            "3.6 empty identifier",
            .element(1, of: .actions).appending(.identifier),
            .actionInvalid
        ) {
            $0.actions = actions("a", "")
        },
        Case(
            "3.6 long identifier",
            .element(0, of: .actions).appending(.identifier),
            .actionInvalid
        ) {
            $0.actions = actions(text(257))
        },
        Case(
            "K-3 twice in one category",
            .element(2, of: .actions).appending(.identifier),
            .actionInvalid
        ) {
            $0.actions = actions("b", "a", "b", "a")
        },
        Case(
            "K-4 the default action's",
            .element(0, of: .actions).appending(.identifier),
            .actionInvalid
        ) {
            $0.actions = actions("com.apple.UNNotificationDefaultActionIdentifier")
        },
        Case(
            "K-4 the dismiss action's",
            .element(1, of: .actions).appending(.identifier),
            .actionInvalid
        ) {
            $0.actions = actions("a", "com.apple.UNNotificationDismissActionIdentifier")
        },
        Case("too many", [.actions], .actionInvalid) { $0.actions = actions(count: 65) },
    ]

    @Test(
        "What is refused, by the path of the field",
        arguments: refusedCategories + refusedTexts + refusedPlaceholders + refusedActions
    )
    func refused(_ row: Case) throws {
        let refusal = try #require(throws: Refusal.self) { try row.category.validate() }
        #expect(refusal.kind == .invalidArgument)
        #expect(refusal.reason == row.reason)
        #expect(refusal.fields.map(\.path) == [row.path])
        #expect(refusal.unErrorCode == nil)

        var set = CategorySet()
        let fine = NotificationCategory(identifier: "FINE")
        let inSet = try #require(throws: Refusal.self) {
            try set.replace(with: [fine, row.category])
        }
        #expect(inSet == refusal.within(.element(1, of: .categories)))
        #expect(
            inSet.fields.map(\.path) == [
                FieldPath([.field(.categories), .index(1)] + row.path.steps)
            ]
        )
        #expect(set == CategorySet())
    }

    @Test("K-3: The message says which action has the identifier")
    func repetition() throws {
        var category = NotificationCategory(identifier: "MESSAGE")
        category.actions = Self.actions("b", "a", "b", "b")
        let refusal = try #require(throws: Refusal.self) { try category.validate() }
        #expect(refusal.fields.map(\.path) == [.element(2, of: .actions).appending(.identifier)])
        #expect(refusal.message.contains("actions[0]"))
    }

    @Test(
        "K-2: Up to ten actions show with room, the first two without",
        arguments: [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 2), (10, 10, 2), (11, 10, 2)]
    )
    func displayed(count: Int, roomy: Int, tight: Int) {
        var category = NotificationCategory(identifier: "MESSAGE")
        category.actions = Self.actions(count: count)
        #expect(category.displayedActions(hasRoom: true) == category.actions[..<roomy])
        #expect(category.displayedActions(hasRoom: false) == category.actions[..<tight])
        #expect(category.action("a10") == (count > 10 ? category.actions[10] : nil))
    }

    @Test("3.5, 3.6: Defaults")
    func defaults() {
        let category = NotificationCategory(identifier: "MESSAGE")
        #expect(category.actions.isEmpty)
        #expect(category.intentIdentifiers.isEmpty)
        #expect(category.hiddenPreviewsBodyPlaceholder.isEmpty)
        #expect(category.summaryFormat.isEmpty)
        #expect(category.options == [])
        let action = NotificationAction(identifier: "a", title: "A")
        #expect(action.options == [])
        #expect(action.icon == nil)
        #expect(action.textInput == nil, "K-7 a button")
    }
}
