internal import NotificationCore
internal import Testing

/// The measured rows of §7.3.2, with the results that its 7.3.3 corrects.
///
/// V22 is in `CalendarFormTests`. V23 is of another calendar.
@Suite("Calendar triggers: the vectors (§7.3.2)")
struct CalendarVectorTests {
    /// A row: components, an instant, and when they match after it, up to as many as are listed.
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let zone: ZoneFile
        let components: CalendarComponents
        let after: String
        let isSecond: Bool
        let policy: ShortMonthPolicy
        let expected: [String]
        /// Whether nothing follows what is listed.
        let ends: Bool

        init(
            _ name: String,
            _ components: CalendarComponents,
            after: String,
            isSecond: Bool = false,
            in zone: ZoneFile = .newYork,
            policy: ShortMonthPolicy = .nextDaySameTime,
            _ expected: [String],
            ends: Bool = false
        ) {
            testDescription = name
            self.zone = zone
            self.components = components
            self.after = after
            self.isSecond = isSecond
            self.policy = policy
            self.expected = expected
            self.ends = ends
        }
    }

    @Test("Times of a day", arguments: timeVectors)
    func times(vector: Vector) throws { try check(vector) }

    @Test("Times that a change of the clocks skips", arguments: gapVectors)
    func gaps(vector: Vector) throws { try check(vector) }

    @Test("Times that a change of the clocks repeats", arguments: overlapVectors)
    func overlaps(vector: Vector) throws { try check(vector) }

    @Test("Days", arguments: dayVectors)
    func days(vector: Vector) throws { try check(vector) }

    private func check(_ vector: Vector) throws {
        let zone = try ZoneRules(tzif: vector.zone.bytes)
        let trigger = try CalendarTrigger(
            dateComponents: vector.components,
            repeats: true,
            shortMonthPolicy: vector.policy
        )
        let found = firings(
            trigger,
            after: try zone.instant(vector.after, isSecond: vector.isSecond),
            in: zone,
            limit: vector.expected.count + (vector.ends ? 1 : 0)
        )
        #expect(found.map(zone.text) == vector.expected)
    }

    private static let timeVectors = [
        Vector("V1", parts(hour: 8), after: "2025-01-15 08:00", ["2025-01-16 08:00 -0500"]),
        Vector("V2", parts(hour: 8), after: "2025-01-15 08:15", ["2025-01-16 08:00 -0500"]),
        Vector(
            "V3",
            parts(weekday: 3, hour: 14),
            after: "2025-01-15",
            ["2025-01-21 14:00 -0500", "2025-01-28 14:00 -0500", "2025-02-04 14:00 -0500"]
        ),
        // The zone is the trigger's: 09:00 in Tokyo is 19:00 of the day before in New York.
        Vector(
            "V24",
            parts(hour: 9) { $0.timeZone = "Asia/Tokyo" },
            after: "2025-01-15 21:00",
            in: .tokyo,
            ["2025-01-16 09:00 +0900"]
        ),
    ]

    private static let gapVectors = [
        Vector(
            "V4",
            parts(hour: 2, minute: 30),
            after: "2025-03-08",
            ["2025-03-08 02:30 -0500", "2025-03-09 03:00 -0400", "2025-03-10 02:30 -0400"]
        ),
        Vector(
            "V5",
            parts(hour: 2),
            after: "2025-03-08",
            ["2025-03-08 02:00 -0500", "2025-03-09 03:00 -0400", "2025-03-10 02:00 -0400"]
        ),
        Vector(
            "V6",
            parts(minute: 30),
            after: "2025-03-09 00:45",
            ["2025-03-09 01:30 -0500", "2025-03-09 03:30 -0400", "2025-03-09 04:30 -0400"]
        ),
        Vector(
            "V7",
            parts(year: 2_025, month: 3, day: 9, hour: 2, minute: 30),
            after: "2025-03-01",
            ["2025-03-09 03:00 -0400"],
            ends: true
        ),
        Vector(
            "V8",
            parts(weekday: 1, hour: 2, minute: 30),
            after: "2025-03-05",
            ["2025-03-09 03:00 -0400", "2025-03-16 02:30 -0400"]
        ),
        Vector(
            "V12",
            parts(hour: 0, minute: 0),
            after: "2018-11-02",
            in: .saoPaulo,
            ["2018-11-03 00:00 -0300", "2018-11-04 01:00 -0200", "2018-11-05 00:00 -0200"]
        ),
        Vector(
            "V13",
            parts(hour: 2, minute: 15),
            after: "2025-10-04",
            in: .lordHowe,
            ["2025-10-04 02:15 +1030", "2025-10-05 02:30 +1100", "2025-10-06 02:15 +1100"]
        ),
    ]

    private static let overlapVectors = [
        Vector(
            "V9",
            parts(hour: 1, minute: 30),
            after: "2025-11-01 08:00",
            ["2025-11-02 01:30 -0400", "2025-11-03 01:30 -0500"]
        ),
        Vector(
            "V10",
            parts(hour: 1, minute: 30),
            after: "2025-11-02 01:45",
            ["2025-11-02 01:30 -0500", "2025-11-03 01:30 -0500"]
        ),
        Vector(
            "V10, after both",
            parts(hour: 1, minute: 30),
            after: "2025-11-02 01:45",
            isSecond: true,
            ["2025-11-03 01:30 -0500"]
        ),
        Vector(
            "V11",
            parts(minute: 30),
            after: "2025-11-02 00:45",
            ["2025-11-02 01:30 -0400", "2025-11-02 01:30 -0500", "2025-11-02 02:30 -0500"]
        ),
    ]

    private static let dayVectors = [
        Vector(
            "V14",
            parts(day: 31, hour: 9),
            after: "2025-01-15",
            policy: .nextDayMidnight,
            [
                "2025-01-31 09:00 -0500", "2025-03-01 00:00 -0500", "2025-03-31 09:00 -0400",
                "2025-05-01 00:00 -0400",
            ]
        ),
        Vector(
            "V15",
            parts(month: 2, day: 29, hour: 9),
            after: "2025-01-15",
            policy: .nextDayMidnight,
            [
                "2025-03-01 00:00 -0500", "2026-03-01 00:00 -0500", "2027-03-01 00:00 -0500",
                "2028-02-29 09:00 -0500",
            ]
        ),
        Vector(
            "V16",
            parts(weekday: 3, weekdayOrdinal: 2, hour: 9),
            after: "2025-01-15",
            ["2025-02-11 09:00 -0500", "2025-03-11 09:00 -0400"]
        ),
        Vector(
            "V17",
            parts(weekOfMonth: 2, weekday: 2, hour: 9),
            after: "2025-01-15",
            ["2025-02-03 09:00 -0500", "2025-03-03 09:00 -0500", "2025-04-07 09:00 -0400"]
        ),
        Vector(
            "V18",
            parts(year: 2_025, month: 3, day: 9, hour: 5),
            after: "2025-03-10",
            [],
            ends: true
        ),
        Vector(
            "V18, an earlier hour of the day",
            parts(year: 2_025, month: 3, day: 9, hour: 5),
            after: "2025-03-09 06:00",
            [],
            ends: true
        ),
        Vector(
            "V19, another month",
            parts(year: 2_025, month: 3, day: 9, hour: 5),
            after: "2025-06-10",
            [],
            ends: true
        ),
        Vector(
            "V19, another year",
            parts(year: 2_024, month: 3, day: 9, hour: 5),
            after: "2025-03-01",
            [],
            ends: true
        ),
        Vector(
            "V20",
            parts(day: 13, weekday: 6),
            after: "2025-01-15",
            ["2025-06-13 00:00 -0400", "2026-02-13 00:00 -0500"]
        ),
        Vector("V21, quarter", parts(quarter: 2), after: "2025-01-15", ["2025-04-01 00:00 -0400"]),
        Vector(
            "V21, day of year",
            parts(dayOfYear: 100),
            after: "2025-01-15",
            ["2025-04-10 00:00 -0400", "2026-04-10 00:00 -0400"]
        ),
        Vector(
            "V21, year",
            parts(year: 2_026),
            after: "2025-01-15",
            ["2026-01-01 00:00 -0500"],
            ends: true
        ),
        Vector(
            "V25",
            parts(weekday: 2, weekdayOrdinal: 1, hour: 9),
            after: "2025-02-03 09:00",
            ["2025-03-03 09:00 -0500", "2025-04-07 09:00 -0400"]
        ),
        Vector(
            "V26",
            parts(weekday: 1, weekdayOrdinal: 4, hour: 9),
            after: "2025-01-26 09:00",
            ["2025-02-23 09:00 -0500", "2025-03-23 09:00 -0400"]
        ),
        Vector(
            "V27",
            parts(weekday: 2, weekdayOrdinal: 1, minute: 30),
            after: "2025-02-04 09:00",
            ["2025-03-03 00:30 -0500", "2025-03-03 01:30 -0500", "2025-03-03 02:30 -0500"]
        ),
        Vector(
            "V28",
            parts(weekday: 1, weekdayOrdinal: 4, minute: 30),
            after: "2025-01-27",
            ["2025-02-23 00:30 -0500"]
        ),
    ]
}
