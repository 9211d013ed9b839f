internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Pushes to one device (§20, §21)", .timeLimit(.minutes(2)))
struct PushTests {
    private let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func push(
        _ payload: String,
        as identifier: PushIdentifier = .random(),
        _ change: (inout PushHeaders) -> Void = { _ in }
    ) async throws -> PushReply {
        var headers = PushHeaders()
        change(&headers)
        let push = try Push(headers, payload: payload, at: .newYear)
        return try await test.result {
            $0.push(push, to: .center(test.center), as: identifier, completion: $1)
        }.get()
    }

    private static let alert = #"{"aps":{"alert":"B"}}"#
    private static let silent = #"{"aps":{"content-available":1}}"#

    @Test("A push and what waits of it survive a crash, and a retry acts once after it")
    func crash() async throws {
        try await test.authorize()
        let name = try #require(PushIdentifier(text: "00000000-0000-4000-8000-000000000001"))
        let first = try await push(Self.alert, as: name)
        #expect(first.outcome == .delivered)
        #expect(try await push(Self.silent).outcome == .stored)
        try test.crash()
        #expect(try await push(Self.alert, as: name) == first)
        #expect(try test.state().deliveredCount == 1)
        #expect(try test.state().lastDelivery == 1)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        let waiting = try StoreFile.read(file: test.directory.path + "/data.mdb") { file in
            try file.rows(of: .backgroundPushes).count
        }
        #expect(waiting == 1)
    }

    @Test("What providers named is forgotten after a day, or when it is too much")
    func receipts() async throws {
        try test.reopen { $0.limits.pushReceipts = 2 }
        try await test.authorize()
        let names = (1...4).compactMap {
            PushIdentifier(text: "00000000-0000-4000-8000-00000000000\($0)")
        }
        for name in names { _ = try await push(Self.alert, as: name) }
        #expect(try test.state().lastDelivery == 4)
        // Known pushes are not delivered again.
        for name in names.reversed() { _ = try await push(Self.alert, as: name) }
        #expect(try test.state().lastDelivery == 6)
        try await test.advance(by: .seconds(25 * 3_600))
        // Each push forgets receipts that are too old.
        _ = try await push(Self.alert, as: names[2])
        _ = try await push(Self.alert, as: names[0])
        #expect(try test.state().lastDelivery == 8)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A retry acts once for a day of elapsed time, however the clock is set")
    func receiptsBesideTheClock() async throws {
        try await test.authorize()
        let names = (1...2).compactMap {
            PushIdentifier(text: "00000000-0000-4000-8000-00000000000\($0)")
        }
        _ = try await push(Self.alert, as: names[0])
        try await test.setClock(to: .newYear + .seconds(2 * 24 * 3_600))
        for name in [names[1], names[0]] { _ = try await push(Self.alert, as: name) }
        #expect(try test.state().lastDelivery == 2)
    }

    @Test(
        "DT-4: What came before the clock was set waits its time, and is offered",
        arguments: [
            nil, .newYear + .seconds(3_600), .newYear + .seconds(-3_600),
        ] as [WallInstant?]
    )
    func beforeTheClockIsSet(expiration: WallInstant?) async throws {
        let test = try TestStore { $0.clock = .manual(start: WallInstant(nanoseconds: 0)) }
        try await test.authorize()
        var headers = PushHeaders()
        headers.expiration = expiration
        let push = try Push(headers, payload: Self.silent, at: test.store.clock.now().wall)
        let reply = try await test.result {
            $0.push(push, to: .center(test.center), as: .random(), completion: $1)
        }.get()
        #expect(reply.outcome == .stored)
        try await test.setClock(to: .newYear)
        let app = try test.subscribe(as: DelegateRole(capabilities: .backgroundPush), .background)
        defer { app.cancel() }
        if expiration.map({ $0 < .newYear }) ?? false {
            _ = try await app.messagesUntilCaughtUp()
            try await test.advance(by: .seconds(1))
            guard case .backgroundPush(let ended)? = try await test.events().last?.kind else {
                Issue.record("it did not end")
                return
            }
            #expect(ended.end == .expired)
        } else {
            #expect(try await app.callbacks(1).count == 1)
        }
    }

    @Test("A push without a date waits for 30 days of elapsed time, however the clock is set")
    func daysBesideTheClock() async throws {
        try await test.authorize()
        _ = try await push(Self.silent)
        try await test.setClock(to: .newYear + .seconds(40 * 24 * 3_600))
        let app = try test.subscribe(as: DelegateRole(capabilities: .backgroundPush), .background)
        defer { app.cancel() }
        #expect(try await app.callbacks(1).count == 1)
    }

    @Test("What has expired leaves a full queue before what has not")
    func expiredFirst() async throws {
        try await test.authorize()
        _ = try await push(Self.silent)
        for _ in 1..<Limits.backgroundPushes {
            _ = try await push(Self.silent) { $0.expiration = .newYear + .seconds(60) }
        }
        try await test.advance(by: .seconds(61))
        _ = try await push(Self.silent)
        var ends: [BackgroundPushEnd] = []
        for event in try await test.events() {
            if case .backgroundPush(let push) = event.kind { ends.append(push.end) }
        }
        #expect(ends.count == Limits.backgroundPushes - 1)
        #expect(ends.allSatisfy { $0 == .expired })
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("The topic of another app is what is wrong where no token is named")
    func topic() async throws {
        try await test.authorize()
        await #expect(throws: Refusal.topicOfOtherApp) {
            try await push(Self.alert) { $0.topic = "org.example.other" }
        }
    }

    @Test("A pending request of the same identifier stays, and fires in its turn")
    func pendingStays() async throws {
        try await test.authorize()
        try await test.add(.titled("c", in: .seconds(60)))
        _ = try await push(Self.alert) { $0.collapseIdentifier = "c" }
        #expect(try test.state().pendingCount == 1)
        try await test.advance(by: .seconds(60))
        #expect(try test.state().deliveredCount == 1)
        #expect(try test.state().lastDelivery == 2)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("An unregistered app leaves nothing of its pushes that breaks a rule")
    func departure() async throws {
        try await test.authorize()
        _ = try await push(Self.alert)
        for _ in 0..<3 { _ = try await push(Self.silent) }
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
