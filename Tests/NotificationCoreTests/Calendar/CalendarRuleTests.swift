internal import NotificationCore
internal import Testing

@Suite("Calendar triggers: the rules (§7.3, CAL)")
struct CalendarRuleTests {
    private let newYork: ZoneRules

    init() throws {
        newYork = try ZoneRules(tzif: ZoneFile.newYork.bytes)
    }

    private func next(
        _ components: CalendarComponents,
        after: String,
        in zone: ZoneRules,
        policy: ShortMonthPolicy = .nextDaySameTime,
        limit: Int
    ) throws -> [String] {
        let trigger = try CalendarTrigger(
            dateComponents: components,
            repeats: true,
            shortMonthPolicy: policy
        )
        return firings(trigger, after: try zone.instant(after), in: zone, limit: limit)
            .map(zone.text)
    }

    @Test("CAL-2: The same components are another instant in each zone")
    func floating() throws {
        let trigger = try CalendarTrigger(dateComponents: parts(hour: 9), repeats: false)
        let now = try ZoneRules.utc.instant("2025-01-15 12:00")
        for (file, expected) in [
            (ZoneFile.newYork, "2025-01-15 14:00 +0000"), (.tokyo, "2025-01-16 00:00 +0000"),
            (.lordHowe, "2025-01-15 22:00 +0000"),
        ] {
            let found = trigger.nextFire(after: now, in: try ZoneRules(tzif: file.bytes))
            #expect(found.map(ZoneRules.utc.text) == expected)
        }
    }

    @Test("CAL-3: Weeks count from Sunday and from day 1, or as the components say")
    func weekRules() throws {
        let standard = parts(weekday: 2) { $0.weekOfYear = 1 }
        #expect(
            try next(standard, after: "2025-01-15", in: newYork, limit: 2)
                == ["2025-12-29 00:00 -0500", "2026-12-28 00:00 -0500"]
        )
        let iso = parts(weekday: 2) {
            $0.weekOfYear = 1
            $0.firstWeekday = 2
            $0.minimumDaysInFirstWeek = 4
        }
        #expect(
            try next(iso, after: "2025-01-15", in: newYork, limit: 2)
                == ["2025-12-29 00:00 -0500", "2027-01-04 00:00 -0500"]
        )
        let lastWeek = parts(weekday: 6, hour: 9) {
            $0.weekOfYear = 53
            $0.yearForWeekOfYear = 2_026
            $0.firstWeekday = 2
            $0.minimumDaysInFirstWeek = 4
        }
        #expect(
            try next(lastWeek, after: "2025-01-15", in: newYork, limit: 2)
                == ["2027-01-01 09:00 -0500"]
        )
    }

    @Test("CAL-4: Nanoseconds are kept; 0 is none")
    func nanoseconds() throws {
        let some = parts(hour: 1, minute: 30) { $0.nanosecond = 5 }
        #expect(
            try next(some, after: "2025-11-02 01:30", in: newYork, limit: 1)
                == ["2025-11-02 01:30:00.5 -0400"]
        )
        let none = parts(hour: 1, minute: 30) { $0.nanosecond = 0 }
        #expect(
            try next(none, after: "2025-11-01 08:00", in: newYork, limit: 2)
                == ["2025-11-02 01:30 -0400", "2025-11-03 01:30 -0500"]
        )
        let hourly = parts(minute: 30, second: 15) { $0.nanosecond = 7 }
        #expect(
            try next(hourly, after: "2025-11-02 00:30:15", in: newYork, limit: 2)
                == ["2025-11-02 00:30:15.7 -0400", "2025-11-02 01:30:15.7 -0400"]
        )
        let skipped = parts(hour: 2, minute: 30) { $0.nanosecond = 5 }
        #expect(
            try next(skipped, after: "2025-03-09", in: newYork, limit: 1)
                == ["2025-03-09 03:00 -0400"]
        )
    }

    @Test("CAL-6: A day that the zone skipped has no firing, and a repeating trigger goes on")
    func skippedDay() throws {
        let apia = try ZoneRules(tzif: ZoneFile.apia.bytes)
        #expect(
            try next(parts(hour: 9), after: "2011-12-28 12:00", in: apia, limit: 3)
                == ["2011-12-29 09:00 -1000", "2011-12-31 09:00 +1400", "2012-01-01 09:00 +1400"]
        )
        #expect(
            try next(parts(hour: 0), after: "2011-12-29 12:00", in: apia, limit: 1)
                == ["2011-12-31 00:00 +1400"]
        )
        #expect(
            try next(parts(minute: 0), after: "2011-12-29 23:00", in: apia, limit: 1)
                == ["2011-12-31 00:00 +1400"]
        )
        let once = parts(year: 2_011, month: 12, day: 30, hour: 9)
        #expect(try next(once, after: "2011-12-28", in: apia, limit: 1) == [])
    }

    /// The results of day 31 at 09:00 from April 15 under a policy, and of day 31 at each half
    /// hour.
    struct Policy: Sendable, CustomTestStringConvertible {
        let policy: ShortMonthPolicy
        let daily: [String]
        let hourly: [String]

        init(_ policy: ShortMonthPolicy, _ daily: [String], hourly: [String]) {
            self.policy = policy
            self.daily = daily
            self.hourly = hourly
        }

        var testDescription: String { "\(policy)" }
    }

    @Test(
        "CAL-7: A day that the month does not have is what the policy says",
        arguments: [
            Policy(
                .nextDaySameTime,
                ["2025-05-01 09:00 -0400", "2025-05-31 09:00 -0400", "2025-07-01 09:00 -0400"],
                hourly: ["2025-05-01 00:30 -0400", "2025-05-01 01:30 -0400"]
            ),
            Policy(
                .nextDayMidnight,
                ["2025-05-01 00:00 -0400", "2025-05-31 09:00 -0400", "2025-07-01 00:00 -0400"],
                hourly: ["2025-05-01 00:00 -0400", "2025-05-31 00:30 -0400"]
            ),
            Policy(
                .skip,
                ["2025-05-31 09:00 -0400", "2025-07-31 09:00 -0400", "2025-08-31 09:00 -0400"],
                hourly: ["2025-05-31 00:30 -0400", "2025-05-31 01:30 -0400"]
            ),
            Policy(
                .lastDay,
                ["2025-04-30 09:00 -0400", "2025-05-31 09:00 -0400", "2025-06-30 09:00 -0400"],
                hourly: ["2025-04-30 00:30 -0400", "2025-04-30 01:30 -0400"]
            ),
        ]
    )
    func shortMonths(policy: Policy) throws {
        let daily = parts(day: 31, hour: 9)
        #expect(
            try next(daily, after: "2025-04-15", in: newYork, policy: policy.policy, limit: 3)
                == policy.daily
        )
        let hourly = parts(day: 31, minute: 30)
        #expect(
            try next(hourly, after: "2025-04-15", in: newYork, policy: policy.policy, limit: 2)
                == policy.hourly
        )
    }

    @Test(
        "CAL-7: The policy is for a day that the month lacks, not for one that a part rules out",
        arguments: [
            (parts(month: 2, day: 30, hour: 9), ["2025-03-01", "2026-03-01"]),
            (parts(quarter: 2, day: 31), ["2025-05-01", "2025-05-31", "2025-07-01", "2026-05-01"]),
            (parts(year: 2_025, month: 4, day: 31), ["2025-05-01"]),
            (parts(day: 31, weekday: 2), ["2025-03-31", "2026-08-31"]),
            (parts(day: 30, dayOfYear: 30), ["2026-01-30"]),
        ]
    )
    func shortMonthsOnly(components: CalendarComponents, expected: [String]) throws {
        let found = try next(components, after: "2025-02-15", in: newYork, limit: expected.count)
        #expect(found.map { String($0.prefix(10)) } == expected)
    }

    @Test("CAL-7: The first instant of a month whose midnight is skipped is the change")
    func skippedMidnight() throws {
        // Make a zone up: no zone of the tests skips the midnight of a first day.
        let zone = try ZoneRules(tzif: zoneFile(footer: "AAA0BBB,J60/0,J300/0", offset: 0))
        for components in [parts(day: 31, hour: 9), parts(day: 31, minute: 30)] {
            #expect(
                try next(
                    components,
                    after: "2025-02-01",
                    in: zone,
                    policy: .nextDayMidnight,
                    limit: 1
                ) == ["2025-03-01 01:00 +0100"]
            )
        }
    }

    @Test("CAL-8: A firing stands for the occurrences that passed meanwhile, and the grid stays")
    func collapsed() throws {
        let daily = try CalendarTrigger(dateComponents: parts(hour: 9), repeats: true)
        let due = try newYork.instant("2025-03-07 09:00")
        for (now, count, latest) in [
            ("2025-03-07 09:00", 0, "2025-03-07"), ("2025-03-08 08:59:59", 0, "2025-03-07"),
            ("2025-03-08 09:00", 1, "2025-03-08"), ("2025-03-10 08:00", 2, "2025-03-09"),
            ("2026-03-07 09:00", 365, "2026-03-07"),
        ] as [(String, Int64, String)] {
            let passed = daily.passed(from: due, to: try newYork.instant(now), in: newYork)
            #expect(passed.earlierCount == count)
            #expect(passed.latest == (try newYork.instant("\(latest) 09:00")))
        }
        let once = try CalendarTrigger(dateComponents: parts(hour: 9), repeats: false)
        let late = try newYork.instant("2026-03-07 09:00")
        #expect(once.passed(from: due, to: late, in: newYork).earlierCount == 0)
        #expect(daily.passed(from: late, to: due, in: newYork).earlierCount == 0)
    }

    @Test("CAL-8: Counting runs of a day gives what counting one by one gives")
    func collapsedRuns() throws {
        let due = try newYork.instant("2025-10-31 22:30:15")
        for components in [
            parts(minute: 30), parts(second: 15), parts(weekday: 1, minute: 30, second: 15),
            parts(day: 31, minute: 59), parts(hour: 1, minute: 30),
        ] {
            let trigger = try CalendarTrigger(dateComponents: components, repeats: true)
            let all = firings(trigger, after: due, in: newYork, limit: 10_000)
            for hours in [0, 1, 27, 30, 31, 55, 150] {
                let now = due.advanced(byNanoseconds: Int64(hours) * 3_600_000_000_000 + 7)
                let passed = trigger.passed(from: due, to: now, in: newYork)
                let expected = all.prefix { $0 <= now }
                #expect(passed.earlierCount == Int64(expected.count))
                #expect(passed.latest == expected.last ?? due)
            }
        }
    }

    @Test("CAL-8, V9: Of a time that comes twice the first counts, however late it fires")
    func lateInAnOverlap() throws {
        let day = 86_400 * Int64.nanosecondsPerSecond
        let components = parts(hour: 1, minute: 30)
        let daily = try CalendarTrigger(dateComponents: components, repeats: true)
        let first = try newYork.instant("2025-11-01 01:30").advanced(byNanoseconds: day)
        let tomorrow = first.advanced(byNanoseconds: day + day / 24)
        for late in [0, 1, 3_000_000, day / 48, day / 24, day / 12] {
            let now = first.advanced(byNanoseconds: late)
            let passed = Trigger.calendar(daily).passed(
                from: .wall(first),
                to: Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: now),
                in: newYork
            )
            #expect(passed.latest == .wall(first))
            let next = Trigger.calendar(daily).nextFire(
                base: ElapsedInstant(nanoseconds: 0),
                following: passed.latest,
                in: newYork
            )
            #expect(next == .wall(tomorrow))
            // A change of the zone within the hour does not bring it back either.
            let moved = daily.nextFire(
                afterChangeAt: now,
                lastScheduled: first,
                addedAt: first.advanced(byNanoseconds: -day),
                in: newYork
            )
            #expect(moved == tomorrow)
        }
        // An occurrence that did not fire at the first pass comes with the second (V10).
        let late = first.advanced(byNanoseconds: day / 48)
        let second = daily.nextFire(
            afterChangeAt: late,
            lastScheduled: first.advanced(byNanoseconds: -day),
            addedAt: first.advanced(byNanoseconds: -day),
            in: newYork
        )
        #expect(second == first.advanced(byNanoseconds: day / 24))
    }

    @Test("CAL-8: A count over all years that there are is exact")
    func collapsedForever() throws {
        let trigger = try CalendarTrigger(dateComponents: parts(second: 0), repeats: true)
        let minutes = Int64.max / .nanosecondsPerSecond / 60
        let end = WallInstant(nanoseconds: .max)
        for (due, count) in [(0, minutes), (.min, 2 * minutes + 1)] as [(Int64, Int64)] {
            let due = WallInstant(nanoseconds: due)
            #expect(trigger.passed(from: due, to: end, in: .utc).earlierCount == count)
        }
    }

    @Test("CAL-10: A year bounds a repeating trigger")
    func year() throws {
        #expect(
            try next(parts(year: 2_025, hour: 9), after: "2024-06-01", in: newYork, limit: 3)
                == ["2025-01-01 09:00 -0500"]
        )
        let lastDay = parts(year: 2_025, month: 12, day: 31)
        #expect(
            try next(lastDay, after: "2024-06-01", in: .utc, limit: 3)
                == ["2025-12-31 00:00 +0000"]
        )
        let sundays = parts(year: 2_025, weekday: 1)
        #expect(try next(sundays, after: "2024-06-01", in: .utc, limit: 100).count == 52)
    }

    @Test("Parts that span days stand for the first of them")
    func runs() throws {
        for (components, expected) in [
            (parts(month: 3), ["2025-03-01 00:00 -0500", "2026-03-01 00:00 -0500"]),
            (parts(weekOfMonth: 2, hour: 9), ["2025-02-02 09:00 -0500", "2025-03-02 09:00 -0500"]),
            (parts { $0.weekOfYear = 10 }, ["2025-03-02 00:00 -0500", "2026-03-01 00:00 -0500"]),
            (parts { $0.yearForWeekOfYear = 2_026 }, ["2025-12-28 00:00 -0500"]),
            (
                parts(month: 3, second: 30),
                ["2025-03-01 00:00:30 -0500", "2025-03-01 00:01:30 -0500"]
            ),
        ] {
            #expect(try next(components, after: "2025-01-15", in: newYork, limit: 2) == expected)
        }
    }

    @Test("A time of the day before comes again where the clock is set back over midnight")
    func dayBefore() throws {
        // At 00:01 of October 27 the clock goes back to 23:01 of October 26.
        let zone = try ZoneRules(tzif: zoneFile(footer: "AAA3BBB,J100/0:01,J300/0:01", offset: 0))
        for components in [
            parts(hour: 23, minute: 30), parts(month: 10, day: 26, minute: 30),
            parts(year: 2_025, month: 10, day: 26, minute: 30),
            parts(year: 2_025, month: 10, day: 26, hour: 23, minute: 30),
        ] {
            #expect(
                try next(components, after: "2025-10-27 00:00:30", in: zone, limit: 1)
                    == ["2025-10-26 23:30 -0300"]
            )
        }
    }

    @Test("The search ends after 60 years, and with the last instant that there is")
    func ends() throws {
        let far = parts(year: 2_085, month: 1, day: 15)
        #expect(try next(far, after: "2025-01-14", in: .utc, limit: 1) == [])
        #expect(try next(far, after: "2025-01-15", in: .utc, limit: 1).count == 1)
        // February 29 on a Sunday: 2088 is the last before 2100 has none.
        let rare = parts(month: 2, day: 29, weekday: 1)
        #expect(
            try next(rare, after: "2088-03-01", in: .utc, policy: .skip, limit: 1)
                == ["2128-02-29 00:00 +0000"]
        )
        let daily = try CalendarTrigger(dateComponents: parts(hour: 8), repeats: true)
        let hourly = try CalendarTrigger(dateComponents: parts(minute: 59), repeats: true)
        for trigger in [daily, hourly] {
            let end = WallInstant(nanoseconds: .max)
            #expect(trigger.nextFire(after: end, in: newYork) == nil)
            let start = WallInstant(nanoseconds: .min)
            #expect(trigger.nextFire(after: start, in: newYork) != nil)
        }
    }
}
