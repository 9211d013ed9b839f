internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

private let century = Int64(Limits.intervalNanoseconds)

@Suite("The manual clock (W-19)")
struct AdvanceClockTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    /// The identifiers that were delivered, with the seconds at which they were.
    private func deliveries() async throws -> [String] {
        try await test.events().compactMap { event in
            guard case .delivered(let delivered) = event.kind else { return nil }
            let late = event.date.nanoseconds - WallInstant.newYear.nanoseconds
            #expect(late % .nanosecondsPerSecond == 0)
            return "\(delivered.notification.request.identifier) \(late / .nanosecondsPerSecond)"
        }
    }

    @Test("It stands still until it is moved")
    func standsStill() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .nanoseconds(1)))
        await test.settle()
        #expect(test.store.clock.now().wall == .newYear)
        #expect(test.store.clock.now().elapsed == ElapsedInstant(nanoseconds: 0))
        #expect(try test.state().pendingCount == 1)
    }

    @Test("By a duration: both clocks move, and what is due on the way fires at its instant")
    func by() async throws {
        try await test.authorize()
        for (identifier, seconds) in [("c", 30), ("a", 10), ("b", 20), ("d", 31)] {
            try await test.add(.titled(identifier, in: .seconds(seconds)))
        }
        let advance = try await test.advance(by: .seconds(30))
        #expect(advance.now.wall == .newYear + .seconds(30))
        #expect(advance.now.elapsed == ElapsedInstant(nanoseconds: 30 * .nanosecondsPerSecond))
        #expect(advance.firedCount == 3)
        #expect(advance.eventCount == 3)
        #expect(advance.stop == .target)
        #expect(advance.lastEvents == [test.center: 4])
        #expect(test.store.clock.now() == advance.now)
        #expect(try await deliveries() == ["a 10", "b 20", "c 30"])
        #expect(try await test.pending().map(\.request.identifier) == ["d"])
    }

    @Test("To a date, and to the same date again")
    func toDate() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(10)))
        let date = WallInstant.newYear + .seconds(15)
        let advance = try await test.advance(.to(date))
        #expect(advance.now.wall == date)
        #expect(advance.firedCount == 1)
        let again = try await test.advance(.to(date))
        #expect(again.now == advance.now)
        #expect(again.firedCount == 0)
    }

    @Test("To the next due instant, of which all fire, and then nothing is due")
    func toNextDue() async throws {
        try await test.authorize()
        for (identifier, seconds) in [("a", 10), ("b", 10), ("c", 20)] {
            try await test.add(.titled(identifier, in: .seconds(seconds)))
        }
        let first = try await test.advance(.toNextDue)
        #expect(first.now.wall == .newYear + .seconds(10))
        #expect(first.firedCount == 2)
        #expect(try await test.advance(.toNextDue).now.wall == .newYear + .seconds(20))
        let none = try await test.advance(.toNextDue)
        #expect(none.stop == .nothingDue)
        #expect(none.now.wall == .newYear + .seconds(20))
        #expect(none.firedCount == 0)
        #expect(none.lastEvents.isEmpty)
    }

    @Test("Nothing fires early, be it by a nanosecond")
    func neverEarly() async throws {
        try await test.authorize()
        let due = Duration.seconds(10)
        try await test.add(.titled("a", in: due))
        try await test.add(.titled("b", in: due + .nanoseconds(1)))
        #expect(try await test.advance(by: due - .nanoseconds(1)).firedCount == 0)
        #expect(try await test.advance(by: .nanoseconds(1)).firedCount == 1)
        // Nor in a batch that has other work.
        try await test.removePending(["c"])
        #expect(try await test.pending().map(\.request.identifier) == ["b"])
        #expect(try await test.advance(by: .nanoseconds(1)).firedCount == 1)
        let dates = try await test.events(after: 1).map(\.date)
        #expect(dates == [.newYear + due, .newYear + due + .nanoseconds(1)])
    }

    @Test("Repeats fire at each instant of their grids, in order, none of them late")
    func repeats() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(60), repeats: true))
        try await test.advance(by: .seconds(30))
        try await test.add(.titled("b", in: .seconds(70), repeats: true))
        try await test.advance(by: .seconds(210))
        let expected = ["a 60", "b 100", "a 120", "b 170", "a 180", "a 240", "b 240"]
        #expect(try await deliveries() == expected)
        for event in try await test.events() {
            guard case .delivered(let delivered) = event.kind else { continue }
            #expect(delivered.lateByNanoseconds == 0)
            #expect(delivered.collapsedCount == 0)
        }
    }

    @Test(
        "Many due at one instant, and at many, are counted over all their batches",
        arguments: [1, 60],
        [255, 256, 257, 1_000]
    )
    func manyBatches(instants: Int, count: Int) async throws {
        try await test.authorize()
        let requests = try (0..<count).map { index in
            try NotificationRequest.titled("\(index)", in: .seconds(60 + index % instants))
        }
        try await test.addAll(requests)
        let batches = test.store.counts.batches
        let advance = try await test.advance(by: .seconds(200))
        #expect(advance.firedCount == count)
        #expect(advance.eventCount == count)
        #expect(advance.lastEvents == [test.center: EventNumber(count + 1)])
        #expect(advance.now.wall == .newYear + .seconds(200))
        #expect(test.store.counts.batches - batches > count / 257)
        #expect(try test.state().pendingCount == 0)
        #expect(try await deliveries().count == count)
        #expect(test.store.counts.lateness.maximumNanoseconds == 0)
    }

    @Test("300 repeats over an hour fire 18,000 times, and drift by nothing")
    func load() async throws {
        try await test.authorize()
        let requests = try (0..<300).map { index in
            try NotificationRequest.titled("\(index)", in: .seconds(60), repeats: true)
        }
        try await test.addAll(requests)
        let advance = try await test.advance(by: .seconds(3_600))
        #expect(advance.firedCount == 18_000)
        #expect(try test.state().lastEvent == 18_001)
        #expect(try test.state().deliveredCount == 300)
        let next = try await test.pending().map(\.nextFire)
        #expect(Set(next) == [.newYear + .seconds(3_660)])
    }

    @Test("Others' calls are answered between the batches of a long advance")
    func othersGoOn() async throws {
        try await test.authorize()
        try await test.addAll(
            (0..<2_000).map { try .titled("\($0)", in: .seconds(60 + $0)) }
        )
        let advance = Pending<ClockAdvance>()
        let badge = Pending<Int32>()
        await test.whileWriterRests {
            test.store.advanceClock(.by(nanoseconds: century), completion: advance.complete)
            test.store.setBadgeCount(1, of: test.center) { result in
                #expect(!advance.isComplete)
                badge.complete(result)
            }
        }
        #expect(try await badge.value.get() == 1)
        #expect(try await advance.value.get().firedCount == 2_000)
    }

    @Test("Two advances at once never move the clock back")
    func twoAtOnce() async throws {
        try await test.authorize()
        try await test.addAll(
            (0..<1_000).map { try .titled("\($0)", in: .seconds(60 + $0)) }
        )
        let long = Pending<ClockAdvance>()
        let short = Pending<ClockAdvance>()
        await test.whileWriterRests {
            let second = Int64.nanosecondsPerSecond
            test.store.advanceClock(.by(nanoseconds: 2_000 * second), completion: long.complete)
            test.store.advanceClock(.by(nanoseconds: 100 * second), completion: short.complete)
        }
        let end = try await long.value.get()
        #expect(end.now.wall == .newYear + .seconds(2_000))
        #expect(try await short.value.get().now <= end.now)
        let dates = try await test.events().map(\.date)
        #expect(dates == dates.sorted())
        #expect(try await deliveries() == (0..<1_000).map { "\($0) \(60 + $0)" })
        #expect(test.store.clock.now() == end.now)
    }

    @Test(
        "A target in the past or more than 100 years away is refused, and nothing moves",
        arguments: zip(
            [
                .by(nanoseconds: -1), .by(nanoseconds: century + 1), .by(nanoseconds: .min),
                .to(WallInstant(nanoseconds: WallInstant.newYear.nanoseconds - 1)),
                .to(WallInstant(nanoseconds: .min)), .to(WallInstant(nanoseconds: .max)),
            ] as [ClockTarget],
            [[.by], [.by], [.by], [.to], [.to], [.to]] as [FieldPath]
        )
    )
    func badTarget(target: ClockTarget, field: FieldPath) async throws {
        let refusal = await #expect(throws: Refusal.self) { try await test.advance(target) }
        #expect(refusal?.kind == .invalidArgument)
        #expect(refusal?.reason == .clockTargetInvalid)
        #expect(refusal?.fields.map(\.path) == [field])
        #expect(test.store.clock.now().wall == .newYear)
    }

    @Test("The clock ends where an interval could no longer be added, and the store goes on")
    func endOfTime() async throws {
        try await test.authorize()
        try await test.add(.titled("repeats", in: .seconds(Int64(50_000_000)), repeats: true))
        var refusal: Refusal?
        for _ in 0..<4 where refusal == nil {
            do {
                try await test.advance(.by(nanoseconds: century))
            } catch let error as Refusal {
                refusal = error
            }
        }
        #expect(refusal?.kind == .invalidArgument)
        let added = try await test.add(.titled("a", in: .nanoseconds(century)))
        guard case .pending(let date?) = added.state else {
            Issue.record("it is not pending")
            return
        }
        #expect(date > test.store.clock.now().wall)
        try await test.advance(by: .zero)
        #expect(test.failure == nil)
    }

    @Test("The system clock is not moved")
    func systemClock() async throws {
        let test = try TestStore { $0.clock = .system }
        let refusal = await #expect(throws: Refusal.self) {
            try await test.advance(by: .seconds(1))
        }
        #expect(refusal?.kind == .failedPrecondition)
        #expect(refusal?.reason == .clockNotManual)
    }
}

extension Now {
    fileprivate static func <= (left: Now, right: Now) -> Bool {
        left.elapsed <= right.elapsed && left.wall <= right.wall
    }
}
