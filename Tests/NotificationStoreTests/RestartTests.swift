internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Restarts (ST-1, TM-1; §7.6)")
struct RestartTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("Everything is there again, and goes on where it was")
    func everything() async throws {
        let other = try CenterName(app: test.center.app, device: "phone")
        try await test.authorize([.alert, .sound, .badge, .providesAppNotificationSettings])
        try await test.authorize([.alert, .provisional], for: other)
        try await test.add(.titled("once", in: .seconds(90)) { $0.userInfoJSON = #"{"a": 1}"# })
        try await test.add(.titled("repeats", in: .seconds(60), repeats: true) { $0.badge = 3 })
        try await test.add(.titled("now") { $0.sound = Sound(name: "bell", volume: 0.5) })
        try await test.add(.titled("theirs", in: .seconds(70)), to: other)
        try await test.advance(by: .seconds(61))

        let states = [try test.state(), try test.state(of: other)]
        let pending = try await test.pending()
        let delivered = try await test.delivered()
        let events = try await test.events()
        let now = test.store.clock.now()
        for _ in 0..<2 {
            try test.reopen()
            #expect([try test.state(), try test.state(of: other)] == states)
            #expect(try await test.pending() == pending)
            #expect(try await test.delivered() == delivered)
            #expect(try await test.events() == events)
            #expect(test.store.clock.now() == now)
        }

        let advance = try await test.advance(by: .seconds(60))
        #expect(advance.firedCount == 3)
        #expect(advance.lastEvents == [test.center: 6, other: 2])
        #expect(try await test.delivered().map(\.delivery) == [4, 3, 1])
        try await test.authorize(for: .local("org.example.third"))
        #expect(try test.store.usage().centers == 3)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A manual clock goes on from where it was, whatever start it is given")
    func manualClock() async throws {
        try await test.advance(by: .seconds(100))
        try test.reopen { $0.clock = .manual(start: WallInstant(nanoseconds: 5)) }
        #expect(test.store.clock.now().wall == .newYear + .seconds(100))
    }

    /// Lets `duration` pass while the server is down.
    private func downTime(_ duration: Duration) throws {
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            var state = try file.state()
            state.now = state.now.advanced(byNanoseconds: duration.nanoseconds)
            try file.set(state)
        }
        try test.reopen()
    }

    @Test("D-8: What was due in down time comes late and once, and repeats stay on their grid")
    func downTimeOfAnHour() async throws {
        try await test.authorize()
        try await test.add(.titled("once", in: .seconds(60)))
        try await test.add(.titled("repeats", in: .seconds(600), repeats: true))
        try await test.add(.titled("later", in: .seconds(3_601)))
        try downTime(.seconds(3_600))
        // A start fires due requests, and nobody has to ask for it.
        let fired = try await test.subscribe(after: 1).events(2)
        let hour = WallInstant.newYear + .seconds(3_600)
        let late: [(String, Int, Int64)] = fired.compactMap { event in
            guard case .delivered(let delivered) = event.kind else { return nil }
            #expect(delivered.notification.date == hour)
            return (
                delivered.notification.request.identifier,
                Int(delivered.lateByNanoseconds / .nanosecondsPerSecond),
                delivered.collapsedCount
            )
        }
        #expect(late.map(\.0) == ["once", "repeats"])
        // DT-5: the lateness is that of the latest of several occurrences.
        #expect(late.map(\.1) == [3_540, 0])
        #expect(late.map(\.2) == [0, 5])
        let next = try await test.pending { $0.order = .nextFireDate }.map(\.nextFire)
        #expect(next == [hour + .seconds(1), hour + .seconds(600)])
        #expect(test.store.counts.lateness.count == 2)
        #expect(
            test.store.counts.lateness.maximumNanoseconds == Duration.seconds(3_540).nanoseconds
        )
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("D-8: A one-shot that is more than 24 h late is missed, and told so")
    func downTimeOfDays() async throws {
        try await test.authorize()
        let missed = try NotificationRequest.titled("missed", in: .seconds(60))
        try await test.add(missed)
        try await test.add(.titled("just in time", in: .seconds(60 + 86_400)))
        try await test.add(.titled("repeats", in: .seconds(86_400), repeats: true))
        let lateness = Duration.seconds(2 * 86_400)
        try downTime(lateness + .seconds(60))
        let kinds = try await test.subscribe(after: 1).events(3).map(\.kind)
        let expected = Event.Fired(
            request: missed,
            lateByNanoseconds: lateness.nanoseconds,
            collapsedCount: 0
        )
        #expect(kinds.first == .missed(expected))
        #expect(
            try await test.delivered().map(\.request.identifier) == ["just in time", "repeats"]
        )
        #expect(try await test.pending().map(\.request.identifier) == ["repeats"])
        #expect(test.store.counts.missed == 1)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("More than a batch that is due after down time fires in the order of its instants")
    func manyAfterDownTime() async throws {
        try test.reopen { $0.limits.rowsPerBatch = 64 }
        try await test.authorize()
        try await test.addAll((0..<500).map { try .titled("\($0)", in: .seconds(600 - $0)) })
        try downTime(.seconds(700))
        let fired = try await test.subscribe(after: 1).events(500)
        let identifiers = fired.compactMap { event in
            if case .delivered(let delivered) = event.kind {
                delivered.notification.request.identifier
            } else {
                nil
            }
        }
        #expect(identifiers == (0..<500).reversed().map { "\($0)" })
    }

    @Test("The system clock's elapsed time loses and gains nothing over a restart")
    func elapsedOverRestart() async throws {
        let test = try TestStore { $0.clock = .system }
        try await test.authorize()
        let origin = test.store.clock.bootNanoseconds(at: ElapsedInstant(nanoseconds: 0))
        for _ in 0..<3 {
            try await test.addAll((0..<300).map { try .titled("\($0)", in: .seconds(600)) })
            try test.reopen()
            let now = test.store.clock.bootNanoseconds(at: ElapsedInstant(nanoseconds: 0))
            #expect(now == origin)
        }
    }

    @Test("Over a boot of the machine elapsed time goes on by the wall clock, and never back")
    func elapsedOverBoot() async throws {
        let hour = Int64(3_600_000_000_000)
        let system = SystemTime.now()
        for (passed, expected) in [(hour, hour), (0, 0), (-hour, 0)] {
            let wall = WallInstant(nanoseconds: system.wallNanoseconds - passed)
            let last = StoreState(
                now: Now(elapsed: ElapsedInstant(nanoseconds: 7 * hour), wall: wall),
                // A clock of another boot says nothing, whatever it shows.
                bootNanoseconds: system.bootNanoseconds + hour,
                bootIdentifier: "another boot",
                localZone: "UTC"
            )
            let clock = Clock(form: .system, last: last)
            let elapsed = clock.now().elapsed.nanoseconds - 7 * hour - expected
            let passedMeanwhile = SystemTime.now().bootNanoseconds - system.bootNanoseconds
            #expect(elapsed >= 0)
            // Real time: the bound grows with the time that passed.
            #expect(elapsed <= passedMeanwhile * 2)
        }
    }

    @Test("DT-4: A clock that was never set says nothing of how long the machine was off")
    func clockNeverSet() {
        let system = SystemTime.now()
        let last = StoreState(
            now: Now(elapsed: .init(nanoseconds: 7), wall: .init(nanoseconds: 60)),
            bootNanoseconds: system.bootNanoseconds,
            bootIdentifier: "another boot",
            localZone: "UTC"
        )
        let elapsed = Clock(form: .system, last: last).now().elapsed.nanoseconds - 7
        #expect(elapsed >= 0)
        // Real time: the bound grows with the time since the reading.
        #expect(elapsed <= (SystemTime.now().bootNanoseconds - system.bootNanoseconds) * 2)
    }

    @Test("Within a boot a clock set changes no elapsed time")
    func clockSet() throws {
        let system = SystemTime.now()
        for wall in [0, system.wallNanoseconds, .max] {
            let last = StoreState(
                now: Now(
                    elapsed: ElapsedInstant(nanoseconds: 1_000),
                    wall: WallInstant(nanoseconds: wall)
                ),
                bootNanoseconds: system.bootNanoseconds - 500,
                bootIdentifier: SystemTime.bootIdentifier(),
                localZone: "UTC"
            )
            let clock = Clock(form: .system, last: last)
            let elapsed = ElapsedInstant(nanoseconds: 1_500)
            #expect(clock.bootNanoseconds(at: elapsed) == system.bootNanoseconds)
        }
    }
}
