internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// A store under either profile.
@Suite("Profiles (D-22)")
struct ProfileTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private func start(_ profile: Profile) async throws {
        try test.reopen { $0.profile = profile }
        try await test.authorize()
    }

    private func delivered() async throws -> [String] {
        try await test.delivered().map(\.request.identifier).sorted()
    }

    @Test(
        "B-5, D-17: A badge of 0 clears the delivered list on Apple's system alone",
        arguments: [(Profile.server, ["a", "b", "c"]), (.ios, ["c"])]
    )
    func badgeByDelivery(profile: Profile, left: [String]) async throws {
        try await start(profile)
        for identifier in ["a", "b"] { try await test.add(.titled(identifier)) }
        try await test.add(.titled("c") { $0.badge = 0 })
        #expect(try await delivered() == left)
        #expect(try test.state().deliveredCount == left.count)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test(
        "B-5, D-17: So does an app that sets it, also where it was 0",
        arguments: [(Profile.server, ["a", "b"]), (.ios, [])]
    )
    func badgeByApp(profile: Profile, left: [String]) async throws {
        try await start(profile)
        for identifier in ["a", "b"] { try await test.add(.titled(identifier)) }
        try await test.setBadge(1)
        #expect(try await delivered() == ["a", "b"])
        try await test.setBadge(0)
        #expect(try await delivered() == left)
        try await test.add(.titled("d"))
        try await test.setBadge(0)
        #expect(try await delivered() == (left.isEmpty ? [] : left + ["d"]))
    }

    @Test(
        "D-14: Who does not answer in time has it listed, or not presented, and is asked again",
        arguments: [(Profile.server, ["a", "b"], 0), (.ios, [], 1)]
    )
    func deadline(profile: Profile, left: [String], asked: Int) async throws {
        try await start(profile)
        let app = try test.subscribe(
            as: DelegateRole(capabilities: .willPresent),
            .foreground,
            named: "app"
        )
        _ = try await app.next()
        try await test.add(.titled("a"))
        try await test.advance(by: .seconds(5), passesCallbacks: true)
        try await test.add(.titled("b"))
        #expect(try test.state().arrivingCount == asked)
        try await test.advance(by: .seconds(5), passesCallbacks: true)
        #expect(try await delivered() == left)
    }

    @Test(
        "D-7, D-12: A summary counts with words, or only counts; formats stay in texts, or go",
        arguments: [
            (Profile.server, "1 message from Alice", "50% off"),
            (.ios, "1 more notification", "50ff"),
        ]
    )
    func rendering(profile: Profile, summary: String, body: String) async throws {
        try await start(profile)
        var category = NotificationCategory(identifier: "message")
        category.summaryFormat = "%u message from %@"
        _ = try await test.result {
            $0.setCategories([category], of: test.center, completion: $1)
        }.get()
        for identifier in ["a", "b"] {
            try await test.add(
                .titled(identifier) {
                    $0.body = "50% off"
                    $0.categoryIdentifier = "message"
                    $0.summaryArgument = "Alice"
                }
            )
        }
        let page = try await test.shown(DeviceListQuery(device: "local"))
        #expect(page.groups.map(\.summary) == [summary])
        #expect(page.groups.flatMap(\.notifications).map(\.rendered.body) == [body, body])
    }
}
