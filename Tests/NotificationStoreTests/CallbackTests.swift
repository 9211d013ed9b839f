internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Questions to an app in front (§9, W-15)", .timeLimit(.minutes(5)))
struct CallbackTests {
    /// An answer of the app, and the presentation that follows.
    struct Answer: Sendable {
        let answer: PresentationOptions
        let presented: PresentationOptions
        let entries: Int

        init(_ answer: PresentationOptions, presents: PresentationOptions?, entries: Int) {
            self.answer = answer
            presented = presents ?? answer
            self.entries = entries
        }
    }

    let test: TestStore

    init() throws { test = try TestStore() }

    /// Attaches an app in front that wants to be asked.
    private func attach(
        _ name: String = "first",
        after: EventNumber? = nil
    ) throws -> TestSubscription {
        try test.subscribe(
            after: after,
            as: DelegateRole(capabilities: [.willPresent, .didReceive]),
            .foreground,
            named: name
        )
    }

    /// Events without the one of the permission.
    private func events() async throws -> [Event.Kind] {
        try await test.events(after: 1).map(\.kind)
    }

    private func presentation(of kind: Event.Kind?) throws -> Presentation {
        guard case .delivered(let delivered) = kind else { throw NotFound() }
        return delivered.presentation
    }

    private func fired(_ request: NotificationRequest) -> Event.Fired {
        Event.Fired(request: request, lateByNanoseconds: 0, collapsedCount: 0)
    }

    private func withheld(
        _ request: NotificationRequest,
        replaced: DeliveryNumber? = nil,
        waited: Bool = true
    ) -> Event.Kind {
        var fired = fired(request)
        if waited { fired.due = .newYear }
        return .suppressed(fired, .notPresented, replacedDelivery: replaced)
    }

    @Test("FG-1: It is asked with all of the notification, which is arriving and in no list")
    func asks() async throws {
        try await test.authorize()
        let app = try attach()
        let request = try NotificationRequest.titled("a") { $0.body = "Body" }
        #expect(try await test.add(request).state == .arriving)
        let callback = try #require(try await app.callbacks(1).first)
        #expect(callback.deadline == .newYear + .seconds(5))
        #expect(
            callback.question
                == .willPresent(
                    DeliveredNotification(request: request, date: .newYear, delivery: 0)
                )
        )
        #expect(try await test.delivered().isEmpty)
        #expect(try await test.pending().isEmpty)
        #expect(try await events().isEmpty)
        #expect(try test.state().arrivingCount == 1)
    }

    @Test(
        "FG-3, FG-5, FG-6: Only the effects that it names, and without the list no entry",
        arguments: [
            Answer(.alert, presents: [.banner, .list], entries: 1),
            Answer([.banner, .list, .sound, .badge], presents: nil, entries: 1),
            Answer([.list], presents: nil, entries: 1),
            Answer([.banner, .sound], presents: nil, entries: 0),
        ]
    )
    func answers(row: Answer) async throws {
        try await test.authorize()
        let app = try attach()
        try await test.add(
            .titled("a") {
                $0.sound = Sound()
                $0.badge = 3
            }
        )
        let callback = try #require(try await app.callbacks(1).first)
        #expect(
            try await test.complete([callback.number], with: .present(row.answer), through: app)
                == [nil]
        )
        let kinds = try await events()
        #expect(try presentation(of: kinds.first) == Presentation(row.presented))
        #expect(try await test.delivered().count == row.entries)
        #expect(try test.state().badge == (row.presented.contains(.badge) ? 3 : 0))
        #expect(try test.state().arrivingCount == 0)
        let ends = try await app.callbackEnds()
        #expect(ends == [CallbackEnd(callback: callback.number, outcome: .completed)])
    }

    @Test("FG-3: An answer without options leaves it to the app")
    func silent() async throws {
        try await test.authorize()
        let app = try attach()
        let request = try NotificationRequest.titled("a")
        try await test.add(request)
        let callback = try #require(try await app.callbacks(1).first)
        try await test.complete([callback.number], with: .present([]), through: app)
        #expect(try await events() == [withheld(request)])
        #expect(try await test.delivered().isEmpty)
    }

    @Test(
        "FG-3: What the app shows itself takes the place of what was delivered before",
        arguments: [nil, []] as [PresentationOptions?]
    )
    func silentUpdate(standing: PresentationOptions?) async throws {
        try await test.authorize()
        try await test.add(.titled("a") { $0.body = "old" })
        try await test.add(.titled("other"))
        let role = DelegateRole(capabilities: .willPresent, standingPresentation: standing)
        let app = try test.subscribe(as: role, .foreground, named: "app")
        let new = try NotificationRequest.titled("a") { $0.body = "new" }
        try await test.add(new)
        if standing == nil {
            let callback = try #require(try await app.callbacks(1).first)
            try await test.complete([callback.number], with: .present([]), through: app)
        }
        let event = try await test.events().last?.kind
        #expect(event == withheld(new, replaced: 1, waited: standing == nil))
        #expect(try await test.delivered().map(\.delivery) == [2])
        #expect(try test.state().deliveredCount == 1)
    }

    @Test("What is withdrawn before the app answered takes nobody's place")
    func withdrawnUpdate() async throws {
        try await test.authorize()
        try await test.add(.titled("a") { $0.body = "old" })
        _ = try attach()
        let new = try NotificationRequest.titled("a") { $0.body = "new" }
        try await test.add(new)
        try await test.add(.titled("a") { $0.body = "newer" })
        let event = try await test.events().last?.kind
        #expect(event == withheld(new))
        #expect(try await test.delivered().map(\.delivery) == [1])
    }

    @Test("D-14: After 5 s it is only listed, and the app counts as in the background")
    func deadline() async throws {
        try await test.authorize()
        let app = try attach()
        try await test.add(.titled("a") { $0.sound = Sound() })
        let callback = try #require(try await app.callbacks(1).first)
        try await test.advance(by: .nanoseconds(4_999_999_999))
        #expect(try await events().isEmpty)
        try await test.advance(by: .nanoseconds(1), passesCallbacks: true)
        let late = try presentation(of: try await events().first)
        #expect(late == Presentation([.list], hasTimedOut: true))
        let ends = try await app.callbackEnds()
        #expect(ends == [CallbackEnd(callback: callback.number, outcome: .timedOut)])

        // The events were asked for, so the app is asked again once it calls, whatever it calls
        // (D-27).
        #expect(try await test.add(.titled("b")).state == .arriving)
        await #expect(throws: Refusal.callbackEnded(callback.number)) {
            try await test.complete([callback.number], with: .present([]), through: app)
        }
        #expect(try await test.add(.titled("c")).state == .arriving)
    }

    @Test("D-14: An app that is silent is not asked again while the clock goes on")
    func deadlineWithinAdvance() async throws {
        try await test.authorize()
        _ = try attach()
        try await test.add(.titled("a", in: .seconds(1)))
        try await test.add(.titled("b", in: .seconds(10)))
        let advance = try await test.advance(by: .seconds(10), passesCallbacks: true)
        #expect(advance.firedCount == 2)
        let kinds = try await events()
        #expect(kinds.count == 2)
        #expect(try presentation(of: kinds.first).hasTimedOut)
        #expect(try presentation(of: kinds.last).options.contains(.banner))
    }

    @Test("The clock stops where an app is asked, unless deadlines are to pass")
    func clockStops() async throws {
        try await test.authorize()
        let app = try attach()
        try await test.add(.titled("a", in: .seconds(10)))
        try await test.add(.titled("b", in: .seconds(20)))
        let advance = try await test.advance(by: .seconds(60))
        #expect(advance.stop == .callback)
        #expect(advance.now.wall == .newYear + .seconds(10))
        #expect(advance.firedCount == 1)
        let callback = try #require(try await app.callbacks(1).first)
        try await test.complete([callback.number], with: .present([.list]), through: app)
        #expect(try await test.advance(by: .seconds(60)).now.wall == .newYear + .seconds(20))
        let rest = try await test.advance(by: .seconds(5), passesCallbacks: true)
        #expect(rest.stop == .target)
        #expect(try presentation(of: try await events().last).hasTimedOut)
    }

    @Test("Completed again in the same way it is done; in another way it has ended")
    func repeated() async throws {
        try await test.authorize()
        let app = try attach()
        try await test.add(.titled("a"))
        try await test.add(.titled("b"))
        let numbers = try await app.callbacks(2).map(\.number)
        try await test.complete([numbers[0]], with: .present([.list]), through: app)
        #expect(
            try await test.complete(numbers, with: .present([.list]), through: app) == [nil, nil]
        )
        #expect(try await events().count == 2)
        #expect(
            try await test.complete(numbers + [999], with: .present([.list]), through: app)
                == [nil, nil, .callbackUnknown(999)]
        )
        await #expect(throws: Refusal.callbackEnded(numbers[0])) {
            try await test.complete(numbers, with: .present([.banner]), through: app)
        }
        await #expect(throws: Refusal.callbackUnknown(numbers[0] + 500)) {
            try await test.complete([numbers[0] + 500], with: .taken, through: app)
        }
    }

    @Test("A newer primary takes over, and the question moves with the time left")
    func takeover() async throws {
        try await test.authorize()
        let first = try attach("first")
        try await test.add(.titled("a"))
        let asked = try await first.callbacks(1)
        try await test.advance(by: .seconds(2))
        let second = try attach("second")
        #expect(try await second.callbacks(1) == asked)
        while try await !first.next().isDemoted {}
        await #expect(throws: Refusal.notPrimary) {
            try await test.complete([asked[0].number], with: .present([.list]), through: first)
        }
        try await test.complete([asked[0].number], with: .present([.list]), through: second)
        #expect(try presentation(of: try await events().first).options == [.list])
        try await test.add(.titled("b"))
        #expect(try await second.callbacks(1).count == 1)
        await test.settle()
        let told = first.sink.waiting.compactMap { try? $0.get().callbacks }
        #expect(told.joined().isEmpty)
    }

    @Test("What is open is offered again at each attach, whatever it begins after")
    func offeredAgain() async throws {
        try await test.authorize()
        let first = try attach()
        try await test.add(.titled("a"))
        let asked = try await first.callbacks(1)
        first.cancel()
        for after in [nil, 0, try test.state().lastEvent] {
            let again = try attach("again", after: after)
            #expect(try await again.callbacks(1) == asked)
            again.cancel()
        }
        let observer = try test.subscribe(after: 0)
        let messages = try await observer.messagesUntilCaughtUp()
        #expect(messages.flatMap(\.callbacks).isEmpty)
        let unable = try test.subscribe(as: DelegateRole(capabilities: .didReceive), named: "b")
        #expect(try await unable.messagesUntilCaughtUp().flatMap(\.callbacks).isEmpty)
    }

    @Test("Removing it, or a newer one under its identifier, ends it with one event")
    func withdrawn() async throws {
        try await test.authorize()
        let app = try attach()
        let first = try NotificationRequest.titled("a") { $0.body = "first" }
        let second = try NotificationRequest.titled("a") { $0.body = "second" }
        try await test.add(first)
        let asked = try await app.callbacks(1)
        #expect(try await test.add(second).state == .arriving)
        #expect(try await events() == [withheld(first)])
        let ends = try await app.callbackEnds()
        #expect(ends == [CallbackEnd(callback: asked[0].number, outcome: .withdrawn)])
        #expect(try await test.removeDelivered(["a"]) == ["a"])
        #expect(try await events() == [withheld(first), withheld(second)])
        #expect(try test.state().arrivingCount == 0)
        await #expect(throws: Refusal.callbackEnded(asked[0].number)) {
            try await test.complete([asked[0].number], with: .present([.list]), through: app)
        }
        #expect(try await test.removeAllDelivered() == 0)
    }

    @Test("Removing all ends what is arriving, and pending ones stay")
    func allRemoved() async throws {
        try await test.authorize()
        _ = try attach()
        try await test.add(.titled("a"))
        try await test.add(.titled("b", in: .seconds(60)))
        #expect(try await test.removeAllDelivered() == 1)
        #expect(try test.state().arrivingCount == 0)
        #expect(try test.state().pendingCount == 1)
    }

    @Test("It survives a crash; the first start after its deadline settles it")
    func restart() async throws {
        try await test.authorize()
        let app = try attach()
        let request = try NotificationRequest.titled("a")
        try await test.add(request)
        let asked = try await app.callbacks(1)
        try test.crash()
        #expect(try test.state().arrivingCount == 1)
        let again = try attach()
        #expect(try await again.callbacks(1) == asked)
        again.cancel()
        try await test.suspend(by: .seconds(60))
        #expect(try presentation(of: try await events().first).hasTimedOut)
        #expect(try await test.delivered().map(\.request) == [request])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("A repeating request that is arriving goes on, and its record stays")
    func repeating() async throws {
        try await test.authorize()
        let app = try attach()
        try await test.add(.titled("a", in: .seconds(60), repeats: true))
        #expect(try await test.advance(by: .seconds(90)).stop == .callback)
        let asked = try await app.callbacks(1)
        #expect(try await test.pending().count == 1)
        try await test.removePending(["a"])
        try await test.complete([asked[0].number], with: .present([.list]), through: app)
        #expect(try await test.delivered().map(\.request.identifier) == ["a"])
        try await test.removeDelivered(["a"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("One more than may be arriving counts as one without an answer")
    func bound() async throws {
        try await test.authorize()
        try test.reopen { $0.limits.arrivingPerCenter = 2 }
        #expect(StoreLimits().arrivingPerCenter == 1_024)
        let app = try attach()
        try await test.add(.titled("a"))
        try await test.add(.titled("b"))
        #expect(try await test.add(.titled("c")).state == .delivered(1))
        #expect(try presentation(of: try await events().first).hasTimedOut)
        let asked = try await app.callbacks(2)
        try await test.complete([asked[0].number], with: .present([]), through: app)
        #expect(try await test.add(.titled("d")).state == .arriving)
    }

    @Test("The last 256 that ended are remembered")
    func remembered() async throws {
        try await test.authorize()
        let app = try attach()
        for index in 0..<258 { try await test.add(.titled("\(index)")) }
        let numbers = try await app.callbacks(258).map(\.number)
        try await test.complete(numbers, with: .present([]), through: app)
        #expect(try test.state().endedCallbackCount == 256)
        #expect(
            try await test.complete(numbers, with: .present([]), through: app)
                == [.callbackUnknown(numbers[0]), .callbackUnknown(numbers[1])]
                + Array(repeating: nil, count: 256)
        )
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }
}

private struct NotFound: Error {}
