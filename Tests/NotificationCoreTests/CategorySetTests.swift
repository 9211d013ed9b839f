internal import NotificationCore
internal import Testing

@Suite("An app's categories (§5)")
struct CategorySetTests {
    private static func category(
        _ identifier: String,
        _ actions: NotificationAction...
    ) -> NotificationCategory {
        var category = NotificationCategory(identifier: identifier)
        category.actions = actions
        return category
    }

    private static func set(_ identifiers: String...) throws -> CategorySet {
        var set = CategorySet()
        _ = try set.replace(with: identifiers.map { category($0) })
        return set
    }

    private static func identifiers(_ set: CategorySet) -> [String] {
        set.categories.map(\.identifier)
    }

    @Test("3.11: An app that declared none has the empty set")
    func empty() {
        let set = CategorySet()
        #expect(set.categories.isEmpty)
        #expect(set.byteCount == 0)
        #expect(set["MESSAGE"] == nil)
        #expect(set.action("a", of: "MESSAGE") == nil)
    }

    @Test("3.11, K-9: Setting replaces the whole set")
    func replace() throws {
        var set = try Self.set("b", "c", "a")
        #expect(Self.identifiers(set) == ["a", "b", "c"])
        _ = try set.replace(with: [Self.category("d"), Self.category("a")])
        #expect(Self.identifiers(set) == ["a", "d"])
        #expect(set.byteCount == 2)
        _ = try set.replace(with: [])
        #expect(set == CategorySet())
    }

    @Test("K-9: Upserting adds and replaces, and leaves the others")
    func upsert() throws {
        let old = NotificationAction(identifier: "old", title: "Old")
        let new = NotificationAction(identifier: "new", title: "New")
        var set = try Self.set("a", "c")
        _ = try set.upsert([Self.category("b", old)])
        _ = try set.upsert([Self.category("d"), Self.category("b", new)])
        #expect(Self.identifiers(set) == ["a", "b", "c", "d"])
        #expect(set.action("new", of: "b") == new)
        #expect(set.action("old", of: "b") == nil, "K-5")
        #expect(set.byteCount == 4 + 6)
        let before = set
        #expect(try set.upsert([]) == [])
        #expect(set == before)
    }

    @Test(
        "K-9: Removing gives what was there",
        arguments: [
            (["b"], ["b"], ["a", "c"]),
            (["c", "a"], ["a", "c"], ["b"]),
            (["x", "b", "b", ""], ["b"], ["a", "c"]),
            (["A"], [], ["a", "b", "c"]),
            ([], [], ["a", "b", "c"]),
            (["c", "b", "a"], ["a", "b", "c"], []),
        ]
    )
    func remove(identifiers: [String], removed: [String], left: [String]) throws {
        var set = try Self.set("a", "b", "c")
        #expect(set.remove(identifiers) == removed)
        #expect(Self.identifiers(set) == left)
        #expect(set.byteCount == left.count)
    }

    @Test("3.5: Identifiers are compared byte by byte, so that case matters")
    func bytes() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        var set = try Self.set(composed, decomposed, "message", "MESSAGE")
        #expect(
            Self.identifiers(set).map { Array($0.utf8) } == [
                Array("MESSAGE".utf8), Array(decomposed.utf8), Array(composed.utf8),
                Array("message".utf8),
            ]
        )
        #expect(set["Message"] == nil)
        #expect(set["message"]?.identifier == "message")
        #expect(set[decomposed].map { Array($0.identifier.utf8) } == Array(decomposed.utf8))
        #expect(set.remove([composed]).map { Array($0.utf8) } == [Array(composed.utf8)])
        #expect(set[composed] == nil)
        #expect(set[decomposed] != nil)
    }

    @Test("3.5: One category twice in a call is refused, and the set stays")
    func twice() throws {
        var set = try Self.set("a")
        let before = set
        let call = ["x", "b", "a", "b"].map { Self.category($0) }
        for isReplacing in [true, false] {
            let refusal = try #require(throws: Refusal.self) {
                _ = isReplacing ? try set.replace(with: call) : try set.upsert(call)
            }
            #expect(refusal.reason == .categoryInvalid)
            #expect(
                refusal.fields.map(\.path) == [.element(3, of: .categories).appending(.identifier)]
            )
            #expect(refusal.message.contains("categories[1]"))
            #expect(set == before)
        }
    }

    @Test("3.6: A wrong action is named by its path in the call")
    func path() throws {
        var set = try Self.set("a")
        let before = set
        let fine = NotificationAction(identifier: "fine", title: "Fine")
        let call = [
            Self.category("b"), Self.category("c"), Self.category("d"),
            Self.category("e", fine, NotificationAction(identifier: "", title: "")),
        ]
        let refusal = try #require(throws: Refusal.self) { try set.upsert(call) }
        #expect(
            refusal.fields.map(\.path) == [
                .element(3, of: .categories).appending(.actions)[1].appending(.identifier)
            ]
        )
        #expect(refusal.namesFields)
        #expect(set == before)
    }

    @Test("K-1: Any number of categories, up to the center's limit")
    func limits() throws {
        var set = CategorySet()
        let all = (0..<4_096).map { Self.category("c\($0)") }
        _ = try set.replace(with: all)
        #expect(set.categories.count == 4_096)
        _ = try set.upsert([Self.category("c7")])
        let before = set
        let refusal = try #require(throws: Refusal.self) { try set.upsert([Self.category("d")]) }
        #expect(refusal.kind == .resourceExhausted)
        #expect(refusal.reason == .categoryLimit)
        #expect(refusal.facts == [.limit: "4096"])
        #expect(set == before)
    }

    @Test("K-1: The bytes of all categories have a limit")
    func byteLimit() throws {
        let large = (0..<16).map { number in
            var category = NotificationCategory(identifier: String(number, radix: 16))
            category.summaryFormat = String(repeating: "x", count: 64 * 1024 - 1)
            return category
        }
        var set = CategorySet()
        _ = try set.replace(with: large)
        #expect(set.byteCount == 1024 * 1024)
        let refusal = try #require(throws: Refusal.self) { try set.upsert([Self.category("g")]) }
        #expect(refusal.reason == .categoryLimit)
        #expect(refusal.facts == [.limit: "1048576"])
        #expect(set.remove(["0"]) == ["0"])
        #expect(try set.upsert([Self.category("g")]).isEmpty)
    }

    @Test("K-10: A set comes back from its stored categories as it was")
    func stored() throws {
        let set = try Self.set("b", "a", "caf\u{e9}", "cafe\u{301}")
        #expect(CategorySet(stored: set.categories) == set)
    }

    @Test("K-5: The category is the one that is declared when it is looked up")
    func lookup() throws {
        var content = NotificationContent()
        content.categoryIdentifier = "MESSAGE"
        var set = CategorySet()
        #expect(set[content.categoryIdentifier] == nil, "K-6 without one there are no buttons")
        let reply = NotificationAction(
            identifier: "reply",
            title: "Reply",
            options: [.authenticationRequired, .foreground],
            icon: .templateImage("reply"),
            textInput: ActionTextInput(buttonTitle: "Send", placeholder: "Message")
        )
        _ = try set.upsert([Self.category("MESSAGE", reply)])
        #expect(set.action("reply", of: content.categoryIdentifier) == reply)
        #expect(set.action("REPLY", of: content.categoryIdentifier) == nil)
        #expect(set.action(NotificationAction.defaultIdentifier, of: "MESSAGE") == nil, "K-7")
    }
}
