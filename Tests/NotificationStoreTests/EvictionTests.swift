internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Pending requests that have to go so that others stay (D-2)")
struct EvictionTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func begin(_ policy: PendingLimitPolicy, limit: Int = 2) async throws {
        try await test.authorize()
        try test.reopen { options in
            options.limits.pendingPerCenter = limit
            options.limits.pendingLimitPolicy = policy
        }
    }

    private func evictions() async throws -> [String] {
        try await test.events().compactMap { event in
            guard case .evicted(let identifier, let other) = event.kind else { return nil }
            return "\(identifier) by \(other)"
        }
    }

    @Test("LIM-1: The one that fires last goes, which may be the new one")
    func keepSoonest() async throws {
        try await begin(.keepSoonest)
        try await test.add(.titled("b", in: .seconds(20)))
        try await test.add(.titled("c", in: .seconds(30)))
        let sooner = try await test.add(.titled("a", in: .seconds(10)))
        #expect(sooner.evicted == ["c"])
        #expect(sooner.state == .pending(nextFire: .newYear + .seconds(10)))
        let later = try await test.add(.titled("d", in: .seconds(40)))
        #expect(
            later.withoutNumbers == AddReply(identifier: "d", state: .gone, evicted: ["d"])
        )
        #expect(try await test.pending().map(\.request.identifier).sorted() == ["a", "b"])
        #expect(try test.state().pendingCount == 2)
        #expect(try await evictions() == ["c by a", "d by d"])
        #expect(test.store.counts.evicted == 2)
        // A request that was evicted never fires, and its record is gone.
        #expect(try await test.advance(by: .seconds(100)).firedCount == 2)
    }

    @Test("LIM-2: The one that was added first goes; adding again counts as new")
    func keepLatestAdded() async throws {
        try await begin(.keepLatestAdded)
        try await test.add(.titled("a", in: .seconds(10)))
        try await test.add(.titled("b", in: .seconds(20)))
        try await test.add(.titled("a", in: .seconds(10)))
        #expect(try await test.add(.titled("c", in: .seconds(90))).evicted == ["b"])
        #expect(try await evictions() == ["b by c"])
    }

    @Test("What does not wait evicts nothing, and neither does what takes another's place")
    func others() async throws {
        try await begin(.keepSoonest)
        try await test.add(.titled("a", in: .seconds(10)))
        try await test.add(.titled("b", in: .seconds(20)))
        #expect(try await test.add(.titled("c")).evicted.isEmpty)
        #expect(try await test.add(.titled("b", in: .seconds(90))).evicted.isEmpty)
        #expect(try await evictions().isEmpty)
    }

    @Test("A notification of its identifier that was delivered stays")
    func delivered() async throws {
        try await begin(.keepSoonest, limit: 1)
        try await test.add(.titled("a"))
        try await test.add(.titled("a", in: .seconds(60)))
        #expect(try await test.add(.titled("b", in: .seconds(30))).evicted == ["a"])
        #expect(try await test.delivered().map(\.request.identifier) == ["a"])
    }

    @Test("A lower limit is reached by the next add")
    func lowered() async throws {
        try await test.authorize()
        for seconds in 1...6 { try await test.add(.titled("\(seconds)", in: .seconds(seconds))) }
        try test.reopen { options in
            options.limits.pendingPerCenter = 3
            options.limits.pendingLimitPolicy = .keepSoonest
        }
        let reply = try await test.add(.titled("0", in: .milliseconds(500)))
        #expect(reply.evicted == ["6", "5", "4", "3"])
        #expect(try test.state().pendingCount == 3)
    }

    @Test("A center that has very many is refused more, instead of a choice that takes long")
    func tooMany() async throws {
        try await test.authorize()
        let count = Limits.evictablePending + 1
        for slice in stride(from: 0, to: count, by: 256) {
            let results = try await test.addBatch(
                (slice..<min(slice + 256, count)).map { number in
                    .success(try .titled("\(number)", in: .seconds(60)))
                }
            )
            for result in results { _ = try result.get() }
        }
        try test.reopen { options in
            options.limits.pendingPerCenter = 3
            options.limits.pendingLimitPolicy = .keepSoonest
        }
        await #expect(throws: Refusal.pendingLimit(count)) {
            try await test.add(.titled("new", in: .seconds(60)))
        }
        #expect(try test.state().pendingCount == count)
    }

    @Test("A retry is told again who went")
    func retry() async throws {
        try await begin(.keepSoonest, limit: 1)
        try await test.add(.titled("a", in: .seconds(20)))
        let key = try OnceKey(
            "01890a5d-ac96-774b-bcce-b302099a8057",
            method: "Service/Method",
            request: []
        )
        let request = try NotificationRequest.titled("b", in: .seconds(10))
        for _ in 0..<2 {
            let reply = try await test.result { store, completion in
                store.add(request, to: test.center, once: key, completion: completion)
            }.get()
            #expect(reply.evicted == ["a"])
        }
        #expect(try await evictions() == ["a by b"])
    }
}
