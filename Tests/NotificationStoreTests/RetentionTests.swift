internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Retention (W-14, D-19)")
struct RetentionTests {
    private static let week = Duration.seconds(7 * 24 * 3600)
    private static let day = Duration.seconds(24 * 3600)

    private func expectSound(_ store: TestStore) throws {
        store.close()
        #expect(try StoreAudit.problems(in: store.directory.path) == [])
    }

    private func records(_ store: TestStore) throws -> Int {
        try store.store.usage().records
    }

    @Test("An event goes after seven days, to the nanosecond")
    func eventAge() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.setBadge(1)
        try await store.advance(by: Self.day)
        try await store.setBadge(2)
        try await store.advance(by: Self.week - Self.day - .nanoseconds(1))
        #expect(try await store.events().map(\.number) == [1, 2, 3])
        try await store.advance(by: .nanoseconds(1))
        #expect(try await store.events().map(\.number) == [3])
        try await store.advance(by: Self.day)
        #expect(try await store.events().isEmpty)
        #expect(try store.state().lastEvent == 3)
        #expect(store.store.counts.trimmedEvents == 3)
        try expectSound(store)
    }

    @Test("A notification leaves the list after seven days, which is an event")
    func deliveredAge() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.add(.titled("a"))
        try await store.advance(by: Self.day)
        try await store.add(.titled("b"))
        try await store.advance(by: Self.week - Self.day)
        #expect(try await store.delivered().map(\.request.identifier) == ["b"])
        let removed = Event.Removed(reason: .retention, identifier: "a", delivery: 1)
        #expect(try await store.events().last?.kind == .removed(removed))
        #expect(try records(store) == 1)
        try await store.advance(by: Self.week + Self.week)
        #expect(try await store.delivered().isEmpty)
        #expect(try records(store) == 0)
        #expect(try store.store.usage().events == 0)
        try expectSound(store)
    }

    @Test("What is old goes while the clock passes other due instants, each at its own")
    func inOrder() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.add(.titled("a"))
        try await store.addAll([.titled("later", in: Self.week + .seconds(1))])
        try await store.advance(by: Self.week + .seconds(2))
        let kinds = try await store.events(after: 0).map(\.kind)
        guard case .removed(let removed) = kinds[0], case .delivered = kinds[1] else {
            Issue.record("\(kinds)")
            return
        }
        #expect(removed.reason == .retention)
        #expect(try await store.events()[0].date == .newYear + Self.week)
        try expectSound(store)
    }

    @Test("Beyond their bytes the oldest events go, and the newest stays")
    func eventBytes() async throws {
        let store = try TestStore { $0.limits.eventBytesPerCenter = 10_000 }
        try await store.authorize()
        for number in 0..<40 {
            try await store.add(
                .titled("a\(number)") { $0.body = String(repeating: "x", count: 1_000) }
            )
        }
        let state = try store.state()
        #expect(state.eventBytes <= 10_000 && state.eventBytes > 8_000)
        #expect(try await store.events().map(\.number) == Array(state.firstEvent...41))
        // Those in the list are kept, with or without their events.
        #expect(try await store.delivered().count == 40)
        #expect(try records(store) == 40)
        try await store.removeAllDelivered()
        #expect(try records(store) < 10)
        try await store.add(
            .titled("big") { $0.body = String(repeating: "x", count: 20_000) }
        )
        #expect(try await store.events().count == 1)
        try expectSound(store)
    }

    @Test("A record goes when it is not pending, not listed, and its newest event is trimmed")
    func records() async throws {
        let store = try TestStore()
        try await store.authorize()
        // Fires again and again; its entry is replaced each time.
        try await store.add(.titled("r", in: .seconds(60), repeats: true))
        try await store.advance(by: .seconds(121))
        try await store.removePending(["r"])
        #expect(try records(store) == 1)
        try await store.advance(by: Self.day)
        try await store.removeDelivered(["r"])
        #expect(try records(store) == 1)
        try await store.advance(by: Self.week - Self.day)
        #expect(try records(store) == 0)
        try expectSound(store)
    }

    @Test("A record whose events are all trimmed goes with the last thing that stands for it")
    func lastReference() async throws {
        let store = try TestStore { $0.limits.deliveredNanoseconds = 30 * Self.day.nanoseconds }
        try await store.authorize()
        try await store.add(.titled("pending", in: Self.day, repeats: true))
        try await store.add(.titled("listed"))
        try await store.add(.titled("replaced"))
        try await store.advance(by: Self.week + Self.week)
        try await store.authorize(answer: .deny)
        #expect(try records(store) == 3)
        try await store.removeDelivered(["listed"])
        #expect(try records(store) == 2)
        try await store.add(.titled("replaced"))
        #expect(try records(store) == 2)
        // Its events and its entry still refer to it.
        try await store.removePending(["pending"])
        #expect(try records(store) == 2)
        try await store.advance(by: Self.week)
        #expect(try records(store) == 2)
        try await store.removeAllDelivered()
        #expect(try records(store) == 0)
        try expectSound(store)
    }

    @Test("A delivery may trim the last event of what it takes the place of")
    func trimmedByItsReplacement() async throws {
        let store = try TestStore { $0.limits.eventBytesPerCenter = 1_000 }
        try await store.authorize()
        try await store.add(.titled("r", in: .seconds(60), repeats: true))
        try await store.advance(by: .seconds(60))
        try await store.removePending(["r"])
        try await store.add(.titled("r") { $0.body = String(repeating: "x", count: 2_000) })
        #expect(store.failure == nil)
        #expect(try records(store) == 1)
        try expectSound(store)
    }

    @Test("A last occurrence keeps its record while it trims the last event before it")
    func trimmedByItsOwnLastOccurrence() async throws {
        // At some of these limits the removal of "b" trims the first event of "a".
        for byteLimit in stride(from: 100, through: 2_000, by: 50) {
            let store = try TestStore { $0.limits.eventBytesPerCenter = byteLimit }
            try await store.authorize()
            var twice = try NotificationRequest.titled("a") {
                $0.body = String(repeating: "x", count: 500)
            }
            twice.replacementKey = "k"
            twice.trigger = .timeInterval(
                try TimeIntervalTrigger(
                    intervalNanoseconds: Duration.seconds(60).nanoseconds,
                    repeats: true,
                    maxOccurrences: 2
                )
            )
            var other = try NotificationRequest.titled("b")
            other.replacementKey = "k"
            try await store.addAll([twice])
            try await store.advance(by: .seconds(60))
            try await store.addAll([other])
            try await store.advance(by: .seconds(60))
            #expect(try await store.delivered().map(\.request.identifier) == ["a"])
            #expect(try records(store) >= 1)
            try await store.removeAllDelivered()
            for badge in 1...40 { try await store.setBadge(Int64(badge)) }
            #expect(store.failure == nil, "\(byteLimit)")
            try expectSound(store)
        }
    }

    @Test("CAL-10: A request that ends says so while its last occurrence is arriving")
    func endsWhileItArrives() async throws {
        let store = try TestStore()
        try await store.authorize()
        var components = CalendarComponents()
        (components.year, components.month, components.day) = (2_026, 1, 1)
        components.hour = 1
        var once = try NotificationRequest.titled("once")
        once.trigger = .calendar(try CalendarTrigger(dateComponents: components, repeats: true))
        try await store.addAll([once])
        let app = try store.subscribe(
            as: DelegateRole(capabilities: .willPresent),
            .foreground,
            named: "first"
        )
        try await store.advance(by: .seconds(3_600))
        #expect(try store.state().arrivingCount == 1)
        #expect(try store.state().pendingCount == 0)
        app.cancel()
        try expectSound(store)
    }

    @Test("A repeating request goes with its last event while a newer one takes its place")
    func trimmedWhileItIsWithdrawn() async throws {
        let store = try TestStore { $0.limits.eventBytesPerCenter = 100 }
        try await store.authorize()
        let minutely = try NotificationRequest.titled("b", in: .seconds(60), repeats: true)
        try await store.addAll([minutely])
        try await store.advance(by: .seconds(60))
        let app = try store.subscribe(
            as: DelegateRole(capabilities: .willPresent),
            .foreground,
            named: "first"
        )
        try await store.advance(by: .seconds(60))
        #expect(try store.state().arrivingCount == 1)
        // The question ends, its event is trimmed by the next, and the list's row is replaced.
        app.cancel()
        try await store.add(.titled("b"))
        #expect(try records(store) == 1)
        try expectSound(store)
    }

    @Test("A long backlog goes in slices, with the same result")
    func slices() async throws {
        let store = try TestStore {
            $0.limits.rowsPerExpiry = 3
            $0.limits.rowsPerBatch = 8
        }
        try await store.authorize()
        try await store.addAll((0..<100).map { try .titled("\($0)") })
        try await store.advance(by: Self.week)
        #expect(try await store.delivered().isEmpty)
        #expect(try store.state().firstEvent == 102)
        #expect(try await store.events().count == 100)
        try expectSound(store)
    }

    @Test("A start takes away what became too old while it was down")
    func afterRestart() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.add(.titled("a"))
        try await store.advance(by: Self.week - .seconds(1))
        try store.reopen()
        try await store.advance(by: .seconds(1))
        #expect(try await store.delivered().isEmpty)
        try expectSound(store)
    }

    @Test("Who asks for trimmed events is told the first that is kept")
    func trimmed() async throws {
        let store = try TestStore()
        try await store.authorize()
        for badge in 1...4 {
            try await store.setBadge(Int64(badge))
            if badge == 2 { try await store.advance(by: Self.day) }
        }
        try await store.advance(by: Self.week - Self.day)
        for after in [1, 2] as [EventNumber] {
            let refusal = #expect(throws: Refusal.self) { try store.subscribe(after: after) }
            #expect(refusal?.kind == .outOfRange)
            #expect(refusal?.reason == .eventsTrimmed)
            #expect(refusal?.facts[.firstEvent] == "4")
        }
        #expect(try await store.events(after: 3).map(\.number) == [4, 5])
        #expect(try await store.events(after: 0).map(\.number) == [4, 5])
    }

    @Test(
        "A subscriber whose next event was trimmed is told so, and not left waiting",
        .timeLimit(.minutes(5)),
        arguments: [true, false]
    )
    func trimmedMeanwhile(isFollowed: Bool) async throws {
        let store = try TestStore { $0.limits.eventsPerMessage = 1 }
        try await store.authorize()
        for badge in 1...3 { try await store.setBadge(Int64(badge)) }
        let subscription = try store.subscribe(after: 1)
        _ = try await subscription.next()
        #expect(try await subscription.peek().events.map(\.number) == [2])
        try await store.advance(by: Self.week)
        if isFollowed { try await store.setBadge(9) }
        subscription.feed.sent()
        let refusal = await #expect(throws: Refusal.self) { try await subscription.peek() }
        #expect(refusal?.reason == .eventsTrimmed)
    }

    @Test("A snapshot leaves out what went while it was told")
    func snapshot() async throws {
        let store = try TestStore { $0.limits.eventsPerMessage = 1 }
        try await store.authorize()
        for name in ["a", "b", "c"] { try await store.add(.titled(name)) }
        // A released record of a table that has pages stays for a while.
        try store.reopen { $0.limits.eventsPerMessage = 1 }
        let subscription = try store.subscribe(wantsSnapshot: true)
        _ = try await subscription.next()
        #expect(try await subscription.peek().snapshot?.delivered.count == 1)
        try await store.advance(by: Self.week)
        try await store.advance(by: Self.week)
        subscription.feed.sent()
        #expect(try await subscription.next().snapshot?.delivered.isEmpty == true)
        let last = try await subscription.next().snapshot
        #expect(last?.isComplete == true && last?.delivered.isEmpty == true)
        let refusal = await #expect(throws: Refusal.self) { _ = try await subscription.next() }
        #expect(refusal?.reason == .eventsTrimmed)
    }
}
