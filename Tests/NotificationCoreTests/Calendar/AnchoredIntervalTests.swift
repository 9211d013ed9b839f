internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("CAL-11: Anchored intervals")
struct AnchoredIntervalTests {
    private let newYork: ZoneRules
    private let apia: ZoneRules

    init() throws {
        newYork = try ZoneRules(tzif: ZoneFile.newYork.bytes)
        apia = try ZoneRules(tzif: ZoneFile.apia.bytes)
    }

    private func grid(
        _ anchor: String,
        _ step: AnchoredIntervalTrigger.Step,
        policy: ShortMonthPolicy = .nextDaySameTime,
        after: String,
        in zone: ZoneRules,
        limit: Int
    ) throws -> [String] {
        let trigger = try AnchoredIntervalTrigger(
            anchor: try zone.instant(anchor),
            step: step,
            shortMonthPolicy: policy,
            repeats: true
        ).accepted(in: zone)
        var found: [WallInstant] = []
        while found.count < limit,
            let next = trigger.nextFire(after: try found.last ?? zone.instant(after), in: zone)
        {
            found.append(next)
        }
        return found.map(zone.text)
    }

    @Test("Months are counted from the anchor, without drift, by each policy")
    func months() throws {
        for (policy, expected) in [
            (
                ShortMonthPolicy.nextDaySameTime,
                [
                    "2025-03-01 10:00 -0500", "2025-03-31 10:00 -0400", "2025-05-01 10:00 -0400",
                    "2025-05-31 10:00 -0400",
                ]
            ),
            (
                .nextDayMidnight,
                [
                    "2025-03-01 00:00 -0500", "2025-03-31 10:00 -0400", "2025-05-01 00:00 -0400",
                    "2025-05-31 10:00 -0400",
                ]
            ),
            (
                .skip,
                [
                    "2025-03-31 10:00 -0400", "2025-05-31 10:00 -0400", "2025-07-31 10:00 -0400",
                    "2025-08-31 10:00 -0400",
                ]
            ),
            (
                .lastDay,
                [
                    "2025-02-28 10:00 -0500", "2025-03-31 10:00 -0400", "2025-04-30 10:00 -0400",
                    "2025-05-31 10:00 -0400",
                ]
            ),
        ] {
            let found = try grid(
                "2025-01-31 10:00",
                .calendar(count: 1, .month),
                policy: policy,
                after: "2025-01-31 10:00",
                in: newYork,
                limit: 4
            )
            #expect(found == expected, "\(policy)")
        }
    }

    @Test("Days keep the local time, a fixed time keeps the distance")
    func changes() throws {
        let days = try grid(
            "2025-03-01 02:30",
            .calendar(count: 4, .day),
            after: "2025-03-04",
            in: newYork,
            limit: 3
        )
        // The 9th has no 02:30: the instant of the change.
        #expect(
            days == ["2025-03-05 02:30 -0500", "2025-03-09 03:00 -0400", "2025-03-13 02:30 -0400"]
        )
        let fixed = try grid(
            "2025-03-01 02:30",
            .interval(4 * 86_400 * .nanosecondsPerSecond),
            after: "2025-03-04",
            in: newYork,
            limit: 3
        )
        #expect(
            fixed == ["2025-03-05 02:30 -0500", "2025-03-09 03:30 -0400", "2025-03-13 03:30 -0400"]
        )
        let twice = try grid(
            "2025-11-01 01:30",
            .calendar(count: 1, .day),
            after: "2025-11-01 12:00",
            in: newYork,
            limit: 2
        )
        #expect(twice == ["2025-11-02 01:30 -0400", "2025-11-03 01:30 -0500"])
        let weeks = try grid(
            "2025-01-06 10:00",
            .calendar(count: 2, .week),
            after: "2025-01-15",
            in: newYork,
            limit: 2
        )
        #expect(weeks == ["2025-01-20 10:00 -0500", "2025-02-03 10:00 -0500"])
        let leap = try grid(
            "2024-02-29 09:00",
            .calendar(count: 1, .year),
            policy: .skip,
            after: "2025-01-01",
            in: newYork,
            limit: 2
        )
        #expect(leap == ["2028-02-29 09:00 -0500", "2032-02-29 09:00 -0500"])
        let missing = try grid(
            "2011-12-28 09:00",
            .calendar(count: 1, .day),
            after: "2011-12-29 12:00",
            in: apia,
            limit: 1
        )
        #expect(missing == ["2011-12-31 09:00 +1400"])
    }

    @Test("The anchor itself fires, and nothing before it")
    func anchor() throws {
        let found = try grid(
            "2025-01-20 10:00",
            .calendar(count: 3, .day),
            after: "2025-01-15",
            in: newYork,
            limit: 2
        )
        #expect(found == ["2025-01-20 10:00 -0500", "2025-01-23 10:00 -0500"])
        let second = try newYork.instant("2025-11-02 01:30", isSecond: true)
        let trigger = try AnchoredIntervalTrigger(
            anchor: second,
            step: .calendar(count: 1, .day),
            repeats: true
        )
        .accepted(in: newYork)
        #expect(trigger.nextFire(after: second.advanced(byNanoseconds: -1), in: newYork) == second)
    }

    @Test("An anchor and a step at the ends of time do not overflow")
    func farAnchors() throws {
        let ends = [Int64.min, Int64.max].map { WallInstant(nanoseconds: $0) }
        let steps: [AnchoredIntervalTrigger.Step] = [
            .interval(60 * .nanosecondsPerSecond), .interval(Int64(Limits.intervalNanoseconds)),
            .calendar(count: 1, .day), .calendar(count: 1_000, .year),
        ]
        for anchor in ends {
            for step in steps {
                let trigger = try AnchoredIntervalTrigger(anchor: anchor, step: step, repeats: true)
                    .accepted(in: newYork)
                for now in ends + [.newYear] {
                    let next = trigger.nextFire(after: now, in: newYork)
                    #expect(next.map { $0 > now } ?? true)
                    #expect(
                        trigger.passed(from: anchor, to: now, in: newYork, atMost: 9).earlierCount
                            < 9
                    )
                }
            }
        }
        let minutes = try AnchoredIntervalTrigger(anchor: ends[0], step: steps[0], repeats: true)
        let passed = minutes.passed(from: ends[0], to: ends[1], in: newYork)
        #expect(passed.earlierCount == 307_445_734)
    }

    @Test("The local time of the anchor stays when the zone changes")
    func floating() throws {
        let tokyo = try ZoneRules(tzif: ZoneFile.tokyo.bytes)
        let trigger = try AnchoredIntervalTrigger(
            anchor: try newYork.instant("2025-01-15 10:00"),
            step: .calendar(count: 3, .day),
            repeats: true
        ).accepted(in: newYork)
        let now = try newYork.instant("2025-01-16 00:00")
        #expect(
            trigger.nextFire(after: now, in: newYork).map(newYork.text) == "2025-01-18 10:00 -0500"
        )
        #expect(trigger.nextFire(after: now, in: tokyo).map(tokyo.text) == "2025-01-18 10:00 +0900")
    }

    @Test("What no anchored interval has is refused by its field")
    func refusedGrids() throws {
        let minute = 60 * Int64.nanosecondsPerSecond
        let rows: [(String, AnchoredIntervalTrigger.Step, ShortMonthPolicy)] = [
            ("anchoredInterval.interval", .interval(minute - 1), .nextDaySameTime),
            ("anchoredInterval.interval", .interval(.max), .nextDaySameTime),
            ("anchoredInterval.interval", .interval(.min), .nextDaySameTime),
            ("anchoredInterval.calendarStep.count", .calendar(count: 0, .day), .nextDaySameTime),
            (
                "anchoredInterval.calendarStep.count", .calendar(count: 1_001, .day),
                .nextDaySameTime
            ),
            ("anchoredInterval.shortMonthPolicy", .interval(minute), .skip),
            ("anchoredInterval.shortMonthPolicy", .calendar(count: 1, .week), .lastDay),
        ]
        for (field, step, policy) in rows {
            let refusal = #expect(throws: Refusal.self) {
                try AnchoredIntervalTrigger(
                    anchor: .newYear,
                    step: step,
                    shortMonthPolicy: policy,
                    repeats: true
                )
            }
            #expect(refusal?.fields.map(\.path.text) == [field])
        }
    }
}
