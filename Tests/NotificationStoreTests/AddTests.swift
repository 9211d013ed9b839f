internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Adding (§6)")
struct AddTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("Step 1: The app has to be registered")
    func notRegistered() async throws {
        let refusal = await #expect(throws: Refusal.self) { try await test.add(.titled("a")) }
        #expect(refusal == .notRegistered(test.center))
        #expect(refusal?.kind == .notFound)
        #expect(refusal?.reason == .appNotRegistered)
        #expect(throws: Refusal.notRegistered(test.center)) { _ = try test.state() }
        #expect(try test.store.usage().records == 0)
    }

    @Test("Step 1: Another center of the same app or device does not count")
    func otherCenter() async throws {
        try await test.authorize()
        let others = [
            try CenterName(app: test.center.app, device: "other"),
            CenterName.local("org.example.other"),
        ]
        for other in others {
            await #expect(throws: Refusal.notRegistered(other)) {
                try await test.add(.titled("a"), to: other)
            }
        }
    }

    @Test("D-1: Without the person's permission it is error 1, and nothing is stored")
    func notAllowed() async throws {
        try await test.authorize(answer: .deny)
        await #expect(throws: Refusal.notAllowed(.denied)) { try await test.add(.titled("a")) }
        await #expect(throws: Refusal.notAllowed(.denied)) {
            try await test.add(.titled("b", in: .seconds(60)))
        }
        #expect(try test.store.usage().records == 0)
        #expect(try test.state().lastEvent == 1)
        #expect(test.store.counts.refusedAdds == 2)
        #expect(test.store.counts.adds == 0)
    }

    @Test("ADD-2: Without a trigger it is delivered at once, and a list that follows has it")
    func deliveredAtOnce() async throws {
        try await test.authorize()
        let request = try NotificationRequest.titled("a") { $0.body = "Body" }
        let reply = try await test.add(request)
        #expect(reply.withoutNumbers == AddReply(identifier: "a", state: .delivered(1)))
        #expect(try reply.asOfEvent == test.state().lastEvent.previous)
        let delivered = try await test.delivered()
        #expect(delivered == [DeliveredNotification(request: request, date: .newYear, delivery: 1)])
        #expect(try await test.pending().isEmpty)
        #expect(try await test.add(.titled("b")).state == .delivered(2))
    }

    @Test("With a trigger it is pending, and the reply has its date")
    func pending() async throws {
        try await test.authorize()
        let request = try NotificationRequest.titled("a", in: .seconds(90))
        let reply = try await test.add(request)
        let date = WallInstant.newYear + .seconds(90)
        #expect(
            reply.withoutNumbers == AddReply(identifier: "a", state: .pending(nextFire: date))
        )
        let again = try await test.add(request)
        #expect(again.number > reply.number)
        #expect(again.asOfEvent == reply.asOfEvent)
        let expected = PendingRequest(request: request, nextFire: date, addedAt: .newYear)
        #expect(try await test.pending() == [expected])
        #expect(try await test.delivered().isEmpty)
        #expect(try test.state().pendingCount == 1)
    }

    @Test("ADD-3: A pending request of the same identifier gives way and never fires")
    func replacesPending() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(10)) { $0.body = "old" })
        let new = try NotificationRequest.titled("a", in: .seconds(60)) { $0.body = "new" }
        try await test.add(new)
        #expect(try await test.pending().map(\.request) == [new])
        #expect(try await test.advance(by: .seconds(59)).firedCount == 0)
        #expect(try await test.advance(by: .seconds(1)).firedCount == 1)
        #expect(try await test.delivered().map(\.request) == [new])
        #expect(try await test.advance(.toNextDue).stop == .nothingDue)
    }

    @Test("ADD-4: A delivered one stays until the new one fires, which then comes on top")
    func replacesDeliveredWhenItFires() async throws {
        try await test.authorize()
        let old = try NotificationRequest.titled("a") { $0.body = "old" }
        try await test.add(old)
        try await test.add(.titled("b"))
        let new = try NotificationRequest.titled("a", in: .seconds(60)) { $0.body = "new" }
        try await test.add(new)
        // M-7: the identifier is in both lists.
        #expect(try await test.delivered().map(\.delivery) == [2, 1])
        #expect(try await test.delivered().last?.request == old)
        #expect(try await test.pending().map(\.request) == [new])

        try await test.advance(by: .seconds(60))
        let delivered = try await test.delivered()
        #expect(delivered.map(\.delivery) == [3, 2])
        #expect(delivered.first?.request == new)
        #expect(delivered.first?.date == .newYear + .seconds(60))
        guard case .delivered(let event) = try await test.events().last?.kind else {
            Issue.record("the newest event is not a delivery")
            return
        }
        #expect(event.replacedDelivery == 1)
        #expect(event.presentation.options.contains([.banner, .list]))
    }

    @Test("ADD-5: Adding again without a trigger updates a delivered one")
    func updatesDelivered() async throws {
        try await test.authorize()
        try await test.add(.titled("a") { $0.body = "old" })
        let new = try NotificationRequest.titled("a") { $0.body = "new" }
        #expect(try await test.add(new).state == .delivered(2))
        #expect(try await test.delivered().map(\.request) == [new])
        #expect(try test.state().deliveredCount == 1)
    }

    @Test("ADD-10: A refused add leaves the requests of its identifier untouched")
    func refusedLeavesAll() async throws {
        try await test.authorize()
        try test.reopen { $0.limits.pendingPerCenter = 1 }
        let delivered = try NotificationRequest.titled("a")
        let pending = try NotificationRequest.titled("b", in: .seconds(60))
        try await test.add(delivered)
        try await test.add(pending)
        let events = try test.state().lastEvent
        let refusal = await #expect(throws: Refusal.self) {
            try await test.add(.titled("a", in: .seconds(60)) { $0.body = "new" })
        }
        #expect(refusal == .pendingLimit(1))
        #expect(try await test.delivered().map(\.request) == [delivered])
        #expect(try await test.pending().map(\.request) == [pending])
        #expect(try test.state().lastEvent == events)
        // The limit does not stand in the way of a request that does not add to the pending ones.
        try await test.add(.titled("b", in: .seconds(120)))
        try await test.add(.titled("c"))
    }

    @Test("ADD-11: A repeating request has at most one delivered copy, the newest")
    func repeatingHasOneCopy() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(60), repeats: true))
        for firing in 1...5 {
            #expect(try await test.advance(by: .seconds(60)).firedCount == 1)
            let delivered = try await test.delivered()
            #expect(delivered.map(\.delivery) == [DeliveryNumber(firing)])
            #expect(delivered.first?.date == .newYear + .seconds(60 * firing))
            let next = try await test.pending().first?.nextFire
            #expect(next == .newYear + .seconds(60 * (firing + 1)))
        }
        #expect(try test.state().deliveredCount == 1)
        #expect(try test.state().pendingCount == 1)
    }

    @Test("A batch answers each request in its order, and a refused one undoes no other")
    func batch() async throws {
        try await test.authorize()
        try test.reopen { $0.limits.pendingPerCenter = 2 }
        let malformed = Refusal.invalid(
            .element(1, of: .requests).appending(.identifier),
            "too long"
        )
        let results = try await test.addBatch([
            .success(.titled("a", in: .seconds(60))),
            .failure(malformed),
            .success(.titled("b")),
            .success(.titled("c", in: .seconds(60))),
            .success(.titled("d", in: .seconds(60))),
            .success(.titled("c", in: .seconds(30))),
            .success(.titled("b")),
        ])
        func pending(_ identifier: String, in seconds: Int) -> Result<AddReply, Refusal> {
            let state = RequestState.pending(nextFire: .newYear + .seconds(seconds))
            return .success(AddReply(identifier: identifier, state: state))
        }
        let expected: [Result<AddReply, Refusal>] = [
            pending("a", in: 60),
            .failure(malformed),
            .success(AddReply(identifier: "b", state: .delivered(1))),
            pending("c", in: 60),
            .failure(.pendingLimit(2)),
            pending("c", in: 30),
            .success(AddReply(identifier: "b", state: .delivered(2))),
        ]
        #expect(results.map { $0.map(\.withoutNumbers) } == expected)
        #expect(try await test.pending().map(\.request.identifier) == ["a", "c"])
        #expect(try await test.delivered().map(\.delivery) == [2])
    }

    @Test("A batch for an app that is not registered is refused as a whole")
    func batchNotRegistered() async throws {
        await #expect(throws: Refusal.notRegistered(test.center)) {
            try await test.addBatch([.success(.titled("a"))])
        }
    }

    @Test("An empty batch does nothing")
    func emptyBatch() async throws {
        try await test.authorize()
        #expect(try await test.addBatch([]).isEmpty)
    }

    @Test("Commands that waited together are carried out in their order")
    func order() async throws {
        try await test.authorize()
        await test.whileWriterRests {
            for index in 0..<50 {
                guard let request = try? NotificationRequest.titled("a", in: .seconds(60 + index))
                else { continue }
                test.store.add(request, to: test.center) { _ in }
            }
        }
        await test.settle()
        #expect(try await test.pending().map(\.nextFire) == [.newYear + .seconds(109)])
        #expect(test.store.counts.adds == 50)
        #expect(try test.store.usage().records == 1)
    }
}
