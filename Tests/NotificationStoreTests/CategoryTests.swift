internal import BelfryLMDB
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Categories in the store (§5)")
struct CategoryTests {
    private let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func category(_ identifier: String, _ actions: String...) -> NotificationCategory {
        category(identifier, actions)
    }

    private func category(_ identifier: String, _ actions: [String]) -> NotificationCategory {
        NotificationCategory(
            identifier: identifier,
            actions: actions.map { NotificationAction(identifier: $0, title: $0) },
            summaryFormat: "%u more"
        )
    }

    @discardableResult
    private func set(_ categories: NotificationCategory...) async throws -> [CategoryWarning] {
        try await test.result {
            $0.setCategories(categories, of: test.center, completion: $1)
        }.get()
    }

    @discardableResult
    private func upsert(_ categories: NotificationCategory...) async throws -> [CategoryWarning] {
        try await test.result {
            $0.upsertCategories(categories, of: test.center, completion: $1)
        }.get()
    }

    private func remove(_ identifiers: String...) async throws -> [String] {
        try await test.result {
            $0.removeCategories(identifiers, from: test.center, completion: $1)
        }.get()
    }

    private func stored(_ center: CenterName? = nil) async throws -> [NotificationCategory] {
        try await test.result {
            $0.listCategories(of: center ?? test.center, completion: $1)
        }.get()
    }

    @Test("A set replaces all, and registers an app that is new")
    func replace() async throws {
        try await set(category("b", "open"), category("a"))
        #expect(try test.state().settings.authorizationStatus == .notDetermined)
        #expect(try await stored() == [category("a"), category("b", "open")])
        try await set(category("c"))
        #expect(try await stored() == [category("c")])
        try await set()
        #expect(try await stored() == [])
    }

    @Test("K-10: they outlive a restart")
    func restart() async throws {
        var full = category("full", "reply")
        full.actions[0].icon = .systemImage("bell")
        full.actions[0].textInput = ActionTextInput(buttonTitle: "Send", placeholder: "Text")
        full.actions[0].options = [.foreground]
        full.intentIdentifiers = ["Intent"]
        full.hiddenPreviewsBodyPlaceholder = "%u messages"
        full.options = [.customDismissAction, .allowAnnouncement]
        try await set(full)
        try test.reopen()
        #expect(try await stored() == [full])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("K-9: some are added or replaced, or removed, and the others stay")
    func upsertAndRemove() async throws {
        try await set(category("a"), category("b"))
        try await upsert(category("b", "open"), category("c"))
        try await upsert()
        #expect(try await stored() == [category("a"), category("b", "open"), category("c")])
        #expect(
            try await remove("c", "x", "", "a", String(repeating: "x", count: 600)) == ["c", "a"]
        )
        #expect(try await stored() == [category("b", "open")])
    }

    @Test("K-3: what looks wrong is told, beside those that are there already")
    func warnings() async throws {
        try await set(category("a", "open"))
        var other = category("b", "open")
        other.actions[0].title = "Another"
        #expect(try await upsert(other).map(\.code) == [.actionMeaningDiffers])
    }

    @Test("A change of some reads and writes no other category")
    func readsNoOther() async throws {
        var meant = category("meant", "open")
        meant.actions[0].title = "Another"
        try await set(category("a", "open"), category("b", "close"), meant)
        test.close()
        // A reader of this category would report the row and refuse.
        try StoreFile.change(in: test.directory.path) { file in
            let number = try file.center(test.center).number
            try file.put([9], forKey: IdentifierKey("b", of: number).bytes, in: .categories)
        }
        try test.reopen()
        try await upsert(category("a", "open", "more"), category("c"))
        // The category that comes first with the action is the one that is named.
        let warnings = try await upsert(meant)
        #expect(warnings.map(\.code) == [.actionMeaningDiffers])
        #expect(warnings.first?.message.contains("category a") == true)
        #expect(try await remove("a", "c") == ["a", "c"])
        #expect(try await upsert(meant).isEmpty)
        #expect(try test.state().categories.count == 2)
    }

    @Test("K-1: the limit counts the categories that a change does not read")
    func limit() async throws {
        let all = (0..<Limits.categoriesPerCenter).map { category("\($0)", "open") }
        _ = try await test.result {
            $0.setCategories(all, of: test.center, completion: $1)
        }.get()
        try await upsert(category("7"))
        let refusal = try await #require(throws: Refusal.self) { try await upsert(category("x")) }
        #expect(refusal.reason == .categoryLimit)
        #expect(try await remove("8") == ["8"])
        try await upsert(category("x", "open"))
        #expect(try test.state().categories.count == Limits.categoriesPerCenter)
        try await set(category("a", "open"))
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("K-3: an app with very many actions is compared with the first ones alone")
    func comparedActions() async throws {
        let all = (0..<500).map { index in
            category("\(index)", (0..<12).map { "\(index) \($0)" })
        }
        _ = try await test.result {
            $0.setCategories(all, of: test.center, completion: $1)
        }.get()
        #expect(try test.state().categories.comparedActions == Limits.comparedActions)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        try test.reopen()
        try await set()
        #expect(try test.state().categories == CategoryTotals())
    }

    @Test("A refusal leaves all as it was, and registers nobody")
    func refused() async throws {
        await #expect(throws: Refusal.self) { try await set(category("a"), category("")) }
        #expect(throws: Refusal.self) { try test.state() }
        await #expect(throws: Refusal.self) { try await upsert(category("a")) }
        try await set(category("a"))
        await #expect(throws: Refusal.self) { try await set(category("b"), category("b")) }
        await #expect(throws: Refusal.self) {
            try await upsert(category("b"), category("c", "x", "x"))
        }
        #expect(try await stored() == [category("a")])
    }

    @Test("A retry is told the first warnings, and acts once")
    func retry() async throws {
        let text = "019b76da-a800-7000-8000-000000000001"
        let key = try OnceKey(text, method: "Set", request: [])
        let many = NotificationCategory(
            identifier: "many",
            actions: (0..<11).map { NotificationAction(identifier: "\($0)", title: "") }
        )
        var told: [[CategoryWarning]] = []
        for _ in 0..<2 {
            told.append(
                try await test.result {
                    $0.setCategories([many], of: test.center, once: key, completion: $1)
                }.get()
            )
            _ = try await remove("many")
        }
        #expect(told[0].map(\.code) == [.actionsNotAllShown])
        #expect(told[1] == told[0])
        #expect(try await stored() == [])
    }

    @Test("K-5: one is looked up by the bytes of its name, of its own center alone")
    func lookup() async throws {
        try await set(category("é", "a"), category("e\u{301}", "b"), category("x"))
        try await test.authorize(for: .local("org.example.other"))
        let found = try test.store.environment.reading { transaction throws(StoreFailure) in
            [
                try transaction.category("é", of: 1, test.store.tables)?.actions.first?.title,
                try transaction.category("e\u{301}", of: 1, test.store.tables)?.actions.first?
                    .title,
                try transaction.category("X", of: 1, test.store.tables)?.identifier,
                try transaction.category("", of: 1, test.store.tables)?.identifier,
                try transaction.category("x", of: 2, test.store.tables)?.identifier,
            ]
        }
        #expect(found == ["a", "b", nil, nil, nil])
        #expect(try await stored(.local("org.example.other")) == [])
    }

    @Test("Text that only looks alike is written all the same")
    func sameLook() async throws {
        var one = category("a", "x")
        one.actions[0].title = "é"
        try await set(one)
        one.actions[0].title = "e\u{301}"
        try await upsert(one)
        let title = try await stored()[0].actions[0].title
        #expect(Array(title.utf8) == Array("e\u{301}".utf8))
    }
}
