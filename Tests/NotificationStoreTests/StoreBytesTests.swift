internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("How much the apps of a caller may keep in the store (W-11)", .timeLimit(.minutes(2)))
struct StoreBytesTests {
    private static let caller = Registrant(.token, "tea")
    /// The bytes that one pending request of these tests takes.
    private static let size = 256 + 1 + 1_000

    private let test: TestStore
    /// The bytes that the events of a registered app take.
    private let base: Int
    /// The bytes that the two apps of the caller may take: those that they take as they are, and
    /// three requests.
    private var limit: Int { 2 * base + 3 * Self.size }

    init() async throws {
        test = try TestStore()
        for app in ["a", "b"] { try await test.authorize(for: .local(app), by: Self.caller) }
        try await test.authorize(for: .local("free"))
        base = try test.state(of: .local("a")).storeBytes
        let limit = 2 * base + 3 * Self.size
        try test.reopen { $0.limits.storeBytesPerCaller = limit }
    }

    private func request(
        _ identifier: String,
        bytes count: Int = 1_000,
        in interval: Duration? = .seconds(60)
    ) throws -> NotificationRequest {
        var request = try NotificationRequest.titled(identifier, in: interval) { $0.title = "" }
        request.content.title = String(repeating: "x", count: count - request.byteCount)
        return request
    }

    /// Adds a request, and gives why it is refused.
    private func refusal(
        of identifier: String,
        to app: String,
        bytes count: Int = 1_000,
        in interval: Duration? = .seconds(60)
    ) async throws -> Refusal? {
        let request = try request(identifier, bytes: count, in: interval)
        do {
            _ = try await test.add(request, to: .local(app))
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }

    /// The bytes that are counted for the caller; nil where it has no row.
    private func counted(for caller: Registrant = Self.caller) throws -> Int? {
        try test.store.environment.reading { transaction throws(StoreFailure) in
            let key = NameKey(caller.name)
            return try transaction.rowIfAny(key, in: test.store.tables.registrants)?.storeBytes
        }
    }

    private func check() throws {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("What does not fit is refused, also after a restart, and others go on")
    func limit() async throws {
        for (app, identifier) in [("a", "1"), ("b", "1"), ("b", "2")] {
            #expect(try await refusal(of: identifier, to: app) == nil)
        }
        for _ in 0..<2 {
            #expect(try counted() == limit)
            for interval in [nil, .seconds(60)] as [Duration?] {
                let refused = try #require(
                    try await refusal(of: "3", to: "a", bytes: 1, in: interval)
                )
                #expect(refused.kind == .resourceExhausted)
                #expect(refused.reason == .storeBytesLimit)
                #expect(refused.facts == [.limit: "\(limit)", .callerKind: "token"])
                #expect(refused.retryAfterNanoseconds == nil)
            }
            #expect(try test.state(of: .local("a")).pendingCount == 1)
            try test.reopen()
        }
        for identifier in ["1", "2", "3", "4"] {
            #expect(try await refusal(of: identifier, to: "free") == nil)
        }
        #expect(try test.state(of: .local("free")).countedBytes == 0)
        try check()
    }

    @Test("The requests of one batch cannot pass the limit together, and neither can two apps")
    func together() async throws {
        let requests = try (1...5).map { try request("\($0)") }
        let results = try await test.addBatch(requests.map { .success($0) }, to: .local("a"))
        let refused = results.map { result -> Reason? in
            if case .failure(let refusal) = result { refusal.reason } else { nil }
        }
        #expect(refused == [nil, nil, nil, .storeBytesLimit, .storeBytesLimit])
        // The commands of one batch of the writer.
        _ = try await test.result { $0.removeAllPending(from: .local("a"), completion: $1) }.get()
        // Less than three, as each removal is an event.
        let room = (limit - (try counted() ?? 0)) / Self.size
        #expect(room > 0)
        let pending = (0..<6).map { _ in Pending<AddReply>() }
        try await test.whileWriterRests {
            for (index, reply) in pending.enumerated() {
                let center = CenterName.local(index.isMultiple(of: 2) ? "a" : "b")
                let request = try request("\(index)")
                test.store.add(request, to: center, completion: reply.complete)
            }
        }
        var count = 0
        for reply in pending {
            if case .success = await reply.value { count += 1 }
        }
        #expect(count == room)
        try check()
    }

    @Test("A request may take the place of one that is as large")
    func replacing() async throws {
        for identifier in ["1", "2", "3"] {
            #expect(try await refusal(of: identifier, to: "a") == nil)
        }
        #expect(try await refusal(of: "2", to: "a") == nil)
        #expect(try await refusal(of: "2", to: "a", bytes: 1_001)?.reason == .storeBytesLimit)
        #expect(try counted() == limit)
        #expect(try await refusal(of: "2", to: "a", bytes: 900) == nil)
        #expect(try counted() == limit - 100)
        try check()
    }

    @Test("What fires counts as an event until the event is trimmed")
    func firing() async throws {
        for identifier in ["1", "2", "3"] {
            #expect(try await refusal(of: identifier, to: "a") == nil)
        }
        // A firing is never refused.
        try await test.advance(by: .seconds(60))
        let state = try test.state(of: .local("a"))
        #expect(state.pendingCount == 0)
        #expect(state.pendingBytes == 0)
        #expect(state.eventBytes > 3_000)
        #expect(try counted() == state.storeBytes + base)
        #expect(try await refusal(of: "4", to: "b")?.reason == .storeBytesLimit)
        try await test.advance(by: .seconds(8 * 24 * 3_600))
        // The notifications left the list meanwhile, which are small events.
        let rest = try test.state(of: .local("a")).storeBytes
        #expect(rest < 2 * Self.size)
        #expect(try counted() == rest + (try test.state(of: .local("b")).storeBytes))
        #expect(try await refusal(of: "4", to: "b") == nil)
        try check()
    }

    @Test("What the person changes again and again takes no room of the app's caller")
    func person() async throws {
        let center = CenterName.local("a")
        let before = try #require(try counted())
        for number in 0..<200 {
            var change = SettingsChange()
            change.badge = !number.isMultiple(of: 2)
            _ = try await test.result { [change] in
                $0.updateSettings(change, of: center, completion: $1)
            }
            .get()
        }
        #expect(try test.state(of: center).eventBytes > 199 * 64)
        #expect(try counted() == before)
        for identifier in ["1", "2", "3"] {
            #expect(try await refusal(of: identifier, to: "a") == nil)
        }
        // Their events are trimmed as others are.
        try await test.advance(by: .seconds(8 * 24 * 3_600))
        #expect(try test.state(of: center).settingsBytes == 0)
        try check()
    }

    @Test("A push is refused as a request is")
    func push() async throws {
        let push = try Push(PushHeaders(), payload: #"{"aps":{"alert":"x"}}"#, at: .newYear)
        func outcome() async -> Result<PushReply, Refusal> {
            await test.result {
                $0.push(push, to: .center(.local("a")), as: .random(), completion: $1)
            }
        }
        _ = try await outcome().get()
        let counted = try #require(try self.counted())
        #expect(counted == (try test.state(of: .local("a")).storeBytes) + base)
        // The rest of the bytes is taken to the last one.
        #expect(try await refusal(of: "1", to: "b", bytes: limit - counted - 257) == nil)
        guard case .failure(let refused) = await outcome() else {
            Issue.record("the push was taken")
            return
        }
        #expect(refused.reason == .storeBytesLimit)
        try check()
    }

    @Test("An app that is unregistered counts no longer")
    func unregistered() async throws {
        for identifier in ["1", "2", "3"] {
            #expect(try await refusal(of: identifier, to: "a") == nil)
        }
        _ = try await test.result { $0.unregisterApp(.local("a"), completion: $1) }.get()
        try test.reopen()
        await test.settle()
        #expect(try counted() == base)
        #expect(try await refusal(of: "1", to: "b") == nil)
        _ = try await test.result { $0.unregisterApp(.local("b"), completion: $1) }.get()
        #expect(try counted() == nil)
        try check()
    }
}
