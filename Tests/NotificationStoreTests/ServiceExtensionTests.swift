internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("A service extension changes pushes before they are shown (§18)", .timeLimit(.minutes(5)))
struct ServiceExtensionTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private func answer(
        _ callback: ExtensionCallback,
        through serving: TestServing,
        isBestAttempt: Bool = false,
        _ change: (inout NotificationContent) -> Void
    ) async throws -> ExtensionOutcome {
        var content = NotificationContent()
        change(&content)
        let answer = ServiceAnswer(
            question: callback.name,
            content: content,
            isBestAttempt: isBestAttempt
        )
        return try await test.result {
            $0.completeServiceExtension(
                answer,
                of: test.center.app,
                through: serving.identifier,
                completion: $1
            )
        }.get()
    }

    private func advance(_ duration: Duration) async throws {
        _ = try await test.result {
            $0.advanceClock(
                .by(nanoseconds: duration.nanoseconds),
                passesCallbacks: true,
                completion: $1
            )
        }.get()
    }

    private func audit() throws {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    private func arriving() throws -> Int { try test.state().arrivingCount }

    @Test("NSE-2, NSE-11: Its content is delivered under the identifier and with the date")
    func modifies() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        #expect(try await test.push("a") == .arriving)
        #expect(try await test.delivered().isEmpty)
        #expect(try arriving() == 1)
        let question = try await serving.question()
        #expect(question.question == .service(try .titled("a")))
        #expect(question.deadline == .newYear + .seconds(30))
        #expect(!question.isExpiring)
        let outcome = try await answer(question, through: serving) { $0.title = "b" }
        #expect(outcome == .modified)
        #expect(try await test.told() == ["b: modified"])
        let listed = try #require(try await test.delivered().first)
        #expect(listed.request.identifier == "a")
        #expect(listed.request.content.title == "b")
        #expect(try arriving() == 0)
        try audit()
    }

    @Test("NSE-3: It is told 3 s before its end, and then the original is delivered")
    func timesOut() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        try await test.push("a")
        let question = try await serving.question()
        try await advance(.milliseconds(26_999))
        await test.settle()
        #expect(serving.waitingCount == 0)
        try await advance(.milliseconds(1))
        #expect(try await serving.next().expiring == [question.name])
        #expect(try await test.told() == [])
        try await advance(.seconds(3))
        let ended = try await serving.next().ended
        #expect(ended.map(\.outcome) == [.timedOut])
        #expect(try await test.told() == ["a: fallback"])
        await #expect(throws: Refusal.callbackEnded(question.name.number)) {
            try await answer(question, through: serving) { $0.title = "late" }
        }
        try audit()
    }

    @Test("NSE-3, NSE-7: An answer after the warning, and a best attempt, are best attempts")
    func bestAttempt() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        for name in ["a", "b", "c"] { try await test.push(name) }
        let first = try await serving.question()
        try await advance(.seconds(28))
        #expect(try await answer(first, through: serving) { $0.title = "A" } == .bestAttempt)
        let second = try await serving.question()
        #expect(second.deadline == .newYear + .seconds(58))
        for title in ["old", "B"] {
            let kept = try await answer(second, through: serving, isBestAttempt: true) {
                $0.title = title
            }
            #expect(kept == .bestAttempt)
        }
        #expect(try await test.told() == ["A: bestAttempt"])
        try await advance(.seconds(30))
        let third = try await serving.question()
        _ = try await answer(third, through: serving, isBestAttempt: true) { $0.title = "C" }
        serving.end()
        await test.settle()
        #expect(
            try await test.told() == ["A: bestAttempt", "B: bestAttempt", "C: bestAttempt"]
        )
        #expect(try arriving() == 0)
        try audit()
    }

    @Test("NSE-4: Content without a text for an alert is ignored")
    func noText() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        try await test.push("a")
        let question = try await serving.question()
        #expect(try await answer(question, through: serving) { $0.badge = 3 } == .ignoredNoText)
        #expect(try await test.told() == ["a: ignoredNoText"])
        try audit()
    }

    @Test("NSE-5: With the entitlement, and for a push of type alert, empty content drops it")
    func filters() async throws {
        var registration = AppRegistration()
        registration.entitlements = .filtering
        _ = try await test.result {
            $0.registerApp(test.center, with: registration, completion: $1)
        }.get()
        try await test.authorize()
        let serving = try await test.serve()
        try await test.push("a")
        let first = try await answer(try await serving.question(), through: serving) { _ in }
        #expect(first == .filtered)
        try await test.push("b", isAlertType: false)
        let second = try await answer(try await serving.question(), through: serving) { _ in }
        #expect(second == .ignoredNoText)
        #expect(try await test.told() == ["a filtered", "b: ignoredNoText"])
        try audit()
    }

    @Test("NSE-10: The pushes of a center come in order, those of others beside them")
    func order() async throws {
        try await test.authorize()
        let other = try CenterName(app: test.center.app, device: "other")
        try await test.authorize(for: other)
        let serving = try await test.serve()
        for name in ["a", "b"] { try await test.push(name) }
        try await test.push("c", to: other)
        let (first, third) = (try await serving.question(), try await serving.question())
        #expect(first.question == .service(try .titled("a")))
        #expect(third.question == .service(try .titled("c")))
        #expect(third.center == other)
        #expect(serving.waitingCount == 0)
        _ = try await answer(first, through: serving) { $0.title = "A" }
        let second = try await serving.question()
        #expect(second.question == .service(try .titled("b")))
        _ = try await answer(second, through: serving) { $0.title = "B" }
        _ = try await answer(third, through: serving) { $0.title = "C" }
        #expect(try await test.told() == ["A: modified", "B: modified"])
        #expect(try await test.told(of: other) == ["C: modified"])
        try audit()
    }

    @Test("NSE-6: All that wait for an extension that goes are delivered, whatever their number")
    func goes() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        let names = (0..<150).map { "\($0)" }
        for name in names { try await test.push(name) }
        #expect(try arriving() == 150)
        _ = try await serving.question()
        serving.end()
        await test.settle()
        await test.settle()
        #expect(try await test.told() == names.map { "\($0): fallback" })
        #expect(try arriving() == 0)
        try audit()
    }

    @Test("NSE-6, W-16: A call that was cut keeps its place for 5 s, for the next one to go on")
    func cut() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        try await test.push("a")
        let question = try await serving.question()
        serving.end(isCut: true)
        await test.settle()
        #expect(try await test.told() == [])
        #expect(try await test.push("b") == .arriving)
        let again = try await test.serve()
        let told = try await again.question()
        #expect(told == question)
        _ = try await answer(told, through: again) { $0.title = "A" }
        await #expect(throws: Refusal.extensionNotServing) {
            try await answer(told, through: serving) { $0.title = "A" }
        }
        _ = try await answer(try await again.question(), through: again) { $0.title = "B" }
        #expect(try await test.told() == ["A: modified", "B: modified"])
        try audit()
    }

    @Test("A crash loses nothing: it is asked again, or the original comes at the deadline")
    func restarts() async throws {
        try await test.authorize()
        var serving = try await test.serve()
        for name in ["a", "b"] { try await test.push(name) }
        let question = try await serving.question()
        _ = try await answer(question, through: serving, isBestAttempt: true) { $0.title = "old" }
        try await advance(.seconds(10))
        try test.crash()
        #expect(try arriving() == 2)
        serving = try await test.serve()
        let again = try await serving.question()
        #expect(again == question)
        _ = try await answer(again, through: serving) { $0.title = "A" }
        let second = try await serving.question()
        try test.crash()
        _ = second
        try await advance(.seconds(40))
        #expect(try await test.told() == ["A: modified", "b: fallback"])
        try audit()
    }

    @Test("The first answer counts: the same again is told the same, another has ended")
    func repeats() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        try await test.push("a")
        let question = try await serving.question()
        for _ in 0..<2 {
            #expect(try await answer(question, through: serving) { $0.title = "A" } == .modified)
        }
        await #expect(throws: Refusal.callbackEnded(question.name.number)) {
            try await answer(question, through: serving) { $0.title = "B" }
        }
        #expect(try await test.told() == ["A: modified"])
    }

    @Test("W-12: A newer push of the identifier, or a removal, withdraws the one that is arriving")
    func withdraws() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        try await test.push("a")
        _ = try await serving.question()
        try await test.push("a") { $0.body = "newer" }
        #expect(try await serving.next().ended.map(\.outcome) == [.withdrawn])
        let question = try await serving.question()
        _ = try await answer(question, through: serving) { $0.title = "A" }
        try await test.push("b")
        _ = try await serving.question()
        try await test.removeDelivered(["b"])
        #expect(try await test.told() == ["a notPresented", "A: modified", "b notPresented"])
        #expect(try arriving() == 0)
        try audit()
    }

    @Test("§8: The app in front is asked after the extension, about the changed content")
    func inFront() async throws {
        try await test.authorize()
        let app = try test.subscribe(
            as: DelegateRole(capabilities: .willPresent),
            .foreground,
            named: "front"
        )
        let serving = try await test.serve()
        try await test.push("a")
        _ = try await answer(try await serving.question(), through: serving) { $0.title = "A" }
        let callback = try #require(try await app.callbacks(1).first)
        guard case .willPresent(let shown) = callback.question else { throw NotFound() }
        #expect(shown.request.content.title == "A")
        _ = try await test.complete([callback.number], with: .present([.list]), through: app)
        #expect(try await test.told() == ["A: modified"])
        try audit()
    }

    @Test("NSE-9, ATT-7: It attaches files, which are held, and let go with what it gave up")
    func attaches() async throws {
        try await test.authorize()
        let files = TestAttachments(test: test)
        var names: [String] = []
        for number in 0..<2 {
            names.append(try await files.put(SampleFiles.png([UInt8(number)])).identifier)
        }
        func isHeld(_ name: String) throws -> Bool {
            try test.store.attachment(name, of: test.center.app).unreferencedUntil == nil
        }
        let serving = try await test.serve()
        try await test.push("a")
        let question = try await serving.question()
        for (index, name) in names.enumerated() {
            _ = try await answer(question, through: serving, isBestAttempt: index == 0) {
                $0.title = "A"
                $0.attachments = [NotificationAttachment(identifier: "p", file: name)]
            }
            #expect(try isHeld(name))
        }
        // A file that no notification holds any more is gone.
        #expect(throws: Refusal.self) { _ = try isHeld(names[0]) }
        let listed = try #require(try await test.delivered().first)
        #expect(listed.request.content.attachments.map(\.file) == [names[1]])
        await #expect(throws: Refusal.self) {
            try await test.push("b")
            let question = try await serving.question()
            _ = try await answer(question, through: serving) {
                $0.title = "B"
                $0.attachments = [NotificationAttachment(identifier: "p", file: "x")]
            }
        }
        #expect(try arriving() == 1)
        try audit()
    }

    @Test("An app that is unregistered takes its arriving pushes with it")
    func unregistered() async throws {
        try await test.authorize()
        _ = try await test.serve()
        for name in ["a", "b"] { try await test.push(name) }
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        try audit()
    }

    @Test("FD-5: Beyond the limit of arriving occurrences the original comes at once")
    func limit() async throws {
        try test.reopen { $0.limits.arrivingPerCenter = 2 }
        try await test.authorize()
        _ = try await test.serve()
        for name in ["a", "b"] { #expect(try await test.push(name) == .arriving) }
        guard case .delivered = try await test.push("c") else { throw NotFound() }
        #expect(try await test.told() == ["c: fallback"])
        try audit()
    }
}

private struct NotFound: Error {}
