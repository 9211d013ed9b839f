internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Pushes about which no service extension is asked (§18)", .timeLimit(.minutes(5)))
struct UnservedPushTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private func audit() throws {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    /// Registers the app with a service extension.
    private func register() async throws {
        var registration = AppRegistration()
        let name = "\(test.center.app).service"
        registration.extensions = [AppExtension(identifier: name, kind: .service)]
        _ = try await test.result {
            $0.registerApp(test.center, with: registration, completion: $1)
        }.get()
    }

    @Test("NSE-12: An app without a service extension misses none, one that is registered it does")
    func noExtension() async throws {
        try await test.authorize()
        let serving = try await test.serve()
        serving.end()
        await test.settle()
        guard case .delivered = try await test.push("a") else { throw NotFound() }
        try await register()
        guard case .delivered = try await test.push("b") else { throw NotFound() }
        #expect(try await test.told() == ["a: not asked", "b: fallback"])
        try audit()
    }

    @Test("NSE-11: Where none serves, or nobody is asked, the original is delivered at once")
    func fallback() async throws {
        try await register()
        try await test.authorize()
        guard case .delivered = try await test.push("a") else { throw NotFound() }
        let serving = try await test.serve()
        guard case .delivered = try await test.push("b", isMutable: false) else { throw NotFound() }
        let silent = try await test.push("c") {
            $0.title = ""
            $0.sound = Sound()
        }
        guard case .delivered = silent else { throw NotFound() }
        #expect(try await test.told() == ["a: fallback", "b: not asked", ": not asked"])
        #expect(serving.waitingCount == 0)
        try audit()
    }

    @Test("NSE-10, B-1: A push that comes for one that waited is decided after those behind it")
    func replacesFirst() async throws {
        try await test.authorize([.alert, .badge])
        _ = try await test.serve()
        try await test.push("a") { $0.badge = 2 }
        try await test.push("b") { $0.badge = 2 }
        // After a crash nobody serves: "b" is delivered when the older "a" is withdrawn.
        try test.crash()
        try await test.push("a") { $0.badge = 0 }
        let badges = try await test.events().compactMap { event in
            if case .badgeChanged(let badge) = event.kind { badge } else { nil }
        }
        #expect(badges == [2, 0])
        #expect(try test.state().badge == 0)
        try audit()
    }

    /// The list is removed in slices of 256 identifiers: "b" is in the first one or behind it.
    @Test("RemoveAllDelivered removes a push that its own removals deliver", arguments: [0, 300])
    func removesWhatItLetsThrough(between count: Int) async throws {
        try await test.authorize()
        try await test.addAll(try (0..<count).map { try .titled("a\($0)") })
        _ = try await test.serve()
        try await test.push("a")
        try await test.push("b")
        // After the crash nobody serves, so "b" is delivered when "a" is withdrawn.
        try test.crash()
        let removed = try await test.result {
            $0.removeAllDelivered(from: test.center, completion: $1)
        }.get()
        #expect(removed == count + 2)
        #expect(try await test.delivered().isEmpty)
        try audit()
    }
}

private struct NotFound: Error {}
