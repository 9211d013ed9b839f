internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Many callers at once")
struct ConcurrencyTests {
    private static let callers = 6
    private static let rounds = 40

    @Test("Each is answered for itself, and subscribers see every event in its order")
    func callers() async throws {
        let test = try TestStore { options in
            options.clock = .system
            options.limits.rowsPerBatch = 16
            options.limits.rowsPerRead = 8
            options.limits.eventsPerMessage = 8
            options.limits.deliveredPerCenter = 10_000
        }
        try await test.authorize()
        let subscribers = [try test.subscribe(after: 0), try test.subscribe(after: 1)]
        // Each round records a delivery now, a removal, and a delivery that comes due.
        let eventCount = 1 + Self.callers * Self.rounds * 3
        async let first = subscribers[0].events(eventCount)
        async let second = subscribers[1].events(eventCount - 1)
        try await withThrowingTaskGroup { group in
            for caller in 0..<Self.callers {
                group.addTask { try await Self.call(test, as: caller) }
            }
            try await group.waitForAll()
        }
        let told = [try await first, try await second]
        #expect(told[0].map(\.number) == Array(1...EventNumber(eventCount)))
        #expect(told[1] == Array(told[0].dropFirst()))
        let delivered = try await test.delivered().map(\.request.identifier)
        #expect(delivered.count == Self.callers * Self.rounds * 2)
        #expect(Set(delivered).count == delivered.count)
        #expect(try await test.pending().isEmpty)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    private static func call(_ test: TestStore, as caller: Int) async throws {
        for round in 0..<rounds {
            let name = "\(caller) \(round)"
            let reply = try await test.add(.titled("now \(name)"))
            #expect(reply.identifier == "now \(name)")
            try await test.add(.titled("later \(name)", in: .seconds(3_600)))
            // A call sees the changes that were answered before it.
            let pending = try await test.pending { $0.identifiers = ["later \(name)"] }
            #expect(pending.map(\.request.identifier) == ["later \(name)"])
            #expect(try await test.removePending(["later \(name)"]) == ["later \(name)"])
            try await test.add(.titled("soon \(name)", in: .microseconds(100)))
            _ = try test.state()
            _ = try test.store.usage()
            _ = test.store.counts
        }
    }
}
