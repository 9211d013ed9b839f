internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds
@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("What a device shows (§10, §11, §15)")
struct DeviceListTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private let other = CenterName.local("org.example.other")

    private func page(
        _ configure: (inout DeviceListQuery) -> Void = { _ in }
    ) async throws -> DeviceListPage {
        var query = DeviceListQuery(device: CenterName.localDevice)
        configure(&query)
        return try await test.shown(query)
    }

    private func groups(
        _ configure: (inout DeviceListQuery) -> Void = { _ in }
    ) async throws -> [[String]] {
        try await page(configure).groups.map { group in
            group.notifications.map(\.reference.identifier)
        }
    }

    private func deliver(
        _ identifier: String,
        thread: String = "",
        category: String = "",
        to center: CenterName? = nil
    ) async throws {
        try await test.add(
            .titled(identifier) {
                $0.body = "Body"
                $0.threadIdentifier = thread
                $0.categoryIdentifier = category
            },
            to: center
        )
        try await test.advance(by: .seconds(1))
    }

    /// Changes a center and its app's record in the closed file.
    private func change(
        _ center: CenterName,
        _ body: @Sendable (inout CenterState, inout AppRecord) -> Void
    ) throws {
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            var (number, found) = try file.center(center)
            var app = AppRecord(registeredAt: .newYear)
            body(&found, &app)
            try file.set(found, number: number)
            try file.put(app.bytes, forKey: number.bytes, in: .apps)
        }
        try test.reopen()
    }

    @Test("GRP-1, GRP-2, GRP-5: By app and thread, the group with the newest first")
    func grouped() async throws {
        try await test.authorize()
        try await test.authorize(for: other)
        try await deliver("a", thread: "t")
        try await deliver("b")
        try await deliver("c", to: other)
        try await deliver("d", thread: "t")
        #expect(try await groups() == [["d", "a"], ["c"], ["b"]])
        let first = try #require(try await page().groups.first)
        #expect(first.name == GroupName(center: test.center, kind: .thread("t")))
        #expect(first.thread == "t")
        #expect(first.count == 2)
        #expect(first.summary == "1 more notification")
        #expect(first.date == .newYear + .seconds(3))
        #expect(first.asOfEvent == (try test.state().lastEvent))
        #expect(try await groups { $0.apps = [other.app] } == [["c"]])
        #expect(try await groups { $0.apps = ["org.example.none"] }.isEmpty)
        #expect(try await groups { $0.device = "tablet" }.isEmpty)
    }

    @Test(
        "GRP-3: As the person chose for the app",
        arguments: [
            (GroupingMode.automatic, [["c", "a"], ["b"]]), (.byApp, [["c", "b", "a"]]),
            (.off, [["c"], ["b"], ["a"]]),
        ] as [(GroupingMode, [[String]])]
    )
    func modes(row: (mode: GroupingMode, groups: [[String]])) async throws {
        try await test.authorize()
        try await deliver("a", thread: "t")
        try await deliver("b")
        try await deliver("c", thread: "t")
        let mode = row.mode
        try change(test.center) { _, app in app.grouping = mode }
        #expect(try await groups() == row.groups)
        // Dismiss by the name that the list gave.
        let name = try #require(try await page().groups.first?.name)
        let dismissal = try await test.dismiss(.group(name))
        #expect(dismissal.count == row.groups[0].count)
    }

    @Test("LK-5: On a locked device the text is hidden, with the person's choice")
    func hidden() async throws {
        try await test.authorize()
        try await deliver("a")
        try await test.updateDevice { $0.isLocked = true }
        let shown = try #require(try await page().groups.first?.notifications.first)
        let settings = try test.state().settings
        #expect(shown.rendered.isHidden == (settings.showPreviews != .always))
        try change(test.center) { center, _ in center.settings.showPreviews = .never }
        let never = try #require(try await page().groups.first?.notifications.first)
        #expect(never.rendered.isHidden)
        #expect(never.rendered.title.isEmpty)
        #expect(never.rendered.body == RenderedNotification.defaultBody)
        // The app still gets all of it (LK-3).
        #expect(try await test.delivered().first?.request.content.body == "Body")
        try change(test.center) { center, _ in center.settings.showPreviews = .always }
        #expect(try await page().groups.first?.notifications.first?.rendered.title == "a")
    }

    @Test("The category gives the buttons, the line below a group and the words for hidden text")
    func category() async throws {
        try await test.authorize()
        for identifier in ["a", "b", "c"] { try await deliver(identifier, category: "message") }
        test.close()
        let category = NotificationCategory(
            identifier: "message",
            actions: [NotificationAction(identifier: "mark", title: "Mark")],
            hiddenPreviewsBodyPlaceholder: "%u messages",
            summaryFormat: "%u more messages"
        )
        try StoreFile.change(in: test.directory.path) { file in
            var (number, center) = try file.center(test.center)
            center.settings.showPreviews = .never
            try file.set(center, number: number)
            try file.put(
                CategoryRecord(category).bytes,
                forKey: IdentifierKey("message", of: number).bytes,
                in: .categories
            )
        }
        try test.reopen()
        let group = try #require(try await page().groups.first)
        #expect(group.summary == "2 more notifications")
        #expect(group.notifications.first?.rendered.body == "3 messages")
        #expect(group.notifications.first?.rendered.actions.map(\.action) == category.actions)
        try change(test.center) { center, _ in center.settings.showPreviews = .always }
        #expect(try await page().groups.first?.summary == "2 more messages")
    }

    @Test("The app has the name that it has in the person's language")
    func name() async throws {
        try await test.authorize()
        try await deliver("a")
        #expect(try await page().groups.first?.notifications.first?.appName == test.center.app)
        try change(test.center) { _, app in
            app.registration.names = ["en": "Reminders", "pt": "Lembretes"]
            app.registration.icon = "icon"
        }
        for (languages, name) in [
            ([], "Reminders"), (["pt-BR"], "Lembretes"), (["fr", "pt"], "Lembretes"),
            (["fr"], "Reminders"),
        ] as [([String], String)] {
            try await test.updateDevice { $0.languages = languages }
            let shown = try #require(try await page().groups.first?.notifications.first)
            #expect(shown.appName == name)
            #expect(shown.icon == "icon")
        }
    }

    @Test("Pages hold each notification once; a group goes on under its name", arguments: 1...4)
    func pages(size: Int) async throws {
        try await test.authorize()
        try await test.authorize(for: other)
        for index in 0..<9 {
            let thread = ["", "t", "u"][index % 3]
            try await deliver("\(index)", thread: thread, to: index < 4 ? other : nil)
        }
        let whole = try await page().groups
        var names: [GroupName] = []
        var told: [NotificationReference] = []
        var token: [UInt8]?
        repeat {
            let page = try await page {
                $0.pageSize = size
                $0.token = token
            }
            let count = page.groups.reduce(0) { $0 + $1.notifications.count }
            #expect((1...size).contains(count))
            for group in page.groups {
                if names.last != group.name { names.append(group.name) }
                told += group.notifications.map(\.reference)
                #expect(whole.first { $0.name == group.name }?.count == group.count)
            }
            token = page.nextToken
        } while token != nil
        #expect(names == whole.map(\.name))
        #expect(told == whole.flatMap(\.notifications).map(\.reference))
        #expect(told.count == 9)
    }

    @Test("A page ends where it passes the bytes of one")
    func bytes() async throws {
        try await test.authorize()
        try test.reopen { $0.limits.bytesPerPage = 10 }
        for index in 0..<4 { try await deliver("\(index)") }
        let page = try await page()
        #expect(page.groups.first?.notifications.count == 2)
        #expect(page.nextToken != nil)
    }

    @Test("More than can be put in order is refused, unless fewer apps are named")
    func tooMany() async throws {
        try await test.authorize()
        try await test.authorize(for: other)
        try test.reopen { $0.limits.listedPerDevice = 2 }
        for identifier in ["a", "b"] { try await deliver(identifier) }
        try await deliver("c", to: other)
        await #expect(throws: Refusal.tooManyShown(2)) { _ = try await page() }
        #expect(try await groups { $0.apps = [other.app] } == [["c"]])
    }
}
