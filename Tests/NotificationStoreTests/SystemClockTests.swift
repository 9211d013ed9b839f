internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Design.md P3: nothing fires early; how late it fires is measured elsewhere, never asserted here.
@Suite("The system clock")
struct SystemClockTests {
    let test: TestStore

    init() throws {
        test = try TestStore { $0.clock = .system }
    }

    @Test("An interval fires by itself, never early, and tells by how much it was late")
    func fires() async throws {
        try await test.authorize()
        let subscription = try test.subscribe()
        _ = try await subscription.next()
        var due: [String: ElapsedInstant] = [:]
        let intervals = [("a", 50), ("b", 20), ("c", 35), ("d", 1)]
        for (identifier, milliseconds) in intervals {
            let before = test.store.clock.now().elapsed
            try await test.add(.titled(identifier, in: .milliseconds(milliseconds)))
            due[identifier] = before.advanced(
                byNanoseconds: Duration.milliseconds(milliseconds).nanoseconds
            )
        }
        for event in try await subscription.events(4) {
            let told = test.store.clock.now().elapsed
            guard case .delivered(let delivered) = event.kind else {
                Issue.record("told of something else: \(event)")
                continue
            }
            let identifier = delivered.notification.request.identifier
            let earliest = try #require(due[identifier])
            #expect(told >= earliest.advanced(byNanoseconds: delivered.lateByNanoseconds))
            #expect(delivered.lateByNanoseconds >= 0)
        }
        #expect(try test.state().pendingCount == 0)
        #expect(test.store.counts.lateness.count == 4)
    }

    @Test("Many that are due at about the same time all fire, each once")
    func many() async throws {
        try await test.authorize()
        try test.reopen { $0.limits.rowsPerBatch = 32 }
        let subscription = try test.subscribe()
        for slice in 0..<10 {
            try await test.addAll(
                (0..<50).map { try .titled("\(slice) \($0)", in: .microseconds(1 + $0 * 500)) }
            )
        }
        var identifiers: [String] = []
        for event in try await subscription.events(500) {
            guard case .delivered(let delivered) = event.kind else { continue }
            identifiers.append(delivered.notification.request.identifier)
        }
        #expect(Set(identifiers).count == 500)
        #expect(identifiers.count == 500)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A request that gives way or is removed before it is due does not fire")
    func withdrawn() async throws {
        try await test.authorize()
        let subscription = try test.subscribe()
        _ = try await subscription.next()
        try await test.add(.titled("a", in: .seconds(3_600)))
        // The writer waits for an hour; these come before it.
        try await test.add(.titled("b", in: .milliseconds(40)))
        try await test.add(.titled("c", in: .milliseconds(10)))
        try await test.removePending(["b"])
        try await test.add(.titled("d", in: .milliseconds(60)))
        var told: [String] = []
        while told.last != "d" {
            for event in try await subscription.next().events {
                switch event.kind {
                case .delivered(let delivered):
                    told.append(delivered.notification.request.identifier)
                case .removed(let removed): told.append("removed \(removed.identifier)")
                default: told.append("other")
                }
            }
        }
        // On a slow machine c may come before b is removed, and b may even fire first.
        #expect(told.filter { $0.hasSuffix("b") }.count == 1)
        #expect(Set(told).subtracting(["b", "removed b"]) == ["c", "d"])
        #expect(try await test.pending().map(\.request.identifier) == ["a"])
    }

    @Test("The clock does not go back, and its wall clock is the machine's")
    func monotonic() {
        var last = test.store.clock.now()
        for _ in 0..<10_000 {
            let now = test.store.clock.now()
            #expect(now.elapsed >= last.elapsed)
            last = now
        }
        let before = SystemTime.now().wallNanoseconds
        let wall = test.store.clock.now().wall.nanoseconds
        // Real time: one was read before, and one is read later.
        #expect(wall >= before)
        #expect(wall <= SystemTime.now().wallNanoseconds)
    }
}
