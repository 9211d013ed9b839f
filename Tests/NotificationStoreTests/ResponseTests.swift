internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("What the person does with a notification (§17)")
struct ResponseTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private static let category = NotificationCategory(
        identifier: "message",
        actions: [
            NotificationAction(identifier: "mark", title: "Mark"),
            NotificationAction(
                identifier: "delete",
                title: "Delete",
                options: .authenticationRequired
            ),
            NotificationAction(identifier: "reply", title: "Reply", textInput: ActionTextInput()),
        ],
        options: .customDismissAction
    )

    /// Registers the app, with a category that its notifications may name.
    private func authorize() async throws {
        try await test.authorize()
        _ = try await test.result {
            $0.setCategories([Self.category], of: test.center, completion: $1)
        }.get()
    }

    private func deliver(_ identifier: String) async throws -> NotificationReference {
        let request = try NotificationRequest.titled(identifier) {
            $0.categoryIdentifier = "message"
        }
        guard case .delivered(let delivery) = try await test.add(request).state else {
            throw NotDelivered()
        }
        return test.reference(identifier, delivery)
    }

    private func attach(_ name: String = "app") throws -> TestSubscription {
        try test.subscribe(as: DelegateRole(capabilities: .didReceive), .background, named: name)
    }

    private func responses(_ callbacks: [Callback]) -> [NotificationResponse] {
        callbacks.compactMap { callback in
            if case .didReceive(let response) = callback.question { response } else { nil }
        }
    }

    private func newest() async throws -> Event.Kind? { try await test.events().last?.kind }

    @Test("A tap is told to the app, and the notification leaves the list (NC-2)")
    func open() async throws {
        try await authorize()
        let app = try attach()
        let a = try await deliver("a")
        let listed = try #require(try await test.delivered().first)
        #expect(try await test.respond(.open, to: a) == .sent)
        let callback = try #require(try await app.callbacks(1).first)
        #expect(callback.deadline == .newYear + .seconds(7 * 86_400))
        let expected = NotificationResponse(
            notification: listed,
            actionIdentifier: NotificationAction.defaultIdentifier
        )
        #expect(callback.question == .didReceive(expected))
        #expect(try await test.delivered().isEmpty)
        let removed = Event.Removed(reason: .person, identifier: "a", delivery: 1)
        #expect(try await newest() == .removed(removed))
        #expect(try test.state().openResponseCount == 1)

        try await test.complete([callback.number], with: .taken, through: app)
        let responded = Event.Responded(
            identifier: "a",
            delivery: 1,
            actionIdentifier: NotificationAction.defaultIdentifier
        )
        #expect(try await newest() == .responseCompleted(responded))
        #expect(try test.state().openResponseCount == 0)
        #expect(
            try await test.complete([callback.number], with: .taken, through: app) == [nil]
        )
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("RSP-7: Responses wait in order for an app that is down, through a crash, for 7 days")
    func down() async throws {
        try await authorize()
        let (a, b) = (try await deliver("a"), try await deliver("b"))
        try await test.respond(.open, to: a)
        try await test.respond(.action(identifier: "reply", text: "Hello"), to: b)
        try test.crash()
        let app = try attach()
        let callbacks = try await app.callbacks(2)
        let told = responses(callbacks)
        #expect(told.map(\.notification.request.identifier) == ["a", "b"])
        #expect(told.map(\.userText) == [nil, "Hello"])
        #expect(told.map(\.actionIdentifier).last == "reply")
        app.cancel()
        try await test.complete([callbacks[0].number], with: .taken, through: try attach("again"))
        try await test.advance(by: .seconds(7 * 86_400), passesCallbacks: true)
        let responded = Event.Responded(
            identifier: "b",
            delivery: 2,
            actionIdentifier: "reply",
            userText: "Hello"
        )
        let kinds = try await test.events().map(\.kind)
        #expect(kinds.contains(.responseExpired(responded)))
        #expect(try test.state().openResponseCount == 0)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("A tap never lands on another notification")
    func replaced() async throws {
        try await authorize()
        let old = try await deliver("a")
        let new = try await deliver("a")
        for act in [PersonAct.open, .action(identifier: "mark", text: nil)] {
            await #expect(throws: Refusal.notificationReplaced) {
                try await test.respond(act, to: old)
            }
        }
        await #expect(throws: Refusal.notificationReplaced) { try await test.dismiss(.one(old)) }
        #expect(try await test.delivered().count == 1)
        try await test.respond(.open, to: new)
        for gone in [new, old, test.reference("b", 1), test.reference("a", 99)] {
            await #expect(throws: Refusal.notificationNotFound) {
                try await test.respond(.open, to: gone)
            }
        }
        let stranger = test.reference("a", 1, of: .local("org.example.none"))
        await #expect(throws: Refusal.notRegistered(stranger.center)) {
            try await test.respond(.open, to: stranger)
        }
    }

    @Test(
        "RSP-8: What the notification does not offer is refused, and nothing happens",
        arguments: [
            (PersonAct.action(identifier: "other", text: nil), .actionUnknown),
            (.action(identifier: "mark", text: "Hello"), .textNotExpected),
            (
                .action(identifier: "reply", text: String(repeating: "x", count: 65_537)),
                .textTooLong
            ),
        ] as [(PersonAct, Reason)]
    )
    func unknown(row: (act: PersonAct, reason: Reason)) async throws {
        try await authorize()
        let a = try await deliver("a")
        let refusal = await #expect(throws: Refusal.self) {
            try await test.respond(row.act, to: a)
        }
        #expect(refusal?.reason == row.reason)
        #expect(try await test.delivered().count == 1)
        #expect(try test.state().openResponseCount == 0)
    }

    @Test("RSP-5: On a locked device it waits for the unlock, and is then told in order")
    func unlock() async throws {
        try await authorize()
        let (a, b) = (try await deliver("a"), try await deliver("b"))
        try await test.updateDevice { $0.isLocked = true }
        #expect(
            try await test.respond(.action(identifier: "mark", text: nil), to: b) == .sent
        )
        #expect(
            try await test.respond(.action(identifier: "delete", text: nil), to: a)
                == .waitingForUnlock
        )
        #expect(try await test.delivered().map(\.request.identifier) == ["a"])
        try test.crash()
        try await test.updateDevice { $0.isMuted = true }
        #expect(try await test.delivered().count == 1)
        try await test.advance(by: .seconds(29))
        try await test.updateDevice { $0.isLocked = false }
        #expect(try await test.delivered().isEmpty)
        let app = try attach()
        let told = responses(try await app.callbacks(2))
        #expect(told.map(\.actionIdentifier) == ["mark", "delete"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("After 30 s it is dropped, and so is one whose notification is gone")
    func dropped() async throws {
        try await authorize()
        let (a, b) = (try await deliver("a"), try await deliver("b"))
        try await test.updateDevice { $0.isLocked = true }
        let delete = PersonAct.action(identifier: "delete", text: nil)
        try await test.respond(delete, to: b)
        try await test.removeDelivered(["b"])
        try await test.respond(delete, to: a)
        try await test.advance(by: .seconds(30))
        try await test.updateDevice { $0.isLocked = false }
        #expect(try await test.delivered().map(\.request.identifier) == ["a"])
        #expect(try test.state().openResponseCount == 0)
        // Nothing is left for the next unlock.
        try await test.updateDevice { $0.isLocked = true }
        try await test.updateDevice { $0.isLocked = false }
        #expect(try await test.delivered().count == 1)
    }

    /// A limit that removes a notification, beside the person and the app.
    enum Limit: CaseIterable {
        case banners, list, age
    }

    @Test("No limit takes a notification on which an act waits", arguments: Limit.allCases)
    func waitOutlastsLimits(limit: Limit) async throws {
        try await authorize()
        try test.reopen {
            switch limit {
            case .banners: break
            case .list: $0.limits.deliveredPerCenter = 2
            case .age: $0.limits.deliveredNanoseconds = 40 * .nanosecondsPerSecond
            }
        }
        if limit == .banners {
            var settings = SettingsChange()
            settings.notificationCenter = false
            _ = try await test.result { [settings] in
                $0.updateSettings(settings, of: test.center, completion: $1)
            }.get()
        }
        let (a, b) = (try await deliver("a"), try await deliver("b"))
        if limit == .age { try await test.advance(by: .seconds(35)) }
        try await test.updateDevice { $0.isLocked = true }
        let delete = PersonAct.action(identifier: "delete", text: nil)
        #expect(try await test.respond(delete, to: a) == .waitingForUnlock)
        switch limit {
        case .banners: for index in 0..<40 { _ = try await deliver("c\(index)") }
        case .list: for index in 0..<4 { _ = try await deliver("c\(index)") }
        case .age: try await test.advance(by: .seconds(20))
        }
        if limit != .age {
            // The limit removed the others.
            await #expect(throws: Refusal.notificationNotFound) {
                try await test.respond(.open, to: b)
            }
        }
        if limit == .list { #expect(try test.state().deliveredCount == 2) }
        try test.crash()
        try await test.updateDevice { $0.isLocked = false }
        try #require(try test.state().openResponseCount == 1)
        let app = try attach()
        #expect(responses(try await app.callbacks(1)).map(\.actionIdentifier) == ["delete"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("D-19: The oldest goes first again once the act on it is dropped in the same batch")
    func oldestAfterWait() async throws {
        try await authorize()
        try test.reopen { $0.limits.deliveredPerCenter = 5 }
        for index in 1...5 { _ = try await deliver("\(index)") }
        let oldest = test.reference("1", 1)
        try await test.updateDevice { $0.isLocked = true }
        let delete = PersonAct.action(identifier: "delete", text: nil)
        #expect(try await test.respond(delete, to: oldest) == .waitingForUnlock)
        for second in [10, 11, 12, 40] {
            try await test.add(.titled("\(second) s", in: .seconds(second)))
        }
        try await test.advance(by: .seconds(40))
        let listed = try await test.delivered().map(\.request.identifier)
        #expect(listed == ["40 s", "12 s", "11 s", "10 s", "5"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("What is too old goes once the act on it is dropped")
    func tooOldAfterWait() async throws {
        try await authorize()
        try test.reopen { $0.limits.deliveredNanoseconds = 40 * .nanosecondsPerSecond }
        let a = try await deliver("a")
        try await test.advance(by: .seconds(35))
        try await test.updateDevice { $0.isLocked = true }
        try await test.respond(.action(identifier: "delete", text: nil), to: a)
        try await test.advance(by: .seconds(29))
        #expect(try test.state().deliveredCount == 1)
        try await test.advance(by: .seconds(1))
        #expect(try test.state().deliveredCount == 0)
    }

    @Test("A device keeps so many that wait, and those that are too old make room")
    func waitLimit() async throws {
        try await authorize()
        try test.reopen { $0.limits.unlockWaitsPerDevice = 1 }
        let (a, b) = (try await deliver("a"), try await deliver("b"))
        try await test.updateDevice { $0.isLocked = true }
        let delete = PersonAct.action(identifier: "delete", text: nil)
        try await test.respond(delete, to: a)
        await #expect(throws: Refusal.responseLimit(1)) { try await test.respond(delete, to: b) }
        try await test.advance(by: .seconds(30))
        #expect(try await test.respond(delete, to: b) == .waitingForUnlock)
    }

    @Test("An app that takes none has so many; one more is refused and stays in the list")
    func limit() async throws {
        try await authorize()
        try test.reopen { $0.limits.responsesPerCenter = 1 }
        let (a, b) = (try await deliver("a"), try await deliver("b"))
        try await test.respond(.open, to: a)
        await #expect(throws: Refusal.responseLimit(1)) { try await test.respond(.open, to: b) }
        await #expect(throws: Refusal.responseLimit(1)) { try await test.dismiss(.one(b)) }
        #expect(try await test.dismiss(.all(device: "local")).count == 0)
        #expect(try await test.delivered().map(\.request.identifier) == ["b"])
    }
}

private struct NotDelivered: Error {}
