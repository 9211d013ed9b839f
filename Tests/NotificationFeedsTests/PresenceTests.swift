internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

@Suite("Who answers for an app, and whether it is in front (§9, W-16)")
struct PresenceTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private let asking = DelegateRole(capabilities: .willPresent)

    /// The state of a notification that arrives now.
    private func arrival(
        _ change: (inout NotificationContent) -> Void = { _ in }
    ) async throws
        -> Event.Kind?
    {
        let before = try test.state().lastEvent
        let reply = try await test.add(.titled("a", change))
        if reply.state == .arriving {
            try await test.removeDelivered(["a"])
            return nil
        }
        return try await test.events(after: before).first?.kind
    }

    private func presented(_ kind: Event.Kind?) -> PresentationOptions? {
        guard case .delivered(let delivered) = kind else { return nil }
        return delivered.presentation.options
    }

    private func isNotPresented(_ kind: Event.Kind?) -> Bool {
        guard case .suppressed(_, .notPresented, _) = kind else { return false }
        return true
    }

    @Test("FG-3: In front without a delegate, the system presents it")
    func noDelegate() async throws {
        try await test.authorize()
        _ = try test.subscribe(.foreground, named: "app")
        #expect(presented(try await arrival()) == [.banner, .list])
    }

    @Test("FG-3: A delegate without the method is as one that answers with nothing")
    func withoutMethod() async throws {
        try await test.authorize()
        _ = try test.subscribe(
            as: DelegateRole(capabilities: .didReceive),
            .foreground,
            named: "app"
        )
        #expect(isNotPresented(try await arrival()))
    }

    @Test("FG-3: A delegate that wants to be asked is asked")
    func asked() async throws {
        try await test.authorize()
        _ = try test.subscribe(as: asking, .foreground, named: "app")
        #expect(try await arrival() == nil)
    }

    @Test("A standing answer needs no question; that of the content comes first (FG-9)")
    func standing() async throws {
        try await test.authorize()
        let role = DelegateRole(capabilities: .willPresent, standingPresentation: [.list])
        _ = try test.subscribe(as: role, .foreground, named: "app")
        #expect(presented(try await arrival()) == [.list])
        let own = try await arrival { $0.foregroundPresentation = [.banner] }
        #expect(presented(own) == [.banner])
        let none = try await arrival { $0.foregroundPresentation = PresentationOptions() }
        #expect(isNotPresented(none))
    }

    @Test(
        "FG-1: Nobody is asked who is not in front",
        arguments: [AppState.background, .suspended]
    )
    func notInFront(state: AppState) async throws {
        try await test.authorize()
        _ = try test.subscribe(as: asking, state, named: "app")
        #expect(presented(try await arrival()) == [.banner, .list])
    }

    @Test("The highest state that live subscriptions declare holds")
    func highest() async throws {
        try await test.authorize()
        let delegate = try test.subscribe(as: asking, .background, named: "delegate")
        let scene = try test.subscribe(.foreground, named: "scene")
        #expect(try await arrival() == nil)
        scene.cancel()
        #expect(presented(try await arrival()) != nil)
        let state = try test.feeds.updateAppState(
            .foreground,
            of: test.center,
            through: delegate.feed.identifier
        )
        #expect(state == .foreground)
        #expect(try await arrival() == nil)
        #expect(
            try test.feeds.updateAppState(.suspended, of: test.center, through: "delegate")
                == .suspended
        )
        #expect(presented(try await arrival()) != nil)
    }

    @Test("A state that nobody declares is refused")
    func unknown() async throws {
        try await test.authorize()
        let gone = try test.subscribe(named: "gone")
        gone.cancel()
        for name in ["gone", "never", ""] {
            #expect(throws: Refusal.subscriptionUnknown) {
                _ = try test.feeds.updateAppState(.foreground, of: test.center, through: name)
            }
        }
        #expect(throws: Refusal.notRegistered(.local("org.example.none"))) {
            _ = try test.feeds.updateAppState(
                .foreground,
                of: .local("org.example.none"),
                through: "gone"
            )
        }
    }

    @Test("D-14: An app that let a deadline pass is asked again once it says what it does")
    func asksAgain() async throws {
        try await test.authorize()
        _ = try test.subscribe(as: asking, .foreground, named: "delegate")
        try await test.add(.titled("b"))
        try await test.advance(by: .seconds(5), passesCallbacks: true)
        #expect(presented(try await arrival()) != nil)
        _ = try test.feeds.updateAppState(.foreground, of: test.center, through: "delegate")
        #expect(try await arrival() == nil)
    }

    @Test("D-14: Another subscription is a call too")
    func asksAgainAfterAttach() async throws {
        try await test.authorize()
        let first = try test.subscribe(as: asking, .foreground, named: "first")
        try await test.add(.titled("b"))
        try await test.advance(by: .seconds(5), passesCallbacks: true)
        #expect(presented(try await arrival()) != nil)
        first.cancel()
        _ = try test.subscribe(as: asking, .foreground, named: "second")
        #expect(try await arrival() == nil)
    }

    @Test("D-27: A subscription that only looks on is a call of the app")
    func observerIsACall() async throws {
        try await test.authorize()
        _ = try test.subscribe(as: asking, .foreground, named: "app")
        try await test.add(.titled("b"))
        try await test.advance(by: .seconds(5), passesCallbacks: true)
        _ = try await test.events()
        #expect(try await arrival() == nil)
    }

    @Test("FG-4: It is asked about what it may not show, and the answer shows nothing more")
    func settingsStillCut() async throws {
        try await test.authorize([.badge])
        let app = try test.subscribe(as: asking, .foreground, named: "app")
        #expect(try await test.add(.titled("a")).state == .arriving)
        let callback = try #require(try await app.callbacks(1).first)
        try await test.complete(
            [callback.number],
            with: .present([.banner, .sound, .list]),
            through: app
        )
        let options = presented(try await test.events().last?.kind)
        #expect(options?.isDisjoint(with: [.banner, .sound]) == true)
    }
}
