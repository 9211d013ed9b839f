internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@Suite("Clocks that are set and time away (W-19, TM-2)")
struct SetClockTests {
    private static let day = Duration.seconds(24 * 3600)

    @Test("A set of the wall clock moves no interval", arguments: [-1, 1, -400, 400])
    func intervals(days: Int) async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.add(.titled("a", in: .seconds(60)))
        let set = WallInstant.newYear + Self.day * days
        let now = try await store.setClock(to: set)
        #expect(now.wall == set && now.elapsed.nanoseconds == 0)
        #expect(try await store.pending().map(\.nextFire) == [set + .seconds(60)])
        try await store.advance(by: .seconds(59))
        #expect(try await store.delivered().isEmpty)
        try await store.advance(by: .seconds(1))
        #expect(try await store.delivered().map(\.date) == [set + .seconds(60)])
        #expect(try await store.delivered().map(\.delivery) == [1])
    }

    @Test("A set backward fires nothing again, also after a restart")
    func backward() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.add(.titled("a", in: .seconds(60), repeats: true))
        try await store.advance(by: .seconds(60))
        try await store.setClock(to: .newYear)
        try store.reopen()
        #expect(store.store.clock.now().wall == .newYear)
        try await store.advance(by: .seconds(59))
        #expect(store.store.counts.fired == 0)
        try await store.advance(by: .seconds(1))
        #expect(store.store.counts.fired == 1)
        #expect(try await store.delivered().map(\.date) == [.newYear + .seconds(60)])
    }

    @Test(
        "An instant that no clock shows is refused",
        arguments: [-1, Int64.min, Int64.max, 6_100_000_000_000_000_000] as [Int64]
    )
    func refused(nanoseconds: Int64) async throws {
        let store = try TestStore()
        let refusal = await #expect(throws: Refusal.self) {
            try await store.setClock(to: WallInstant(nanoseconds: nanoseconds))
        }
        #expect(refusal?.reason == .clockTargetInvalid)
        #expect(store.store.clock.now().wall == .newYear)
    }

    @Test("After time away what became due fires late, and repeats fire once")
    func away() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.add(.titled("once", in: .seconds(60)))
        try await store.add(.titled("again", in: .seconds(100), repeats: true))
        let advance = try await store.suspend(by: .seconds(1_000))
        #expect(advance.firedCount == 2)
        #expect(advance.now.wall == .newYear + .seconds(1_000))
        let delivered = try await store.events().compactMap { event -> Event.Delivered? in
            if case .delivered(let delivered) = event.kind { delivered } else { nil }
        }
        #expect(delivered.map(\.lateByNanoseconds) == [940_000_000_000, 0])
        #expect(delivered.map(\.collapsedCount) == [0, 9])
        #expect(Set(delivered.map(\.notification.date)) == [.newYear + .seconds(1_000)])
        // It goes on in its own grid.
        #expect(try await store.pending().map(\.nextFire) == [.newYear + .seconds(1_100)])
    }

    @Test("What was due more than a day before is missed")
    func missed() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.add(.titled("a", in: .seconds(60)))
        try await store.suspend(by: Self.day + .seconds(61))
        guard case .missed = try await store.events().last?.kind else {
            Issue.record("it was not missed")
            return
        }
        #expect(store.store.counts.missed == 1)
    }

    @Test("A long time away with much that is due goes in steps")
    func steps() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.addAll((0..<600).map { try .titled("\($0)", in: .seconds(60)) })
        #expect(try await store.suspend(by: .seconds(120)).firedCount == 600)
        #expect(store.store.counts.lateness.maximumNanoseconds == 60_000_000_000)
    }

    @Test("The system clock is not moved")
    func systemClock() async throws {
        let store = try TestStore { $0.clock = .system }
        for refusal in [
            await #expect(throws: Refusal.self) { try await store.setClock(to: .newYear) },
            await #expect(throws: Refusal.self) { try await store.suspend(by: .seconds(1)) },
        ] {
            #expect(refusal?.reason == .clockNotManual)
        }
    }
}
