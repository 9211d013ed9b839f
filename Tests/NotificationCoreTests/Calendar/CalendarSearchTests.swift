internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("Calendar triggers: the search against a scan of every minute (§7.3.3)")
struct CalendarSearchTests {
    /// A pattern at 09:00, and how often it comes in 25 years: the true counts of §7.3.2,
    /// and those of the patterns that the table gives no number for.
    struct Pattern: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let components: CalendarComponents
        let count: Int?
        let isHit: @Sendable (CivilDate) -> Bool

        init(
            _ name: String,
            _ components: CalendarComponents,
            _ count: Int? = nil,
            _ isHit: @escaping @Sendable (CivilDate) -> Bool
        ) {
            testDescription = name
            self.components = components
            self.count = count
            self.isHit = isHit
        }
    }

    @Test(
        "25 years lose no occurrence and add none",
        arguments: [
            Pattern("first Monday", parts(weekday: 2, weekdayOrdinal: 1), 299) {
                $0.weekday == 2 && $0.day <= 7
            },
            Pattern("second Tuesday", parts(weekday: 3, weekdayOrdinal: 2), 299) {
                $0.weekday == 3 && (8...14).contains($0.day)
            },
            Pattern("third Friday", parts(weekday: 6, weekdayOrdinal: 3), 300) {
                $0.weekday == 6 && (15...21).contains($0.day)
            },
            Pattern("fourth Sunday", parts(weekday: 1, weekdayOrdinal: 4), 300) {
                $0.weekday == 1 && (22...28).contains($0.day)
            },
            Pattern("week 2 and Monday", parts(weekOfMonth: 2, weekday: 2), 299) { date in
                // The Monday after the month's first Sunday that is not day 1, or after day 1.
                let firstSunday = (2...8).first { ($0 + 13 - date.day + date.weekday) % 7 == 0 }
                return date.weekday == 2 && date.day == (firstSunday ?? 0) + 1
            },
            Pattern("weekly", parts(weekday: 5)) { $0.weekday == 5 },
            Pattern("daily", parts(), 9_117) { _ in true },
            Pattern("day 1", parts(day: 1), 299) { $0.day == 1 },
            Pattern("day 15", parts(day: 15), 300) { $0.day == 15 },
            Pattern("March 2", parts(month: 3, day: 2), 25) { $0.month == 3 && $0.day == 2 },
            Pattern("Friday 13th", parts(day: 13, weekday: 6)) { $0.day == 13 && $0.weekday == 6 },
            Pattern("Thanksgiving", parts(month: 11, weekday: 5, weekdayOrdinal: 4), 25) {
                $0.month == 11 && $0.weekday == 5 && (22...28).contains($0.day)
            },
        ]
    )
    func everyDay(pattern: Pattern) throws {
        let zone = try ZoneRules(tzif: ZoneFile.newYork.bytes)
        var components = pattern.components
        components.hour = 9
        let trigger = try CalendarTrigger(dateComponents: components, repeats: true)
        let start = try zone.instant("2025-01-15")
        let end = try zone.instant("2050-01-01")
        let expected = (20_103..<29_220).filter { pattern.isHit(CivilDate(daysSince1970: $0)) }
        let found = firings(trigger, after: start, in: zone, limit: 10_000).prefix { $0 < end }
        // 09:00 is 13:00 or 14:00 in UTC.
        let instants = expected.compactMap { day in
            [13, 14].map { WallInstant(second: day * 86_400 + $0 * 3_600) }.first { instant in
                zone.text(instant).contains(" 09:00 ")
            }
        }
        #expect(Array(found) == instants)
        if let count = pattern.count { #expect(found.count == count) }
        let passed = trigger.passed(from: start, to: end, in: zone)
        #expect(passed.earlierCount == Int64(expected.count))
    }

    @Test(
        "Random components around each change of the clocks",
        arguments: [
            (ZoneFile.newYork, 1_741_503_600), (.newYork, 1_762_063_200),
            (.saoPaulo, 1_541_300_400), (.saoPaulo, 1_550_368_800),
            (.lordHowe, 1_743_865_200), (.lordHowe, 1_759_591_800),
            (.dublin, 1_743_296_400), (.dublin, 1_761_440_400), (.apia, 1_325_239_200),
        ]
    )
    func random(file: ZoneFile, change: Int) throws {
        try compare(try ZoneRules(tzif: file.bytes), around: change)
    }

    @Test(
        "Random components where the clock is set back over a midnight, forth over one, or far",
        arguments: [
            ("AAA3BBB,J100/0:01,J300/0:01", [100, 300]), ("AAA3BBB,J60/0,J91/0:30", [60, 91]),
            ("AAA3BBB-20,J120/12,J121/12", [120]), ("AAA3BBB2:30,M3.5.0/23:45,M3.5.6/24", [90]),
        ]
    )
    func randomFooter(footer: String, days: [Int]) throws {
        let zone = try ZoneRules(tzif: zoneFile(footer: footer, offset: -10_800))
        // The days of 2025 on which the clock changes.
        for day in days { try compare(zone, around: 1_735_689_600 + day * 86_400) }
    }

    private func compare(_ zone: ZoneRules, around change: Int) throws {
        var random = SeededGenerator()
        let scan = MinuteScan(zone: zone, around: change)
        for _ in 0..<12 {
            let components = randomComponents(using: &random)
            let policy = ShortMonthPolicy.allCases.randomElement(using: &random) ?? .skip
            let trigger = try CalendarTrigger(
                dateComponents: components,
                repeats: true,
                shortMonthPolicy: policy
            )
            let expected = scan.occurrences(of: trigger)
            for _ in 0..<20 {
                let minutes = Bool.random(using: &random) ? 100 : 4_320
                let minute = Int.random(in: -minutes...minutes, using: &random)
                let half = Bool.random(using: &random) ? 30 : 0
                let now = WallInstant(second: change + minute * 60 + half)
                let found = trigger.nextFire(after: now, in: zone)
                    .flatMap { scan.contains($0) ? $0 : nil }
                #expect(
                    found.map(zone.text) == expected.first(after: now).map(zone.text),
                    "\(components), \(policy), after \(zone.text(now)), seed \(random.seed)"
                )
            }
        }
    }

    private func randomComponents(using random: inout SeededGenerator) -> CalendarComponents {
        var components = CalendarComponents()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: components.day = Int.random(in: 28...31, using: &random)
        case 1: components.day = Int.random(in: 1...31, using: &random)
        case 2: components.weekday = Int.random(in: 1...7, using: &random)
        case 3:
            components.weekday = Int.random(in: 1...7, using: &random)
            components.weekdayOrdinal = Int.random(in: 1...5, using: &random)
        case 4:
            components.weekOfMonth = Int.random(in: 1...6, using: &random)
            components.weekday = Bool.random(using: &random) ? 1 : nil
        case 5: components.month = Int.random(in: 1...12, using: &random)
        default: break
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: components.minute = [0, 1, 30, 59].randomElement(using: &random)
        case 1: components.second = 0
        default:
            components.hour = Int.random(in: 0...3, using: &random)
            components.minute = [nil, 0, 1, 15, 30, 59].randomElement(using: &random) ?? nil
        }
        if Bool.random(using: &random), components.hour != nil {
            components.hour = [0, 1, 2, 12, 23].randomElement(using: &random)
        }
        return components
    }
}
