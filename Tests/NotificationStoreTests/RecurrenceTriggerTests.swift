internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// The recurrence trigger in the store: firing, skips, zones, down time and a clock that is set.
///
/// The clock starts at new year's midnight, a Thursday.
@Suite("REC-1: Recurrences in the store")
struct RecurrenceTriggerTests {
    private let test: TestStore

    init() async throws {
        test = try TestStore()
        try await test.authorize()
    }

    private static let day = 86_400

    private func add(
        _ identifier: String,
        _ text: RecurrenceTrigger.Text,
        start: Int? = nil,
        zone: String = ""
    ) async throws {
        var request = try NotificationRequest.titled(identifier)
        request.trigger = .recurrence(
            try RecurrenceTrigger(text: text, start: start, timeZone: zone, repeats: true)
        )
        try await test.add(request)
    }

    /// When what is pending fires next, in hours after new year.
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

    @Test("A crontab fires, collapses what a stop missed, and is as it was after a restart")
    func fires() async throws {
        try await add("office", .cron("0 9,18 * * 1-5"))
        #expect(try await nextFires() == ["office": 9])
        try await test.advance(by: .seconds(9 * 3_600))
        #expect(try await nextFires() == ["office": 18])
        try test.reopen()
        #expect(try await nextFires() == ["office": 18])
        // Thursday evening and Friday are missed: one notification stands for all three.
        try await test.suspend(by: .seconds(3 * Self.day))
        let collapsed = try await test.events().compactMap { event -> Int64? in
            guard case .delivered(let delivered) = event.kind else { return nil }
            return delivered.collapsedCount
        }
        #expect(collapsed == [0, 2])
        #expect(try await nextFires() == ["office": 4 * 24 + 9])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A skipped occurrence stays skipped, and the last one ends the request")
    func skips() async throws {
        try await add("three", .rule("FREQ=DAILY;COUNT=3"), start: 1_767_258_000)
        let reply = try await test.result {
            $0.skipNext("three", of: test.center, completion: $1)
        }.get()
        #expect(reply.skipped == .newYear + .seconds(9 * 3_600))
        #expect(reply.nextFire == .newYear + .seconds(33 * 3_600))
        try await test.advance(by: .seconds(3 * Self.day))
        #expect(try await nextFires().isEmpty)
        #expect(try await test.delivered().count == 1)
    }

    @Test("REC-7: What is long to count is spread over batches: others and a stop come between")
    func spread() async throws {
        let count = 24
        for number in 0..<count {
            let rule = "FREQ=MINUTELY;INTERVAL=7;BYSECOND=0,1"
            try await add("long \(number)", .rule(rule), start: 1_767_258_000)
        }
        let before = test.store.counts
        let advanced = try await test.suspend(by: .seconds(5 * 365 * Self.day))
        #expect(advanced.firedCount == count)
        let after = test.store.counts
        #expect(after.fired - before.fired == count)
        let rows = Limits.passedSteps / DueWork.searchStepsPerRow
        // A step of the command has 256 rows.
        #expect(after.batches - before.batches >= count * rows / (256 + rows))
        #expect(try await nextFires().count == count)
    }

    @Test("REC-4: A floating one moves with the device's zone, and a set clock is searched again")
    func changes() async throws {
        try await add("floats", .rule("FREQ=DAILY;INTERVAL=2"), start: 1_767_258_000)
        try await add("fixed", .cron("0 9 * * *"), zone: "Asia/Tokyo")
        #expect(try await nextFires() == ["floats": 9, "fixed": 24])
        try await test.updateDevice { $0.timeZone = "America/New_York" }
        await test.settle()
        #expect(try await nextFires() == ["floats": 14, "fixed": 24])
        try await test.advance(by: .seconds(4 * Self.day))
        #expect(try await nextFires() == ["floats": 4 * 24 + 14, "fixed": 5 * 24])
        // Back by more than a day: the clock was wrong (CAL-8).
        try await test.setClock(to: .newYear + .seconds(Self.day))
        await test.settle()
        #expect(try await nextFires() == ["floats": 2 * 24 + 14, "fixed": 2 * 24])
    }
}
