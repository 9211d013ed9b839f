internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("The dates to come (§27)")
struct UpcomingDatesTests {
    private let now = Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: .newYear)

    private func upcoming(
        seconds: Int64,
        repeats: Bool,
        until end: Duration,
        atMost limit: Int = 100
    ) throws -> UpcomingDates {
        let trigger = try TimeIntervalTrigger(
            intervalNanoseconds: seconds * .nanosecondsPerSecond,
            repeats: repeats
        )
        let base = ElapsedInstant(nanoseconds: 0)
        return UpcomingDates(
            of: .timeInterval(trigger),
            from: .elapsed(base.advanced(byNanoseconds: seconds * .nanosecondsPerSecond)),
            base: base,
            until: .newYear + end,
            atMost: limit,
            now: now,
            in: .utc
        )
    }

    @Test("One that fires once has one date, in the window or outside of it")
    func once() throws {
        let once = try upcoming(seconds: 60, repeats: false, until: .seconds(60))
        #expect(once.dates == [.newYear + .seconds(60)])
        #expect(!once.hasMore)
        let outside = try upcoming(seconds: 61, repeats: false, until: .seconds(60))
        #expect(outside.dates == [])
        #expect(!outside.hasMore)
    }

    @Test(
        "One that repeats has each date up to the end of the window and to the limit",
        arguments: [(180, 3, 3, false), (180, 2, 2, true), (239, 3, 3, false), (240, 3, 3, true)]
    )
    func repeating(row: (seconds: Int, limit: Int, count: Int, hasMore: Bool)) throws {
        let found = try upcoming(
            seconds: 60,
            repeats: true,
            until: .seconds(row.seconds),
            atMost: row.limit
        )
        #expect(found.dates == (1...row.count).map { .newYear + .seconds(60 * $0) })
        #expect(found.hasMore == row.hasMore)
    }
}
