internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Removing (§3.11)")
struct RemoveTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func identifiers(_ count: Int) -> [String] { (0..<count).map { "request \($0)" } }

    /// Makes `count` identifiers that are pending and delivered.
    private func fill(_ count: Int) async throws {
        try await test.authorize()
        try await test.addAll(identifiers(count).map { try .titled($0) })
        try await test.addAll(identifiers(count).map { try .titled($0, in: .seconds(60)) })
    }

    @Test("Pending ones go, unknown ones are ignored, delivered ones stay")
    func pending() async throws {
        try await fill(3)
        let asked = ["request 1", "none", "request 0", "request 1"]
        #expect(try await test.removePending(asked) == ["request 1", "request 0"])
        #expect(try await test.pending().map(\.request.identifier) == ["request 2"])
        #expect(try await test.delivered().count == 3)
        #expect(try await test.removePending(asked).isEmpty)
        #expect(try await test.advance(by: .seconds(60)).firedCount == 1)
    }

    @Test("Delivered ones go, unknown ones are ignored, pending ones stay")
    func delivered() async throws {
        try await fill(3)
        let asked = ["request 1", "none", "request 0", "request 1"]
        #expect(try await test.removeDelivered(asked) == ["request 1", "request 0"])
        #expect(try await test.delivered().map(\.request.identifier) == ["request 2"])
        #expect(try await test.pending().count == 3)
        #expect(try await test.removeDelivered(asked).isEmpty)
    }

    @Test("An empty list removes nothing")
    func emptyList() async throws {
        try await fill(3)
        #expect(try await test.removePending([]).isEmpty)
        #expect(try await test.removeDelivered([]).isEmpty)
        #expect(try test.state().pendingCount == 3)
        #expect(try test.state().deliveredCount == 3)
    }

    @Test("A repeating request that fired is gone for good, and its delivered copy stays")
    func repeating() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(60), repeats: true))
        try await test.advance(by: .seconds(150))
        #expect(try await test.removePending(["a"]) == ["a"])
        #expect(try await test.advance(by: .seconds(1_000)).firedCount == 0)
        #expect(try await test.delivered().map(\.delivery) == [2])
        // Notifications that fired are still told, with their requests.
        let delivered = try await test.events().filter { event in
            if case .delivered = event.kind { true } else { false }
        }
        #expect(delivered.count == 2)
    }

    @Test("Removals are one event each, and only for what was there")
    func events() async throws {
        try await fill(2)
        let before = try test.state().lastEvent
        try await test.removePending(["request 1", "none"])
        try await test.removeDelivered(["request 0", "none"])
        let kinds = try await test.events(after: before).map(\.kind)
        #expect(
            kinds == [
                .removed(.init(reason: .app, identifier: "request 1", delivery: nil)),
                .removed(.init(reason: .app, identifier: "request 0", delivery: 1)),
            ]
        )
    }

    @Test("All go, in slices where they are many", arguments: [0, 1, 255, 256, 257, 600])
    func all(count: Int) async throws {
        try await fill(count)
        try await test.authorize(for: .local("org.zother"))
        try await test.add(.titled("other", in: .seconds(60)), to: .local("org.zother"))
        #expect(try await test.removeAllPending() == count)
        #expect(try await test.pending().isEmpty)
        #expect(try test.state().pendingCount == 0)
        #expect(try await test.delivered().count == count)
        #expect(try await test.removeAllDelivered() == count)
        #expect(try await test.delivered().isEmpty)
        #expect(try test.state().deliveredCount == 0)
        #expect(try test.state(of: .local("org.zother")).pendingCount == 1)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("What is added after the call stays, also before the last slice and by replacement")
    func fence() async throws {
        try await fill(600)
        let removal = Pending<Int>()
        let late = try [
            NotificationRequest.titled("zzz new", in: .seconds(60)),
            .titled("request 99", in: .seconds(60)),
        ]
        await test.whileWriterRests {
            test.store.removeAllPending(from: test.center, completion: removal.complete)
            for request in late { test.store.add(request, to: test.center) { _ in } }
        }
        // One of the 600 gave way to the add before the removal came to it.
        #expect(try await removal.value.get() == 599)
        #expect(try await test.pending().map(\.request) == late.reversed())
    }

    @Test("What is delivered after the call stays")
    func deliveredFence() async throws {
        try await fill(600)
        let removal = Pending<Int>()
        let late = try [NotificationRequest.titled("zzz new"), .titled("request 99")]
        await test.whileWriterRests {
            test.store.removeAllDelivered(from: test.center, completion: removal.complete)
            for request in late { test.store.add(request, to: test.center) { _ in } }
        }
        #expect(try await removal.value.get() == 599)
        #expect(try await test.delivered().map(\.request) == late.reversed())
    }

    @Test("What was added before the call goes, also when both waited together")
    func beforeTheCall() async throws {
        try await fill(1)
        let removal = Pending<Int>()
        let early = try NotificationRequest.titled("early", in: .seconds(60))
        await test.whileWriterRests {
            test.store.add(early, to: test.center) { _ in }
            test.store.removeAllPending(from: test.center, completion: removal.complete)
        }
        #expect(try await removal.value.get() == 2)
        #expect(try await test.pending().isEmpty)
    }

    @Test("Nothing is removed for an app that is not registered")
    func notRegistered() async throws {
        let refusal = Refusal.notRegistered(test.center)
        await #expect(throws: refusal) { try await test.removePending(["a"]) }
        await #expect(throws: refusal) { try await test.removeDelivered(["a"]) }
        await #expect(throws: refusal) { try await test.removeAllPending() }
        await #expect(throws: refusal) { try await test.removeAllDelivered() }
    }
}
