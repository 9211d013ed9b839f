internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Recurrence in the store: bounds, counts, skipped occurrences and expiry.
///
/// The clock starts at new year's midnight, a Thursday.
@Suite("Recurrence in the store (CAL-11, 27)")
struct RecurrenceTests {
    private let test: TestStore

    init() async throws {
        test = try TestStore()
        try await test.authorize()
    }

    private static let hour = 3_600
    private static let day = 86_400

    private func daily(
        _ identifier: String,
        hour: Int = 9,
        zone: String = "",
        maximum: Int64? = nil,
        end: WallInstant? = nil,
        skip: [Int] = []
    ) throws -> NotificationRequest {
        var components = CalendarComponents()
        components.hour = hour
        components.timeZone = zone
        var request = try NotificationRequest.titled(identifier)
        request.trigger = .calendar(
            try CalendarTrigger(
                dateComponents: components,
                repeats: true,
                limits: try RecurrenceLimits(
                    endAt: end,
                    maxOccurrences: maximum,
                    skippedDays: skip.compactMap { CivilDate(year: 2_026, month: 1, day: $0) },
                    repeats: true
                )
            )
        )
        return request
    }

    private func skip(_ identifier: String) async throws -> SkipReply {
        try await test.result { $0.skipNext(identifier, of: test.center, completion: $1) }.get()
    }

    /// When each pending request fires next, in hours after new year.
    private func nextFires() async throws -> [String: Double] {
        Dictionary(
            uniqueKeysWithValues: try await test.pending { _ in }.map {
                (
                    $0.request.identifier,
                    Double($0.nextFire?.nanoseconds(since: .newYear) ?? 0) / 3_600_000_000_000
                )
            }
        )
    }

    /// The days of January on which an identifier was delivered, and how many each stands for.
    private func deliveries(_ identifier: String) async throws -> [String] {
        try await test.events().compactMap { event in
            switch event.kind {
            case .delivered(let delivered)
            where delivered.notification.request.identifier == identifier:
                let day = event.date.nanoseconds(since: .newYear) / 86_400_000_000_000 + 1
                return "\(day)+\(delivered.collapsedCount)"
            case .missed(let fired) where fired.request.identifier == identifier: return "missed"
            case .expired(let expired) where expired == identifier: return "expired"
            default: return nil
            }
        }
    }

    @Test("The last occurrence ends the request, with an event")
    func count() async throws {
        try await test.add(daily("three", maximum: 3))
        try await test.add(daily("until", end: .newYear + .seconds(33 * 3_600)))
        try await test.add(daily("skips", maximum: 3, skip: [2, 3]))
        try await test.advance(by: .seconds(7 * Self.day))
        #expect(try await deliveries("three") == ["1+0", "2+0", "3+0", "expired"])
        #expect(try await deliveries("until") == ["1+0", "2+0", "expired"])
        #expect(try await deliveries("skips") == ["1+0", "4+0", "5+0", "expired"])
        #expect(try await nextFires().isEmpty)
        #expect(try test.state().pendingCount == 0)
        #expect(try await test.delivered().count == 3)
    }

    @Test("Occurrences that a late firing stands for count, as do interval's")
    func collapsed() async throws {
        try await test.add(daily("five", maximum: 5))
        var interval = try NotificationRequest.titled("interval")
        interval.trigger = .timeInterval(
            try TimeIntervalTrigger(
                intervalNanoseconds: 3_600 * .nanosecondsPerSecond,
                repeats: true,
                maxOccurrences: 4
            )
        )
        try await test.add(interval)
        try await test.suspend(by: .seconds(3 * Self.day))
        #expect(try await deliveries("five") == ["4+2"])
        #expect(try await deliveries("interval") == ["4+3", "expired"])
        try test.reopen()
        try await test.suspend(by: .seconds(3 * Self.day))
        #expect(try await deliveries("five") == ["4+2", "7+1", "expired"])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A skipped occurrence does not fire, does not count, and stays skipped")
    func skips() async throws {
        try await test.add(daily("two", maximum: 2))
        let reply = try await skip("two")
        #expect(reply.skipped == .newYear + .seconds(9 * 3_600))
        #expect(reply.nextFire == .newYear + .seconds(33 * 3_600))
        // Days ahead, by more than a wrong clock would be believed (CAL-8).
        #expect(try await skip("two").nextFire == .newYear + .seconds(57 * 3_600))
        try await test.updateDevice { $0.timeZone = "America/New_York" }
        await test.settle()
        // 09:00 of the third in New York.
        #expect(try await nextFires() == ["two": 62])
        try test.reopen()
        try await test.advance(by: .seconds(6 * Self.day))
        #expect(try await deliveries("two") == ["3+0", "4+0", "expired"])
    }

    @Test("To skip the only occurrence ends the request")
    func skipsLast() async throws {
        try await test.add(.titled("once", in: .seconds(60)))
        try await test.add(daily("last", maximum: 9, end: .newYear + .seconds(9 * 3_600)))
        #expect(try await skip("once") == SkipReply(skipped: .newYear + .seconds(60)))
        #expect(try await skip("last").nextFire == nil)
        #expect(try await deliveries("once") == ["expired"])
        #expect(try await deliveries("last") == ["expired"])
        #expect(try await nextFires().isEmpty)
        for identifier in ["once", "last", "nothing"] {
            let result = await test.result {
                $0.skipNext(identifier, of: test.center, completion: $1)
            }
            guard case .failure(let refusal) = result else {
                Issue.record("\(identifier) was skipped")
                continue
            }
            #expect(refusal.reason == .requestNotPending)
        }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("An interval skips by elapsed time; a retry under one key skips once")
    func skipsInterval() async throws {
        try await test.add(.titled("hourly", in: .seconds(3_600), repeats: true))
        let text = "019b76da-a800-7000-8000-000000000001"
        for _ in 0..<2 {
            let key = try OnceKey(text, method: "SkipNext", request: [])
            let reply = try await test.result {
                $0.skipNext("hourly", of: test.center, once: key, completion: $1)
            }.get()
            #expect(reply.nextFire == .newYear + .seconds(7_200))
        }
        #expect(try await nextFires() == ["hourly": 2])
        try await test.advance(by: .seconds(3 * Self.hour))
        #expect(try await deliveries("hourly") == ["1+0", "1+0"])
    }

    @Test("An anchored interval keeps its grid through down time, and its local time through zones")
    func anchored() async throws {
        var request = try NotificationRequest.titled("every 3 days")
        request.trigger = .anchoredInterval(
            try AnchoredIntervalTrigger(
                anchor: .newYear + .seconds(10 * 3_600),
                step: .calendar(count: 3, .day),
                repeats: true
            )
        )
        try await test.add(request)
        #expect(try await nextFires() == ["every 3 days": 10])
        try await test.advance(by: .seconds(Self.day))
        try await test.suspend(by: .seconds(6 * Self.day))
        #expect(try await deliveries("every 3 days") == ["1+0", "8+1"])
        #expect(try await nextFires() == ["every 3 days": 9 * 24 + 10])
        try await test.updateDevice { $0.timeZone = "America/New_York" }
        await test.settle()
        #expect(try await nextFires() == ["every 3 days": 9 * 24 + 15])
        try await test.setClock(to: .newYear + .seconds(6 * Self.day))
        await test.settle()
        #expect(try await nextFires() == ["every 3 days": 6 * 24 + 15])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A request that is later than it says is missed, and a repeating one goes on")
    func expires() async throws {
        for (identifier, hours) in [("short", 1), ("long", 100)] {
            var request = try NotificationRequest.titled(identifier, in: .seconds(3_600))
            request.expiresAfterNanoseconds = Int64(hours * 3_600) * .nanosecondsPerSecond
            try await test.add(request)
        }
        var daily = try daily("daily")
        daily.expiresAfterNanoseconds = 3_600 * .nanosecondsPerSecond
        try await test.add(daily)
        try await test.suspend(by: .seconds(3 * Self.day))
        #expect(try await deliveries("short") == ["missed"])
        #expect(try await deliveries("long") == ["4+0"])
        #expect(try await deliveries("daily") == ["missed"])
        #expect(try await nextFires() == ["daily": 81])
        try await test.advance(by: .seconds(Self.day))
        #expect(try await deliveries("daily") == ["missed", "4+0"])
    }

    @Test("Bounds that leave nothing are refused by their name, else the rule is")
    func refused() async throws {
        var never = CalendarComponents()
        never.year = 2_020
        let limits = try RecurrenceLimits(endAt: .newYear, repeats: true)
        let rows: [(Trigger, String)] = [
            (
                .calendar(try CalendarTrigger(dateComponents: never, repeats: true)),
                "trigger.calendar.dateComponents"
            ),
            (
                .calendar(
                    try CalendarTrigger(dateComponents: never, repeats: true, limits: limits)
                ),
                "trigger.calendar.dateComponents"
            ),
            (try #require(daily("x", end: .newYear).trigger), "trigger.limits"),
            (
                .anchoredInterval(
                    try AnchoredIntervalTrigger(
                        anchor: .newYear,
                        step: .calendar(count: 1, .day),
                        repeats: true,
                        limits: limits
                    )
                ),
                "trigger.limits"
            ),
            (
                .anchoredInterval(
                    try AnchoredIntervalTrigger(
                        anchor: .newYear,
                        step: .calendar(count: 1_000, .year),
                        repeats: true
                    )
                ),
                "trigger.anchoredInterval"
            ),
        ]
        for (trigger, field) in rows {
            var request = try NotificationRequest.titled("x")
            request.trigger = trigger
            let result = try await test.addBatch([.success(request)])
            guard case .failure(let refusal)? = result.first else {
                Issue.record("\(trigger) was added")
                continue
            }
            #expect(refusal.reason == .notificationInvalidNoDate)
            #expect(refusal.fields.map(\.path.text) == ["requests[0]." + field])
        }
    }
}
