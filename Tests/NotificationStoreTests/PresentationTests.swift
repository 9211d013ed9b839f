internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds
@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Notifications that the person opens (§19)")
struct PresentationTests {
    let test: TestStore

    init() throws {
        test = try TestStore { options in
            options.limits.presentationsPerDevice = 3
            options.limits.presentationsPerApp = 2
            options.limits.presentationBytes = 4_096
        }
    }

    private static let rotate = NotificationAction(identifier: "rotate", title: "Rotate")
    private static let reset = NotificationAction(identifier: "reset", title: "Reset")

    private var view: ServingRequest {
        var item = AppExtension(
            identifier: "org.example.app.view",
            kind: .content,
            categories: ["red"]
        )
        item.appearance.handlesResponses = true
        return ServingRequest(app: "org.example.app", extension: item, identifier: "call")
    }

    /// Lets an extension serve that handles the actions of the category.
    private func serve() throws {
        _ = try test.feeds.extensions.attach(view, at: ElapsedInstant(nanoseconds: 0))
    }

    private func authorize() async throws {
        try await test.authorize()
        let red = NotificationCategory(identifier: "red", actions: [Self.rotate])
        _ = try await test.result {
            $0.setCategories([red], of: test.center, completion: $1)
        }.get()
    }

    private func deliver(_ identifier: String) async throws -> NotificationReference {
        let request = try NotificationRequest.titled(identifier) { $0.categoryIdentifier = "red" }
        guard case .delivered(let delivery) = try await test.add(request).state else {
            throw NotDelivered()
        }
        return test.reference(identifier, delivery)
    }

    private struct NotDelivered: Error {}

    private func open(_ target: NotificationReference) async throws -> PresentationIdentifier {
        try await test.result { $0.open(target, as: .random(), completion: $1) }.get()
    }

    @discardableResult
    private func press(
        _ action: String,
        in presentation: PresentationIdentifier
    ) async throws -> RespondOutcome {
        try await test.result {
            $0.respond(
                .action(identifier: action, text: nil),
                to: .presentation(presentation, device: test.center.device),
                completion: $1
            )
        }.get()
    }

    private func change(
        _ presentation: PresentationIdentifier,
        _ change: PresentationCommandChange
    ) async throws {
        _ = try await test.result {
            $0.change(presentation, of: "org.example.app", change, completion: $1)
        }.get()
    }

    private func questions() throws -> [ExtensionCallback] {
        let reader = test.store.reader
        return try reader.questions(
            to: view.extension,
            of: "org.example.app",
            after: 0,
            upTo: try reader.newestCallback(),
            asOf: test.store.clock.now()
        ).callbacks
    }

    private func question() throws -> ExtensionCallback { try #require(try questions().first) }

    private func complete(_ name: ExtensionCallback.Name, _ answer: ContentAnswer) async throws {
        _ = try await test.result {
            $0.completeContentExtension(
                name,
                with: answer,
                of: "org.example.app",
                through: "call",
                completion: $1
            )
        }.get()
    }

    private func isSound() throws -> Bool {
        test.close()
        return try StoreAudit.problems(in: test.directory.path).isEmpty
    }

    @Test("NCE-5: It begins with the category's buttons, and the extension replaces them")
    func actions() async throws {
        try await authorize()
        try serve()
        let presentation = try await open(try await deliver("a"))
        #expect(test.store.presentation(presentation)?.actions == [Self.rotate])
        try await change(presentation, .actions([Self.reset]))
        #expect(test.store.presentation(presentation)?.actions == [Self.reset])
        await #expect(throws: Refusal.unknownAction) {
            try await press("rotate", in: presentation)
        }
        #expect(try await press("reset", in: presentation) == .handledByExtension)
        #expect(try isSound())
    }

    @Test("NCE-9: An act outlives a crash, and goes to the app at its deadline")
    func crash() async throws {
        try await authorize()
        try serve()
        let presentation = try await open(try await deliver("a"))
        #expect(try await press("rotate", in: presentation) == .handledByExtension)
        #expect(try test.state().openResponseCount == 1)
        try test.crash()
        // The open notification is closed, and the question is open still.
        #expect(test.store.presentation(presentation) == nil)
        #expect(try question().name.number > 0)
        try await test.advance(by: .seconds(5), passesCallbacks: true)
        // Require it before the app is waited for: a lost response would be waited for without an
        // end.
        try #require(try test.state().openResponseCount == 1)
        let app = try test.subscribe(
            as: DelegateRole(capabilities: .didReceive),
            .background,
            named: "app"
        )
        let callback = try #require(try await app.callbacks(1).first)
        guard case .didReceive(let response) = callback.question else {
            Issue.record("another question")
            return
        }
        #expect(response.actionIdentifier == "rotate")
        #expect(try test.state().openResponseCount == 1)
        #expect(try await test.delivered().isEmpty)
        #expect(try isSound())
    }

    @Test(
        "§19.2: The answer decides about the list and the app",
        arguments: [
            (ContentAnswer.doNotDismiss, 1, 0), (.dismiss, 0, 0), (.dismissAndForward, 0, 1),
        ]
    )
    func answers(_ answer: ContentAnswer, delivered: Int, responses: Int) async throws {
        try await authorize()
        try serve()
        let presentation = try await open(try await deliver("a"))
        _ = try await press("rotate", in: presentation)
        let name = try question().name
        try await complete(name, answer)
        try await complete(name, answer)
        #expect((test.store.presentation(presentation) == nil) == answer.closes)
        #expect(try await test.delivered().count == delivered)
        #expect(try test.state().openResponseCount == responses)
        let other: ContentAnswer = answer == .dismiss ? .doNotDismiss : .dismiss
        await #expect(throws: Refusal.callbackEnded(name.number)) {
            try await complete(name, other)
        }
        #expect(try isSound())
    }

    @Test("A question outlives its presentation (NCE-12)")
    func questionOutlives() async throws {
        try await authorize()
        try serve()
        let presentation = try await open(try await deliver("a"))
        _ = try await press("rotate", in: presentation)
        try await change(presentation, .dismiss)
        #expect(test.store.presentation(presentation) == nil)
        #expect(try test.state().openResponseCount == 1)
        try await complete(try question().name, .dismissAndForward)
        #expect(try await test.delivered().isEmpty)
        #expect(try test.state().openResponseCount == 1)
        #expect(try isSound())
    }

    @Test("An act takes the notification from where it is by then: from the list or from a snooze")
    func snoozedMeanwhile() async throws {
        try await authorize()
        try serve()
        let shown = try await deliver("a")
        _ = try await press("rotate", in: try await open(shown))
        _ = try await test.result {
            $0.snooze(shown, until: .after(nanoseconds: .nanosecondsPerSecond), completion: $1)
        }.get()
        #expect(try test.state().snoozedCount == 1)
        try await complete(try question().name, .dismissAndForward)
        #expect(try test.state().snoozedCount == 0)
        try await test.advance(by: .seconds(10))
        #expect(try await test.delivered().isEmpty)
        #expect(try isSound())
    }

    @Test("The thread of a message is its conversation, where it has no other (NCE-3)")
    func conversation() async throws {
        try await authorize()
        var message = Communication(kind: .message, sender: "Ana")
        message.conversationIdentifier = "tea"
        let request = try NotificationRequest.titled("a") { $0.communication = message }
        guard case .delivered(let delivery) = try await test.add(request).state else {
            throw NotDelivered()
        }
        let presentation = try await open(test.reference("a", delivery))
        #expect(test.store.presentation(presentation)?.source.thread == "tea")
    }

    @Test("An act that waits on the entry in the list has its buttons, whatever is open")
    func waitingOnEntry() async throws {
        try await authorize()
        try serve()
        let shown = try await deliver("a")
        try await test.updateDevice { $0.isLocked = true }
        let presentation = try await open(shown)
        let archive = NotificationAction(
            identifier: "archive",
            title: "Archive",
            options: .authenticationRequired
        )
        let red = NotificationCategory(identifier: "red", actions: [archive])
        _ = try await test.result {
            $0.setCategories([red], of: test.center, completion: $1)
        }.get()
        #expect(test.store.presentation(presentation)?.actions == [Self.rotate])
        #expect(
            try await test.respond(.action(identifier: "archive", text: nil), to: shown)
                == .waitingForUnlock
        )
        try await test.updateDevice { $0.isLocked = false }
        #expect(try test.state().openResponseCount == 1)
        #expect(try isSound())
    }

    @Test("An extension that ends leaves its acts to the app")
    func unserved() async throws {
        try await authorize()
        try serve()
        let presentation = try await open(try await deliver("a"))
        _ = try await press("rotate", in: presentation)
        #expect(test.feeds.extensions.detach(view))
        test.store.endUnservedQuestions(of: "org.example.app")
        try await test.result { (store, done: @escaping Completion<Void>) in
            store.afterNextBatch(done)
        }.get()
        #expect(try questions().isEmpty)
        #expect(try test.state().openResponseCount == 1)
        #expect(try await test.delivered().isEmpty)
        #expect(try isSound())
    }

    @Test("Limits of what is open, of a device and of an app (NCE-10)")
    func limits() async throws {
        try await authorize()
        let first = try await open(try await deliver("a"))
        _ = try await open(try await deliver("b"))
        let c = try await deliver("c")
        await #expect(throws: Refusal.presentationLimit(2, "the app")) { try await open(c) }
        _ = try await test.result {
            $0.close(first, on: test.center.device, completion: $1)
        }.get()
        _ = try await open(c)
    }

    @Test("Views of an app take a quarter of the bytes at most, and a smaller one takes its place")
    func viewSpace() async throws {
        try await authorize()
        try serve()
        let presentation = try await open(try await deliver("a"))
        func show(_ count: Int) async throws {
            let data = [UInt8](repeating: 0, count: count)
            try await change(presentation, .view(ContentView(mediaType: "a/b", data: data)))
        }
        try await show(900)
        await #expect(throws: Refusal.contentViewSpace(1_024)) { try await show(1_024) }
        try await show(1_000)
        try await change(presentation, .dismiss)
        let again = try await open(test.reference("a", 1))
        #expect(test.store.presentation(again)?.view == nil)
    }

    @Test(
        "It closes with its notification, the lock and the app (NCE-10)",
        arguments: ["removed", "replaced", "opened", "locked", "unregistered"]
    )
    func closes(_ how: String) async throws {
        try await authorize()
        let reference = try await deliver("a")
        let presentation = try await open(reference)
        switch how {
        case "removed": _ = try await test.removeDelivered(["a"])
        case "replaced": _ = try await deliver("a")
        case "opened": try await test.respond(.open, to: reference)
        case "locked": try await test.updateDevice { $0.isLocked = true }
        default:
            _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        }
        #expect(test.store.presentation(presentation) == nil)
        await #expect(throws: Refusal.presentationNotFound) {
            try await press("rotate", in: presentation)
        }
    }

    @Test("The name of a presentation is a random UUID")
    func identifiers() {
        let identifier = PresentationIdentifier(
            high: 0x0123_4567_89AB_4DEF,
            low: 0x8123_4567_89AB_CDEF
        )
        #expect(identifier.text == "01234567-89ab-4def-8123-456789abcdef")
        #expect(PresentationIdentifier(identifier.text) == identifier)
        #expect(PresentationIdentifier("01234567-89ab-4def-8123") == nil)
        let random = PresentationIdentifier.random().text
        #expect(Array(random)[14] == "4")
        #expect("89ab".contains(Array(random)[19]))
    }
}
