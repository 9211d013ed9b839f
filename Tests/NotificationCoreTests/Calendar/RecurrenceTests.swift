internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("CAL-11: Weekdays, ordinals from the end, and bounds")
struct RecurrenceTests {
    private let newYork: ZoneRules

    init() throws {
        newYork = try ZoneRules(tzif: ZoneFile.newYork.bytes)
    }

    // MARK: Which days

    /// A rule at 09:00 in New York, and its first days after one.
    struct Days: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let components: CalendarComponents
        var weekdays: [Int] = []
        let after: String
        let days: [String]

        init(
            _ name: String,
            _ components: CalendarComponents = CalendarComponents(),
            on weekdays: [Int] = [],
            after: String = "2025-01-15",
            _ days: [String]
        ) {
            testDescription = name
            self.components = components
            self.weekdays = weekdays
            self.after = after
            self.days = days
        }
    }

    @Test(
        "Weekdays and ordinals choose days",
        arguments: [
            Days("Monday and Thursday", on: [2, 5], ["01-16", "01-20", "01-23", "01-27"]),
            Days(
                "each day but Sunday",
                on: [2, 3, 4, 5, 6, 7],
                ["01-15", "01-16", "01-17", "01-18", "01-20"]
            ),
            Days(
                "last Friday",
                parts(weekday: 6, weekdayOrdinal: -1),
                ["01-31", "02-28", "03-28"]
            ),
            Days(
                "last but one Sunday",
                parts(weekday: 1, weekdayOrdinal: -2),
                ["01-19", "02-16", "03-23"]
            ),
            Days(
                "fifth Friday from the end",
                parts(weekday: 6, weekdayOrdinal: -5),
                after: "2025-01-01",
                ["01-03", "05-02"]
            ),
            Days(
                "the last seven days",
                parts(weekdayOrdinal: -1),
                after: "2025-01-31 12:00",
                ["02-22", "02-23"]
            ),
            Days(
                "first Monday and Thursday",
                parts(weekdayOrdinal: 1),
                on: [2, 5],
                ["02-03", "02-06", "03-03"]
            ),
            Days(
                "last Monday and Thursday",
                parts(weekdayOrdinal: -1),
                on: [2, 5],
                ["01-27", "01-30", "02-24", "02-27"]
            ),
            Days(
                "last Thursday of November",
                parts(month: 11, weekday: 5, weekdayOrdinal: -1),
                ["11-27"]
            ),
            Days(
                "Friday or Saturday the 13th",
                parts(day: 13),
                on: [6, 7],
                ["06-13", "09-13", "12-13"]
            ),
            Days("weekdays of a quarter", parts(quarter: 2), on: [2], ["04-07", "04-14"]),
        ]
    )
    func days(row: Days) throws {
        var components = row.components
        components.hour = 9
        let trigger = try CalendarTrigger(
            dateComponents: components,
            weekdays: row.weekdays.reduce(into: []) { $0.insert(WeekdaySet(weekday: $1)) },
            repeats: true
        )
        let found = firings(
            trigger,
            after: try newYork.instant(row.after),
            in: newYork,
            limit: row.days.count
        )
        #expect(found.map { newYork.text($0).dropFirst(5).prefix(5) } == row.days.map { $0[...] })
        #expect(found.allSatisfy { newYork.text($0).contains(" 09:00 ") })
    }

    @Test("Weekdays alone are a rule, at midnight")
    func weekdaysAlone() throws {
        let trigger = try CalendarTrigger(
            dateComponents: CalendarComponents(),
            weekdays: [WeekdaySet(weekday: 2)],
            repeats: true
        )
        let found = firings(
            trigger,
            after: try newYork.instant("2025-03-04"),
            in: newYork,
            limit: 2
        )
        #expect(found.map(newYork.text) == ["2025-03-10 00:00 -0400", "2025-03-17 00:00 -0400"])
    }

    @Test("Weekdays beside a weekday are refused; so is the ordinal 0")
    func refusedDays() {
        #expect(throws: Refusal.self) {
            try CalendarTrigger(
                dateComponents: parts(weekday: 2),
                weekdays: [WeekdaySet(weekday: 3)],
                repeats: true
            )
        }
        for ordinal in [-6, 0, 6] {
            let refusal = #expect(throws: Refusal.self) {
                try CalendarTrigger(dateComponents: parts(weekdayOrdinal: ordinal), repeats: true)
            }
            #expect(refusal?.fields.map(\.path.text) == ["calendar.dateComponents.weekdayOrdinal"])
        }
    }

    // MARK: Bounds

    /// A bound that makes no sense, and the field that is named.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let make: @Sendable () throws -> RecurrenceLimits

        init(
            _ field: String,
            _ name: String,
            _ make: @escaping @Sendable () throws -> RecurrenceLimits
        ) {
            testDescription = name
            self.field = field
            self.make = make
        }

        static func days(_ days: [Int]) -> [CivilDate] { days.map { CivilDate(daysSince1970: $0) } }
    }

    @Test(
        "A bound that makes no sense is refused by its field",
        arguments: [
            Refused("limits.endAt", "an end before the start") {
                try RecurrenceLimits(
                    startAt: .newYear,
                    endAt: .newYear + .nanoseconds(-1),
                    repeats: true
                )
            },
            Refused("limits.maxOccurrences", "no occurrence") {
                try RecurrenceLimits(maxOccurrences: 0, repeats: true)
            },
            Refused("limits.maxOccurrences", "a count of what does not repeat") {
                try RecurrenceLimits(maxOccurrences: 1, repeats: false)
            },
            Refused("limits.skipDates", "days of what does not repeat") {
                try RecurrenceLimits(skippedDays: Refused.days([20_000]), repeats: false)
            },
            Refused("limits.skipDates", "too many days") {
                try RecurrenceLimits(skippedDays: Refused.days(Array(0...366)), repeats: true)
            },
            Refused("limits.skipDates[1]", "a day that is named twice") {
                try RecurrenceLimits(skippedDays: Refused.days([20_000, 20_000]), repeats: true)
            },
            Refused("limits.skipDates[0]", "a day of the year 0") {
                try RecurrenceLimits(skippedDays: Refused.days([-719_529]), repeats: true)
            },
        ]
    )
    func refused(row: Refused) {
        let refusal = #expect(throws: Refusal.self) { try row.make() }
        #expect(refusal?.reason == .recurrenceLimitsInvalid)
        #expect(refusal?.fields.map(\.path.text) == [row.field])
    }

    @Test("What is at the edge of a bound is within it")
    func edges() throws {
        let limits = try RecurrenceLimits(
            startAt: .newYear,
            endAt: .newYear,
            maxOccurrences: 1,
            skippedDays: Refused.days(Array(0..<366)),
            repeats: true
        )
        #expect(limits.skippedDays.count == 366)
        #expect(
            try RecurrenceLimits(startAt: .newYear, endAt: .newYear, repeats: false).isEmpty
                == false
        )
        #expect(RecurrenceLimits().isEmpty)
    }

    private func bounded(
        _ components: CalendarComponents,
        start: String? = nil,
        end: String? = nil,
        skip: [String] = []
    ) throws -> CalendarTrigger {
        try CalendarTrigger(
            dateComponents: components,
            repeats: true,
            limits: try RecurrenceLimits(
                startAt: try start.map { try newYork.instant($0) },
                endAt: try end.map { try newYork.instant($0) },
                skippedDays: skip.map {
                    CivilDate(daysSince1970: seconds($0) / 86_400)
                },
                repeats: true
            )
        )
    }

    @Test("No occurrence is before the start, after the end, or on a day to skip")
    func bounds() throws {
        let trigger = try bounded(
            parts(hour: 9),
            start: "2025-01-20 09:00",
            end: "2025-01-24 09:00",
            skip: ["2025-01-21", "2025-01-23", "2025-01-30"]
        )
        let found = firings(
            trigger,
            after: try newYork.instant("2025-01-15"),
            in: newYork,
            limit: 9
        )
        #expect(
            found.map { newYork.text($0).prefix(16) } == [
                "2025-01-20 09:00", "2025-01-22 09:00", "2025-01-24 09:00",
            ]
        )
        let hourly = try bounded(parts(minute: 30), skip: ["2025-11-02"])
        let next = hourly.nextFire(after: try newYork.instant("2025-11-01 23:30"), in: newYork)
        #expect(next.map(newYork.text) == "2025-11-03 00:30 -0500")
        let passed = hourly.passed(
            from: try newYork.instant("2025-11-01 22:30"),
            to: try newYork.instant("2025-11-03 02:00"),
            in: newYork
        )
        // 23:30, then 00:30 and 01:30 two days later.
        #expect(passed.earlierCount == 3)
    }

    @Test("A start far ahead and days that leave nothing are found out at once")
    func farBounds() throws {
        let far = try bounded(parts(hour: 9), start: "2075-06-01")
        let now = try newYork.instant("2025-01-15")
        #expect(far.nextFire(after: now, in: newYork).map(newYork.text) == "2075-06-01 09:00 -0400")
        let none = try bounded(parts(year: 2_025, month: 1, day: 20, hour: 9), skip: ["2025-01-20"])
        #expect(none.nextFire(after: now, in: newYork) == nil)
        let skipped = (0..<366).map { CivilDate(daysSince1970: 20_103 + $0) }
        let year = try CalendarTrigger(
            dateComponents: parts(second: 0),
            repeats: true,
            limits: try RecurrenceLimits(skippedDays: skipped, repeats: true)
        )
        #expect(
            year.nextFire(after: now, in: newYork).map(newYork.text) == "2026-01-16 00:00 -0500"
        )
    }

    @Test("Collapsed occurrences stop at the count and at the end")
    func passed() throws {
        let trigger = try bounded(parts(hour: 9), end: "2025-01-24 09:00")
        let due = try newYork.instant("2025-01-20 09:00")
        let now = try newYork.instant("2025-02-20 12:00")
        for (limit, count, latest) in [
            (Int64.max, Int64(4), "2025-01-24"), (3, 2, "2025-01-22"), (1, 0, "2025-01-20"),
        ] {
            let passed = trigger.passed(from: due, to: now, in: newYork, atMost: limit)
            #expect(passed.earlierCount == count)
            #expect(newYork.text(passed.latest).hasPrefix(latest))
        }
    }

    // MARK: Skipped occurrences

    @Test("CAL-8: A skipped occurrence stays skipped when the zone changes")
    func skippedDate() throws {
        let tokyo = try ZoneRules(tzif: ZoneFile.tokyo.bytes)
        let daily = Trigger.calendar(
            try CalendarTrigger(dateComponents: parts(hour: 9), repeats: true)
        )
        let now = try newYork.instant("2025-01-15 12:00")
        let date = try newYork.instant("2025-01-16 09:00")
        let skipped = SkippedDate(date, in: newYork)
        for (zone, expected) in [
            (newYork, "2025-01-17 09:00 -0500"), (tokyo, "2025-01-17 09:00 +0900"),
        ] {
            let next = daily.nextFire(
                afterChangeAt: now,
                lastScheduled: nil,
                skipped: skipped,
                addedAt: now,
                in: zone
            )
            #expect(next.map(zone.text) == expected)
        }
    }
}
