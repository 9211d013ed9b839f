internal import NotificationCore
internal import Testing

private let second = Int64.nanosecondsPerSecond
private let century = Int64(Limits.intervalNanoseconds)

@Suite("Time interval triggers (§7.2)")
struct TimeIntervalTriggerTests {
    /// An interval, and the problem with it.
    struct Interval: Sendable, CustomTestStringConvertible {
        let rule: String
        let nanoseconds: Int64
        let repeats: Bool
        let problem: String?

        init(_ rule: String, _ nanoseconds: Int64, repeats: Bool = false, refused: String? = nil) {
            self.rule = rule
            self.nanoseconds = nanoseconds
            self.repeats = repeats
            problem = refused
        }

        var testDescription: String { rule }
    }

    @Test(
        "TI-1: An interval is greater than 0, at least 60 s if repeating, at most 100 years",
        arguments: [
            Interval("0", 0, refused: "time interval must be greater than 0"),
            Interval("0, repeating", 0, repeats: true, refused: "must be greater than 0"),
            Interval("-1 s", -second, refused: "must be greater than 0"),
            Interval("the most negative", .min, refused: "must be greater than 0"),
            Interval("1 ns", 1),
            Interval("59.9 s, once", 59_900_000_000),
            Interval("59.9 s, repeating", 59_900_000_000, repeats: true, refused: "at least 60"),
            Interval(
                "60 s less 1 ns, repeating",
                60 * second - 1,
                repeats: true,
                refused: "time interval must be at least 60 seconds if repeating"
            ),
            Interval("60 s, repeating", 60 * second, repeats: true),
            Interval("100 years", century),
            Interval("100 years, repeating", century, repeats: true),
            Interval("100 years and 1 ns", century + 1, refused: "at most 100 years"),
            Interval("the greatest", .max, repeats: true, refused: "at most 100 years"),
        ]
    )
    func limits(interval: Interval) throws {
        let make = { () throws(Refusal) in
            try TimeIntervalTrigger(
                intervalNanoseconds: interval.nanoseconds,
                repeats: interval.repeats
            )
        }
        guard let problem = interval.problem else {
            let trigger = try make()
            #expect(trigger.intervalNanoseconds == interval.nanoseconds)
            #expect(trigger.repeats == interval.repeats)
            return
        }
        let refusal = try #require(#expect(throws: Refusal.self) { _ = try make() })
        #expect(refusal.kind == .invalidArgument)
        #expect(refusal.reason == .timeIntervalInvalid)
        #expect(refusal.fields.map(\.path) == [[.timeInterval, .interval]])
        #expect(refusal.message.contains(problem))
    }

    @Test("TI-1: 100 years are 36,525 days")
    func centuryInDays() {
        #expect(century == 36_525 * 86_400 * second)
    }

    @Test("TI-2: 1,000 firings, each one late, do not drift from base + k * interval")
    func drift() throws {
        let interval = 61 * second + 7
        let trigger = try TimeIntervalTrigger(intervalNanoseconds: interval, repeats: true)
        let base = ElapsedInstant(nanoseconds: 12_345)
        var due = base
        for firing in Int64(1)...1_000 {
            // The batch that fired the one before ran up to almost an interval late.
            let late = (firing * 7_919_777_777) % interval
            due = try #require(
                trigger.nextFire(base: base, after: due.advanced(byNanoseconds: late))
            )
            #expect(due.nanoseconds == 12_345 + firing * interval)
        }
    }

    /// When a trigger of 60 s with the base 100 s fires next.
    struct Search: Sendable, CustomTestStringConvertible {
        let rule: String
        let now: Int64
        let once: Int64?
        let repeating: Int64?

        init(_ rule: String, now: Int64, once: Int64?, repeating: Int64?) {
            self.rule = rule
            self.now = now
            self.once = once
            self.repeating = repeating
        }

        var testDescription: String { rule }
    }

    @Test(
        "TI-3: The next firing lies strictly in the future, and on the grid",
        arguments: [
            Search("when added", now: 100, once: 160, repeating: 160),
            Search("before it was added", now: 50, once: 160, repeating: 160),
            Search("under way", now: 159, once: 160, repeating: 160),
            Search("at the first instant", now: 160, once: nil, repeating: 220),
            Search("after it", now: 161, once: nil, repeating: 220),
            Search("at the second instant", now: 220, once: nil, repeating: 280),
            Search("after down time", now: 6_000_100 + 1, once: nil, repeating: 6_000_160),
        ]
    )
    func nextFire(search: Search) throws {
        for (repeats, expected) in [(false, search.once), (true, search.repeating)] {
            let trigger = try TimeIntervalTrigger(
                intervalNanoseconds: 60 * second,
                repeats: repeats
            )
            let next = trigger.nextFire(
                base: ElapsedInstant(nanoseconds: 100 * second),
                after: ElapsedInstant(nanoseconds: search.now * second)
            )
            #expect(next?.nanoseconds == expected.map { $0 * second })
        }
    }

    @Test(
        "D-8: One late firing stands for the instants of the grid that passed meanwhile",
        arguments: zip([0, 1, 59, 60, 61, 119, 120, 6_000] as [Int64], [0, 0, 0, 1, 1, 1, 2, 100])
    )
    func collapsed(late: Int64, count: Int64) throws {
        let due = ElapsedInstant(nanoseconds: 700 * second)
        let now = due.advanced(byNanoseconds: late * second)
        let repeating = try TimeIntervalTrigger(intervalNanoseconds: 60 * second, repeats: true)
        let passed = repeating.passed(from: due, to: now)
        #expect(passed.earlierCount == count)
        #expect(passed.latest == due.advanced(byNanoseconds: count * 60 * second))
        let once = try TimeIntervalTrigger(intervalNanoseconds: 60 * second, repeats: false)
        #expect(once.passed(from: due, to: now).earlierCount == 0)
    }
}
