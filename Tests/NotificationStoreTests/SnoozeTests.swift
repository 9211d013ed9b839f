internal import NotificationCore
internal import NotificationFeeds
internal import NotificationRecords
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Snoozing (SNZ-1, SNZ-2, SNZ-3)")
struct SnoozeTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private func minutes(_ count: Int64) -> SnoozeEnd {
        .after(nanoseconds: count * 60 * .nanosecondsPerSecond)
    }

    @discardableResult
    private func snooze(
        _ identifier: String,
        _ delivery: DeliveryNumber,
        _ end: SnoozeEnd
    ) async throws -> SnoozeReply {
        try await test.result {
            $0.snooze(test.reference(identifier, delivery), until: end, completion: $1)
        }.get()
    }

    private func change(_ change: (inout SettingsChange) -> Void) async throws {
        var settings = SettingsChange()
        change(&settings)
        _ = try await test.result { [settings] in
            $0.updateSettings(settings, of: test.center, completion: $1)
        }.get()
    }

    private func snoozed() async throws -> [SnoozedPage.Entry] {
        try await test.result {
            test.feeds.listSnoozed(DeviceListQuery(device: "local"), completion: $1)
        }.get().entries
    }

    private func list() async throws -> [DeliveryNumber] {
        try await test.delivered().map(\.delivery)
    }

    private func checkStore() throws {
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("It leaves the list and comes back as itself, with a new number and its event")
    func comesBack() async throws {
        try await test.authorize()
        try await test.add(.titled("tea") { $0.badge = 3 })
        try await test.setBadge(7)
        let end = WallInstant.newYear + .seconds(600)
        #expect(try await snooze("tea", 1, minutes(10)).until == end)
        #expect(try await list().isEmpty)
        #expect(try test.store.usage().pending == 0)
        let shown = try await snoozed()
        #expect(shown.map(\.until) == [end])
        #expect(shown.map(\.shown.reference) == [test.reference("tea", 1)])
        let told = Event.Snoozed(identifier: "tea", delivery: 1, until: end)
        #expect(try await test.events().last?.kind == .snoozed(told))
        _ = try await test.advance(by: .seconds(599))
        #expect(try await list().isEmpty)
        let before = try test.state().lastEvent
        #expect(try await test.advance(.toNextDue).firedCount == 1)
        #expect(try await list() == [2])
        #expect(try await snoozed().isEmpty)
        let events = try await test.events(after: before)
        #expect(events.count == 1)
        guard case .delivered(let delivered)? = events.first?.kind else {
            Issue.record("it does not say that it came back")
            return
        }
        #expect(delivered.snoozedDelivery == 1)
        #expect(delivered.notification.request.identifier == "tea")
        #expect(delivered.presentation.options.contains(.banner))
        #expect(!delivered.presentation.options.contains(.badge))
        #expect(try test.state().badge == 7)
        try checkStore()
    }

    @Test(
        "It comes back after a restart, however late, at once and once",
        arguments: [true, false]
    )
    func restart(byWall: Bool) async throws {
        try await test.authorize()
        try await test.add(.titled("tea"))
        try await snooze("tea", 1, byWall ? .at(.newYear + .seconds(600)) : minutes(10))
        try test.crash()
        _ = try await test.suspend(by: .seconds(30 * 86_400))
        #expect(try await list() == [2])
        guard case .delivered(let delivered)? = try await test.events().last?.kind else {
            Issue.record("it did not come back")
            return
        }
        #expect(delivered.lateByNanoseconds == (30 * 86_400 - 600) * .nanosecondsPerSecond)
        try test.reopen()
        #expect(try await list() == [2])
        try checkStore()
    }

    @Test("A duration does not follow the wall clock, an instant does")
    func clocks() async throws {
        try await test.authorize()
        try await test.add(.titled("a"))
        try await test.add(.titled("b"))
        try await snooze("a", 1, minutes(10))
        try await snooze("b", 2, .at(.newYear + .seconds(600)))
        _ = try await test.setClock(to: .newYear + .seconds(601))
        #expect(try await test.delivered().map(\.request.identifier) == ["b"])
        _ = try await test.setClock(to: .newYear)
        _ = try await test.advance(by: .seconds(600))
        #expect(Set(try await test.delivered().map(\.request.identifier)) == ["a", "b"])
        try checkStore()
    }

    @Test("A repeating series goes on; its next occurrence replaces the one that is snoozed")
    func series() async throws {
        try await test.authorize()
        try await test.add(.titled("daily", in: .seconds(3_600), repeats: true))
        _ = try await test.advance(by: .seconds(3_600))
        try await snooze("daily", 1, minutes(10))
        #expect(try test.state().pendingCount == 1)
        _ = try await test.advance(by: .seconds(600))
        #expect(try await list() == [2])
        try await snooze("daily", 2, minutes(120))
        _ = try await test.advance(by: .seconds(3_000))
        #expect(try await list() == [3])
        guard case .delivered(let delivered)? = try await test.events().last?.kind else {
            Issue.record("the series did not go on")
            return
        }
        #expect(delivered.replacedDelivery == 2)
        #expect(delivered.snoozedDelivery == nil)
        #expect(try await snoozed().isEmpty)
        _ = try await test.advance(by: .seconds(3_500))
        #expect(try await list() == [3])
        try checkStore()
    }

    @Test("A snooze until the instant of the series' own occurrence is not mistaken for it")
    func sameInstant() async throws {
        try await test.authorize()
        try await test.add(.titled("daily", in: .seconds(3_600), repeats: true))
        _ = try await test.advance(by: .seconds(3_600))
        try await snooze("daily", 1, minutes(60))
        _ = try await test.advance(by: .seconds(3_600))
        #expect(try await list().count == 1)
        #expect(try test.state().pendingCount == 1)
        #expect(try test.state().snoozedCount == 0)
        try checkStore()
    }

    @Test("The app removes it by its identifier, or with all")
    func removal() async throws {
        try await test.authorize()
        for identifier in ["a", "b", "c"] { try await test.add(.titled(identifier)) }
        for (index, identifier) in ["a", "b", "c"].enumerated() {
            try await snooze(identifier, DeliveryNumber(rawValue: UInt64(index + 1)), minutes(10))
        }
        #expect(try await test.removeDelivered(["a"]) == ["a"])
        let removed = Event.Removed(reason: .app, identifier: "a", delivery: 1)
        #expect(try await test.events().last?.kind == .removed(removed))
        try await test.dismiss(.one(test.reference("c", 3)))
        #expect(try await test.removeAllDelivered() == 1)
        _ = try await test.advance(by: .seconds(600))
        #expect(try await list().isEmpty)
        try checkStore()
    }

    @Test(
        "It ends when another notification with its replacement key is delivered (ADD-12)",
        arguments: [("k", "k"), ("", "a"), ("b", "")],
        [true, false]
    )
    func replacementKey(keys: (String, String), isListed: Bool) async throws {
        try await test.authorize()
        if !isListed { try await change { $0.notificationCenter = false } }
        for (identifier, key) in [("a", keys.0), ("b", keys.1)] {
            var request = try NotificationRequest.titled(identifier)
            request.replacementKey = key
            try await test.add(request)
            guard identifier == "a" else { continue }
            try await snooze("a", 1, minutes(10))
            try test.reopen()
        }
        #expect(try test.state().snoozedCount == 0)
        #expect(try await snoozed().isEmpty)
        let removed = Event.Removed(reason: .replaced, identifier: "a", delivery: 1)
        #expect(try await test.events().map(\.kind).contains(.removed(removed)))
        #expect(try await test.advance(by: .seconds(600)).firedCount == 0)
        #expect(try test.state().lastDelivery == 2)
        try checkStore()
    }

    @Test("What had to wait is late from the instant that the person chose")
    func lateAfterWaiting() async throws {
        try await test.authorize()
        func request(_ identifier: String) throws -> NotificationRequest {
            var request = try NotificationRequest.titled(identifier)
            request.replacementKey = "k"
            return request
        }
        try await test.add(request("a"))
        try await snooze("a", 1, .at(.newYear + .seconds(2)))
        let app = try test.subscribe(as: DelegateRole(capabilities: .willPresent), .foreground)
        _ = try await app.messagesUntilCaughtUp()
        try await test.add(request("b"))
        _ = try await test.advance(by: .seconds(3), passesCallbacks: true)
        try await test.removeDelivered(["b"])
        app.cancel()
        // The lateness does not follow the clock.
        _ = try await test.setClock(to: .newYear + .seconds(-3_600))
        _ = try await test.advance(by: .seconds(60), passesCallbacks: true)
        guard case .delivered(let delivered)? = try await test.events().last?.kind else {
            Issue.record("it did not come back")
            return
        }
        #expect(delivered.snoozedDelivery == 1)
        #expect(delivered.lateByNanoseconds == 5 * .nanosecondsPerSecond)
        try checkStore()
    }

    @Test("An app that is unregistered loses its snoozes")
    func unregistered() async throws {
        try await test.authorize()
        try await test.add(.titled("a"))
        try await snooze("a", 1, minutes(10))
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        _ = try await test.advance(by: .seconds(600))
        try checkStore()
    }

    @Test("A snoozed one gets another end; an older or unknown one is refused, and so is a limit")
    func again() async throws {
        try test.reopen { $0.limits.snoozedPerCenter = 1 }
        try await test.authorize()
        try await test.add(.titled("a"))
        try await test.add(.titled("b"))
        try await snooze("a", 1, minutes(10))
        #expect(try await snooze("a", 1, minutes(20)).until == .newYear + .seconds(1_200))
        let refusal = await #expect(throws: Refusal.self) { try await snooze("b", 2, minutes(1)) }
        #expect(refusal?.reason == .snoozeLimit)
        await #expect(throws: Refusal.notificationNotFound) { try await snooze("a", 2, minutes(1)) }
        _ = try await test.advance(by: .seconds(600))
        #expect(try await list() == [2])
        _ = try await test.advance(by: .seconds(600))
        #expect(try await list() == [3, 2])
        await #expect(throws: Refusal.notificationReplaced) {
            try await snooze("a", 1, minutes(1))
        }
        try checkStore()
    }

    @Test("The permission and the app in front count when it comes back")
    func decision() async throws {
        try await test.authorize()
        try await test.add(.titled("a"))
        try await test.add(.titled("b"))
        try await snooze("a", 1, minutes(10))
        let app = try test.subscribe(as: DelegateRole(capabilities: .willPresent), .foreground)
        _ = try await app.messagesUntilCaughtUp()
        _ = try await test.advance(by: .seconds(600))
        #expect(try test.state().arrivingCount == 1)
        // Meanwhile a new occurrence comes: it takes the place of the one that came back.
        try await test.add(.titled("a"))
        #expect(try test.state().arrivingCount == 1)
        let suppressed = try await test.events().compactMap { event in
            if case .suppressed(let fired, _, _) = event.kind { fired.snoozedDelivery } else { nil }
        }
        #expect(suppressed == [1])
        app.cancel()
        _ = try await test.advance(by: .seconds(60), passesCallbacks: true)
        try await snooze("b", 2, minutes(10))
        try await change { $0.allowsNotifications = false }
        _ = try await test.advance(by: .seconds(600), passesCallbacks: true)
        guard case .suppressed(let fired, .notAuthorized, _)? = try await test.events().last?.kind
        else {
            Issue.record("it came back without permission")
            return
        }
        #expect(fired.snoozedDelivery == 2)
        try checkStore()
    }

    @Test(
        "What comes due while a newer one arrives waits until that is settled",
        arguments: ["a", "b"]
    )
    func arriving(newer: String) async throws {
        try await test.authorize()
        func request(_ identifier: String) throws -> NotificationRequest {
            var request = try NotificationRequest.titled(identifier)
            request.replacementKey = "k"
            return request
        }
        try await test.add(request("a"))
        try await snooze("a", 1, .after(nanoseconds: 2 * .nanosecondsPerSecond))
        let app = try test.subscribe(as: DelegateRole(capabilities: .willPresent), .foreground)
        _ = try await app.messagesUntilCaughtUp()
        try await test.add(request(newer))
        _ = try await test.advance(by: .seconds(3), passesCallbacks: true)
        #expect(try test.state().snoozedCount == 1)
        #expect(try test.state().arrivingCount == 1)
        _ = try await test.advance(by: .seconds(60), passesCallbacks: true)
        #expect(try test.state().snoozedCount == 0)
        #expect(try await list() == [2])
        app.cancel()
        try checkStore()
    }

    @Test("Its request is kept while it is snoozed, and let go after its last event")
    func record() async throws {
        try test.reopen {
            $0.limits.eventNanoseconds = 3_600 * .nanosecondsPerSecond
            $0.limits.deliveredNanoseconds = 7_200 * .nanosecondsPerSecond
        }
        try await test.authorize()
        try await test.add(.titled("a"))
        try await snooze("a", 1, minutes(300))
        _ = try await test.advance(by: .seconds(4 * 3_600))
        #expect(try test.store.usage().records == 1)
        _ = try await test.advance(by: .seconds(3_600))
        #expect(try await list() == [2])
        try await snooze("a", 2, minutes(30))
        _ = try await test.advance(by: .seconds(1_800))
        #expect(try await list() == [3])
        // The events of the deliveries before are trimmed, while this one is in the list.
        _ = try await test.advance(by: .seconds(3_700))
        #expect(try await list() == [3])
        _ = try await test.advance(by: .seconds(3 * 3_600))
        #expect(try await list().isEmpty)
        _ = try await test.advance(by: .seconds(3 * 3_600))
        #expect(try test.store.usage().records == 0)
        try checkStore()
    }

    @Test("A banner without an entry can be snoozed, and comes back")
    func banner() async throws {
        try await test.authorize()
        try await change { $0.notificationCenter = false }
        try await test.add(.titled("a"))
        try await snooze("a", 1, minutes(10))
        try await change { $0.notificationCenter = true }
        _ = try await test.advance(by: .seconds(600))
        #expect(try await list() == [2])
        try checkStore()
    }

    @Test("A retry under the same key snoozes once")
    func once() async throws {
        try await test.authorize()
        try await test.add(.titled("a"))
        let key = try OnceKey(
            "019b76da-a800-7000-8000-000000000001",
            method: "Snooze",
            request: []
        )
        for _ in 0..<2 {
            let reply = try await test.result {
                $0.snooze(
                    test.reference("a", 1),
                    until: minutes(10),
                    once: key,
                    completion: $1
                )
            }.get()
            #expect(reply.until == .newYear + .seconds(600))
        }
        let count = try await test.events().count { event in
            if case .snoozed = event.kind { true } else { false }
        }
        #expect(count == 1)
    }

    @Test("The held one of a summary, and one with files, are snoozed as any other")
    func held() async throws {
        try await test.authorize()
        let app = test.center.app
        try await test.updateDevice {
            $0.summary.isEnabled = true
            $0.summary.times = [60]
            $0.summary.apps = [app]
        }
        try await test.add(.titled("a"))
        #expect(try test.state().heldCount == 1)
        try await snooze("a", 1, minutes(120))
        #expect(try test.state().heldCount == 0)
        #expect(try test.state().summaryDue == nil)
        _ = try await test.advance(by: .seconds(7_200))
        #expect(try test.state().heldCount == 1)
        try checkStore()
    }
}
