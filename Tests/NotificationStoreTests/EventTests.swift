internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Events (FD-4, §8)")
struct EventTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("Each fact is one event with its contents, numbered without a gap")
    func kinds() async throws {
        let settings = try await test.authorize()
        let once = try NotificationRequest.titled("once", in: .seconds(60)) { $0.badge = 4 }
        let now = try NotificationRequest.titled("now") { $0.sound = Sound() }
        let silent = try NotificationRequest.titled("badge") { content in
            content.title = ""
            content.badge = 4
        }
        try await test.add(now)
        try await test.add(once)
        try await test.advance(by: .seconds(60))
        try await test.add(silent)
        try await test.setBadge(4)
        try await test.setBadge(9)
        try await test.add(once)
        try await test.removePending(["once"])
        try await test.removeDelivered(["now"])
        try await test.add(once)
        try await withdraw()
        try await test.advance(by: .seconds(60))

        func delivered(
            _ request: NotificationRequest,
            _ delivery: DeliveryNumber,
            _ options: PresentationOptions,
            at date: WallInstant
        ) -> Event.Kind {
            .delivered(
                Event.Delivered(
                    notification: DeliveredNotification(
                        request: request,
                        date: date,
                        delivery: delivery
                    ),
                    presentation: Presentation(options),
                    lateByNanoseconds: 0,
                    collapsedCount: 0,
                    replacedDelivery: nil
                )
            )
        }
        let later = WallInstant.newYear + .seconds(60)
        let events = try await test.events()
        let expected: [Event.Kind] = [
            .settingsChanged(settings),
            delivered(now, 1, [.list, .banner, .sound], at: .newYear),
            delivered(once, 2, [.list, .banner, .badge], at: later),
            .badgeChanged(4),
            delivered(silent, 3, .badge, at: later),
            .badgeChanged(9),
            .removed(.init(reason: .app, identifier: "once", delivery: nil)),
            .removed(.init(reason: .app, identifier: "now", delivery: 1)),
            .suppressed(
                .init(request: once, lateByNanoseconds: 0, collapsedCount: 0),
                .notAuthorized,
                replacedDelivery: nil
            ),
        ]
        #expect(events.map(\.kind) == expected)
        #expect(events.map(\.number) == Array(1...9))
        let dates = [0, 0, 60, 60, 60, 60, 60, 60, 120].map { WallInstant.newYear + .seconds($0) }
        #expect(events.map(\.date) == dates)
        // A badge without text leaves no entry (DEL-2).
        #expect(try await test.delivered().map(\.delivery) == [2])
    }

    /// Withdraws the permission behind the store's back, which no command does yet.
    private func withdraw() async throws {
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            var (number, center) = try file.center(test.center)
            center.settings.authorizationStatus = .denied
            try file.set(center, number: number)
        }
        try test.reopen()
    }

    @Test("D-4: Withheld occurrences are counted and told, and pending and delivered ones stay")
    func suppressed() async throws {
        try await test.authorize()
        try await test.add(.titled("delivered"))
        try await test.add(.titled("repeats", in: .seconds(60), repeats: true) { $0.badge = 1 })
        try await test.add(.titled("once", in: .seconds(90)))
        try await withdraw()
        #expect(try await test.advance(by: .seconds(180)).firedCount == 4)
        let state = try test.state()
        #expect(state.pendingCount == 1)
        #expect(state.deliveredCount == 1)
        #expect(state.badge == 0)
        let suppressed = try await test.events(after: 2).map { event in
            guard case .suppressed(let fired, _, _) = event.kind else { return "" }
            return fired.request.identifier
        }
        #expect(suppressed == ["repeats", "once", "repeats", "repeats"])
        #expect(test.store.counts.suppressed == 4)
        #expect(test.store.counts.delivered == 0)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Each center has its own numbers")
    func centers() async throws {
        let other = CenterName.local("org.example.other")
        try await test.authorize()
        try await test.authorize(for: other)
        for index in 0..<3 {
            try await test.add(.titled("\(index)"))
            try await test.add(.titled("\(index)", in: .seconds(60)), to: other)
        }
        let advance = try await test.advance(by: .seconds(60))
        #expect(advance.lastEvents == [other: 4])
        #expect(try await test.events().map(\.number) == [1, 2, 3, 4])
        #expect(try await test.events(of: other).map(\.number) == [1, 2, 3, 4])
        #expect(try await test.delivered().map(\.delivery) == [3, 2, 1])
        #expect(try test.state(of: other).lastDelivery == 3)
    }

    @Test("Asking for the same again is no event; asking for more is")
    func settings() async throws {
        try await test.authorize([.alert])
        try await test.authorize([.alert])
        #expect(try test.state().lastEvent == 1)
        let more = try await test.authorize([.alert, .sound])
        #expect(try await test.events(after: 1).map(\.kind) == [.settingsChanged(more)])
    }

    @Test("B-3: The badge is set, and only a change is an event")
    func badge() async throws {
        try await test.authorize()
        #expect(try await test.setBadge(5) == 5)
        #expect(try await test.setBadge(5) == 5)
        #expect(try await test.setBadge(0) == 0)
        #expect(try test.state().badge == 0)
        let kinds = try await test.events(after: 1).map(\.kind)
        #expect(kinds == [.badgeChanged(5), .badgeChanged(0)])
        await #expect(throws: Refusal.badgeInvalid([.count])) { try await test.setBadge(-1) }
    }

    @Test("B-6: Increments are applied when they are delivered, in the order of the deliveries")
    func incrementedBadge() async throws {
        try await test.authorize()
        for (identifier, seconds) in [("b", 20), ("a", 10), ("c", 30)] {
            try await test.add(
                .titled(identifier, in: .seconds(seconds)) { content in
                    content.badge = identifier == "b" ? 10 : 1
                    content.badgeMode = identifier == "b" ? .set : .increment
                }
            )
        }
        try await test.advance(by: .seconds(60))
        let badges = try await test.events().compactMap { event in
            if case .badgeChanged(let badge) = event.kind { badge } else { nil }
        }
        #expect(badges == [1, 10, 11])
        #expect(try test.state().badge == 11)
    }

    @Test("D-19: A full delivered list loses its oldest, which is told")
    func retention() async throws {
        try test.reopen { $0.limits.deliveredPerCenter = 3 }
        try await test.authorize()
        for index in 1...5 { try await test.add(.titled("\(index)")) }
        #expect(try await test.delivered().map(\.request.identifier) == ["5", "4", "3"])
        let removed = try await test.events().compactMap { event in
            if case .removed(let removed) = event.kind { removed } else { nil }
        }
        #expect(
            removed == [
                .init(reason: .retention, identifier: "1", delivery: 1),
                .init(reason: .retention, identifier: "2", delivery: 2),
            ]
        )
        // Replacing does not add to the list, so nothing has to go.
        let before = try test.state().lastEvent
        try await test.add(.titled("3"))
        #expect(try await test.delivered().map(\.request.identifier) == ["3", "5", "4"])
        #expect(try test.state().lastEvent == before + 1)
        // A repeating request whose copy went stays pending.
        try await test.add(.titled("4", in: .seconds(60), repeats: true))
        try await test.add(.titled("6"))
        #expect(try await test.pending().map(\.request.identifier) == ["4"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
    @Test("D-19: The oldest go in their order, whatever leaves the list between them in one batch")
    func retentionInOneBatch() async throws {
        try test.reopen { $0.limits.deliveredPerCenter = 5 }
        try await test.authorize()
        for index in 1...5 { try await test.add(.titled("\(index)")) }
        let removed = Pending<[String]>()
        let added = [Pending<AddReply>(), Pending(), Pending()]
        try await test.whileWriterRests {
            try test.store.add(.titled("6"), to: test.center, completion: added[0].complete)
            test.store.removeDelivered(["2", "4"], from: test.center, completion: removed.complete)
            for (index, reply) in added.enumerated().dropFirst() {
                let request = try NotificationRequest.titled("\(6 + index)")
                test.store.add(request, to: test.center, completion: reply.complete)
            }
        }
        _ = await removed.value
        for reply in added { _ = try await reply.value.get() }
        #expect(try await test.delivered().map(\.request.identifier) == ["8", "7", "6", "5", "3"])
        try await test.add(.titled("9"))
        #expect(try await test.delivered().map(\.request.identifier) == ["9", "8", "7", "6", "5"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
