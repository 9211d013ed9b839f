internal import NotificationCore
internal import Testing

@Suite("Warnings about categories (K-2, K-3)")
struct CategoryWarningTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let other: NotificationAction
        let isWarned: Bool
        var testDescription: String { name }

        init(_ name: String, isWarned: Bool, _ change: (inout NotificationAction) -> Void) {
            self.name = name
            other = CategoryWarningTests.rotate(change)
            self.isWarned = isWarned
        }
    }

    private static func rotate(
        _ change: (inout NotificationAction) -> Void = { _ in }
    ) -> NotificationAction {
        var action = NotificationAction(identifier: "rotate", title: "Rotate 20°")
        change(&action)
        return action
    }

    private static func category(
        _ identifier: String,
        _ actions: NotificationAction...
    ) -> NotificationCategory {
        var category = NotificationCategory(identifier: identifier)
        category.actions = actions
        return category
    }

    @Test(
        "K-3: One action in two categories has to mean one thing",
        arguments: [
            Case("K-3 the same action", isWarned: false) { _ in },
            Case("K-3 another icon", isWarned: false) { $0.icon = .systemImage("arrow") },
            Case("K-3 another title", isWarned: true) { $0.title = "Rotate 30°" },
            Case("K-3 another localized title", isWarned: true) {
                $0.localizedTitle = LocalizedText(key: "rotate")
            },
            Case("K-3 other options", isWarned: true) { $0.options = .destructive },
            Case("K-3 text input", isWarned: true) { $0.textInput = ActionTextInput() },
            Case("K-3 another identifier", isWarned: false) {
                $0.identifier = "Rotate"
                $0.title = "Rotate 30°"
            },
        ]
    )
    func meaning(_ row: Case) throws {
        let filler = NotificationAction(identifier: "filler", title: "Filler")
        let red = Self.category("red", Self.rotate())
        let green = Self.category("green", filler, row.other)

        var together = CategorySet()
        let warnings = try together.replace(with: [red, green])
        #expect(
            warnings.map(\.path)
                == (row.isWarned
                    ? [.element(1, of: .categories).appending(.actions)[1].appending(.identifier)]
                    : [])
        )
        #expect(warnings.allSatisfy { $0.code == .actionMeaningDiffers })
        #expect(warnings.allSatisfy { $0.message.contains("category red") })
        #expect(together.categories == [green, red], "a warning refuses nothing")

        var oneByOne = CategorySet()
        #expect(try oneByOne.upsert([red]).isEmpty)
        let later = try oneByOne.upsert([green])
        #expect(
            later.map(\.path)
                == (row.isWarned
                    ? [.element(0, of: .categories).appending(.actions)[1].appending(.identifier)]
                    : [])
        )
        #expect(oneByOne == together)
    }

    @Test("K-3: A category that is replaced warns of nothing any more")
    func replaced() throws {
        var set = CategorySet()
        _ = try set.upsert([Self.category("red", Self.rotate())])
        let renamed = Self.rotate { $0.title = "Rotate 30°" }
        #expect(try set.upsert([Self.category("red", renamed)]).isEmpty)
        #expect(try set.replace(with: [Self.category("green", Self.rotate())]).isEmpty)
    }

    @Test("K-2: More actions than are shown", arguments: [10, 11, 64])
    func actions(count: Int) throws {
        var category = NotificationCategory(identifier: "MESSAGE")
        category.actions = (0..<count).map {
            NotificationAction(identifier: "a\($0)", title: "Title")
        }
        var set = CategorySet()
        let warnings = try set.replace(with: [Self.category("A"), category])
        #expect(
            warnings.map(\.path)
                == (count > 10 ? [.element(1, of: .categories).appending(.actions)] : [])
        )
        #expect(warnings.allSatisfy { $0.code == .actionsNotAllShown })
        #expect(warnings.allSatisfy { $0.message.contains("\(count)") })
        #expect(set["MESSAGE"]?.actions.count == count, "the extras are kept")
    }

    @Test("Warnings end where the pattern is plain, in the middle of a category too")
    func limitWithin() throws {
        let categories = ["A", "B", "C"].map { title in
            var category = NotificationCategory(identifier: title)
            category.actions = (0..<64).map {
                NotificationAction(identifier: "a\($0)", title: title)
            }
            return category
        }
        var set = CategorySet()
        let warnings = try set.replace(with: categories)
        #expect(warnings.count == 100)
        #expect(
            warnings.last?.path
                == .element(2, of: .categories).appending(.actions)[32].appending(.identifier)
        )
    }

    @Test("Warnings end where the pattern is plain")
    func limit() throws {
        let categories = (0..<250).map { number in
            Self.category("c\(number)", Self.rotate { $0.title = "Rotate \(number)°" })
        }
        var set = CategorySet()
        let warnings = try set.replace(with: categories)
        #expect(warnings.count == 100)
        #expect(
            warnings.first?.path
                == .element(1, of: .categories).appending(.actions)[0].appending(.identifier)
        )
        #expect(set.categories.count == 250)
    }
}
