internal import NotificationCore
internal import Testing

@Suite("REC-1: Recurrence rules")
struct RecurrenceRuleTests {
    private let newYork: ZoneRules

    init() throws {
        newYork = try ZoneRules(tzif: ZoneFile.newYork.bytes)
    }

    /// Gives the times that the clock shows at the first occurrences after an instant.
    private func times(
        _ trigger: RecurrenceTrigger,
        after now: WallInstant,
        in zone: ZoneRules,
        limit: Int
    ) -> [String] {
        var instants: [WallInstant] = []
        while instants.count < limit,
            let next = trigger.nextFire(after: instants.last ?? now, in: zone)
        {
            instants.append(next)
        }
        return instants.map { String(zone.text($0).dropLast(6)) }
    }

    private func check(_ example: RecurrenceExample) throws {
        guard case .local(let start)? = RecurrenceMoment(example.start) else {
            Issue.record("no start: \(example.start)")
            return
        }
        let trigger = try RecurrenceTrigger(
            text: .rule(example.rule),
            start: start,
            repeats: true
        )
        func found(_ limit: Int) -> [String] {
            times(trigger, after: WallInstant(second: start), in: newYork, limit: limit)
        }
        let listed = example.expected.map { $0.count > 10 ? $0 : $0 + " 09:00" }
        #expect(found(listed.count + (example.ends ? 1 : 0)) == listed)
        guard let all = example.all else { return }
        let dates = found(all.count + 1)
        #expect(dates.count == all.count)
        #expect(dates.last == all.last)
    }

    @Test("The examples of RFC 5545", arguments: RecurrenceExample.ofRFC5545)
    func examples(example: RecurrenceExample) throws { try check(example) }

    @Test("The examples of RFC 7529", arguments: RecurrenceExample.ofRFC7529)
    func skips(example: RecurrenceExample) throws { try check(example) }

    // MARK: Gaps and overlaps

    /// A rule or a crontab in a zone, and its dates after an instant.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: RecurrenceTrigger.Text
        let start: String?
        let zone: ZoneFile
        let after: String
        let expected: [String]

        init(
            _ name: String,
            _ text: RecurrenceTrigger.Text,
            from start: String? = nil,
            in zone: ZoneFile = .newYork,
            after: String,
            _ expected: [String]
        ) {
            testDescription = name
            self.text = text
            self.start = start
            self.zone = zone
            self.after = after
            self.expected = expected
        }
    }

    @Test(
        "REC-4: A gap moves one occurrence, and a time that comes twice fires once",
        arguments: [
            Change(
                "a start in the gap moves alone",
                .rule("FREQ=WEEKLY"),
                from: "20250309T023000",
                after: "2025-03-01",
                ["2025-03-09 03:00", "2025-03-16 02:30", "2025-03-23 02:30"]
            ),
            Change(
                "steps of days over the gap",
                .rule("FREQ=DAILY;INTERVAL=2"),
                from: "20250307T023000",
                after: "2025-03-07 12:00",
                ["2025-03-09 03:00", "2025-03-11 02:30"]
            ),
            Change(
                "several times in the gap are one",
                .cron("*/20 1-3 * * *"),
                after: "2025-03-09 01:20",
                ["2025-03-09 01:40", "2025-03-09 03:00", "2025-03-09 03:20"]
            ),
            Change(
                "named hours come for the first pass",
                .cron("*/30 1-2 * * *"),
                after: "2025-11-02 00:00",
                [
                    "2025-11-02 01:00", "2025-11-02 01:30", "2025-11-02 02:00",
                    "2025-11-02 02:30",
                ]
            ),
            Change(
                "minutes follow the clock through both passes",
                .cron("30 * * * *"),
                after: "2025-11-02 00:45",
                ["2025-11-02 01:30", "2025-11-02 01:30", "2025-11-02 02:30"]
            ),
            Change(
                "all hours are none that is named, whatever the frequency",
                .rule(
                    "FREQ=HOURLY;BYMINUTE=30;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,"
                        + "19,20,21,22,23"
                ),
                from: "20250101T000000",
                after: "2025-11-02 00:45",
                ["2025-11-02 01:30", "2025-11-02 01:30", "2025-11-02 02:30"]
            ),
            Change(
                "minutes have no time in a gap",
                .cron("30 * * * *"),
                after: "2025-03-09 00:45",
                ["2025-03-09 01:30", "2025-03-09 03:30"]
            ),
            Change(
                "steps of minutes stay on the clock's minutes where it moves by half an hour",
                .cron("*/20 * * * *"),
                in: .lordHowe,
                after: "2025-10-05 01:30",
                ["2025-10-05 01:40", "2025-10-05 02:40", "2025-10-05 03:00"]
            ),
            Change(
                "a gap of half an hour",
                .rule("FREQ=DAILY"),
                from: "20251004T021500",
                in: .lordHowe,
                after: "2025-10-04 12:00",
                ["2025-10-05 02:30", "2025-10-06 02:15"]
            ),
            Change(
                "midnight in the gap",
                .rule("FREQ=DAILY"),
                from: "20181101T000000",
                in: .saoPaulo,
                after: "2018-11-02 12:00",
                ["2018-11-03 00:00", "2018-11-04 01:00", "2018-11-05 00:00"]
            ),
            Change(
                "a day that the zone skipped",
                .rule("FREQ=DAILY;BYHOUR=9,18"),
                from: "20111201T090000",
                in: .apia,
                after: "2011-12-29 12:00",
                ["2011-12-29 18:00", "2011-12-31 09:00", "2011-12-31 18:00"]
            ),
        ]
    )
    func changes(change: Change) throws {
        let zone = try ZoneRules(tzif: change.zone.bytes)
        let trigger = try RecurrenceTrigger(
            text: change.text,
            start: change.start.flatMap(RecurrenceMoment.init).map(localSeconds),
            repeats: true
        )
        let now = try zone.instant(change.after)
        #expect(
            times(trigger, after: now, in: zone, limit: change.expected.count) == change.expected
        )
    }

    private func localSeconds(_ moment: RecurrenceMoment) -> Int {
        switch moment {
        case .local(let second), .instant(let second): second
        }
    }

    // MARK: Dates of their own

    @Test("REC-5: Dates are added, and excluded ones are none, by local time or instant")
    func dates() throws {
        let local = { (text: String) in try #require(RecurrenceMoment(text)) }
        let trigger = try RecurrenceTrigger(
            text: .rule("FREQ=DAILY;COUNT=4"),
            start: seconds("2026-11-01 09:00"),
            addedDates: [
                try local("20261102T120000"), try local("20261103T090000"), try local("20261109"),
            ],
            excludedDates: [try local("20261102T090000"), try local("20261104T140000Z")],
            repeats: true
        )
        #expect(
            times(trigger, after: try newYork.instant("2026-01-01"), in: newYork, limit: 9) == [
                "2026-11-01 09:00", "2026-11-02 12:00", "2026-11-03 09:00", "2026-11-09 00:00",
            ]
        )
        let alone = try RecurrenceTrigger(
            text: nil,
            start: seconds("2026-11-01 09:00"),
            addedDates: [try local("20261225T140000Z")],
            repeats: true
        )
        #expect(
            times(alone, after: try newYork.instant("2026-01-01"), in: newYork, limit: 9) == [
                "2026-11-01 09:00", "2026-12-25 09:00",
            ]
        )
    }

    // MARK: What is counted

    @Test("What a late firing stands for is counted, and cut off where it would take too long")
    func passed() throws {
        let daily = try RecurrenceTrigger(
            text: .cron("*/30 9-17 * * *"),
            repeats: true
        )
        let due = try newYork.instant("2025-01-01 09:00")
        let passed = daily.passed(
            from: due,
            to: try newYork.instant("2025-12-31 23:00"),
            in: newYork
        )
        #expect(passed.earlierCount == 365 * 18 - 1)
        #expect(newYork.text(passed.latest) == "2025-12-31 17:30 -0500")

        // Four seconds of each minute of five years, and an hour twice where one is left out.
        let dense = try RecurrenceTrigger(text: .cron("0,1,3,4 * * * * *"), repeats: true)
        let now = try newYork.instant("2030-01-01")
        let all = dense.passed(from: due, to: now, in: newYork)
        #expect(all.latest == now)
        #expect(all.earlierCount == 4 * (1_826 * 1_440 - 9 * 60))

        // The search for each pair of seconds takes two steps.
        let uneven = try RecurrenceTrigger(
            text: .rule("FREQ=MINUTELY;INTERVAL=7;BYSECOND=0,1"),
            start: seconds("2025-01-01 09:00"),
            repeats: true
        )
        let cut = uneven.passed(from: due, to: now, in: newYork)
        #expect(try newYork.instant("2030-01-01") >= cut.latest)
        #expect(uneven.nextFire(after: cut.latest, in: newYork).map { $0 > now } == true)
        #expect(cut.earlierCount >= Limits.passedSteps / 2)
        #expect(cut.earlierCount < 4 * Limits.passedSteps)
    }

    @Test(
        "REC-7: A rule that never comes has no date, whatever it is",
        arguments: [
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=3", "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1",
            "FREQ=SECONDLY;INTERVAL=86399;BYYEARDAY=100;BYHOUR=3;BYMINUTE=3;BYSECOND=3",
            "FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;BYSETPOS=7", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
            "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4;COUNT=5", "FREQ=DAILY;UNTIL=19700101",
            "FREQ=YEARLY;INTERVAL=999999999", "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1;COUNT=9",
        ]
    )
    func never(rule: String) throws {
        let trigger = try RecurrenceTrigger(
            text: .rule(rule),
            start: seconds("2026-01-01 09:00"),
            repeats: true
        )
        let now = try newYork.instant("2026-01-02")
        #expect(trigger.nextFire(after: now, in: newYork) == nil)
    }

    @Test(
        "A count of equal distances is computed, and no other is walked for long",
        arguments: [
            ("FREQ=SECONDLY;COUNT=100000", 1),
            ("FREQ=SECONDLY;INTERVAL=7;COUNT=100000", 7),
            ("FREQ=MINUTELY;COUNT=100000", 60),
            ("FREQ=MINUTELY;INTERVAL=90;COUNT=100000", 5_400),
            ("FREQ=HOURLY;COUNT=100000", 3_600),
            ("FREQ=HOURLY;INTERVAL=5;COUNT=3", 18_000),
            ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0;COUNT=25000", 86_400),
            ("FREQ=DAILY;COUNT=80000", 86_400),
            ("FREQ=DAILY;BYHOUR=9;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;COUNT=25001", nil),
        ] as [(String, Int?)]
    )
    func counted(rule: String, step: Int?) throws {
        let start = seconds("2026-01-01 09:00")
        let made = Result { () throws(Refusal) in
            try RecurrenceTrigger(text: .rule(rule), start: start, timeZone: "", repeats: true)
        }
        guard let step else {
            let refusal = #expect(throws: Refusal.self) { try made.get() }
            #expect(refusal?.message.contains("too many steps") == true)
            return
        }
        let count = try #require(rule.split(separator: "=").last.flatMap { Int($0) })
        let second = start + (count - 1) * step
        let last = WallInstant(second: second)
        let trigger = try made.get()
        let utc = try ZoneRules(tzif: ZoneFile.utc.bytes)
        #expect(trigger.nextFire(after: WallInstant(second: second - 1), in: utc) == last)
        #expect(trigger.nextFire(after: last, in: utc) == nil)
    }
}
