internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("CAL-11: Recurrence against a plain scan of days")
struct RecurrenceOracleTests {
    /// How many random rules are compared; `RECURRENCE_RULES` in the environment names another
    /// number.
    private static let ruleCount =
        ProcessInfo.processInfo.environment["RECURRENCE_RULES"].flatMap { Int($0) } ?? 1_200

    /// Rules of one zone that are compared before another zone is taken.
    private static let rulesPerZone = 50

    @Test("Random rules, bounds and zones give the instants of the scan, to the second")
    func random() throws {
        var random = RandomRules()
        let seed = random.generator.seed
        print("CAL-11: \(Self.ruleCount) rules, SEED=\(seed)")
        var oracle = RuleOracle(zone: .utc)
        for number in 0..<Self.ruleCount {
            if number % Self.rulesPerZone == 0 { oracle = RuleOracle(zone: try random.zone()) }
            let now = random.now()
            let problem =
                Bool.random(using: &random.generator)
                ? try compareCalendar(&random, oracle, now)
                : try compareAnchored(&random, oracle, now)
            guard let problem else { continue }
            Issue.record("rule \(number) of SEED=\(seed): \(problem)")
            return
        }
    }

    private func compareCalendar(
        _ random: inout RandomRules,
        _ oracle: RuleOracle,
        _ now: Int
    ) throws -> String? {
        let trigger = try random.calendar(near: now)
        let zone = oracle.zone
        return try compare(
            &random,
            "\(trigger)",
            zone,
            now,
            next: { trigger.nextFire(after: $0, in: zone) },
            passed: { trigger.passed(from: $0, to: $1, in: zone, atMost: $2) },
            expected: { oracle.next(trigger, after: $0) }
        )
    }

    private func compareAnchored(
        _ random: inout RandomRules,
        _ oracle: RuleOracle,
        _ now: Int
    ) throws -> String? {
        let zone = oracle.zone
        let trigger = try random.anchored(near: now).accepted(in: zone)
        return try compare(
            &random,
            "\(trigger)",
            zone,
            now,
            next: { trigger.nextFire(after: $0, in: zone) },
            passed: { trigger.passed(from: $0, to: $1, in: zone, atMost: $2) },
            expected: { oracle.next(trigger, after: $0) }
        )
    }

    /// Compares a few occurrences, each searched from the one before, and a late firing that stands
    /// for some of them.
    private func compare(
        _ random: inout RandomRules,
        _ rule: String,
        _ zone: ZoneRules,
        _ now: Int,
        next: (WallInstant) -> WallInstant?,
        passed: (WallInstant, WallInstant, Int64) -> PassedOccurrences<WallInstant>,
        expected: (Int) -> Int?
    ) throws -> String? {
        var instants: [WallInstant] = []
        var last = WallInstant(second: now)
        for _ in 0..<4 {
            let found = next(last)
            let second = expected(Int(last.nanoseconds / .nanosecondsPerSecond))
            // The scan ends before the search does.
            if second == nil, let found, found > last + .seconds(6 * 365 * 86_400) { break }
            guard found == second.map({ WallInstant(second: $0) }) else {
                return "\(rule), after \(zone.text(last)): \(found.map(zone.text) ?? "none"), "
                    + "not \(second.map { zone.text(WallInstant(second: $0)) } ?? "none")"
            }
            guard let found else { break }
            instants.append(found)
            last = found
        }
        guard let due = instants.first, let end = instants.randomElement(using: &random.generator)
        else { return nil }
        let limit = Int64.random(in: 1...5, using: &random.generator)
        let expectedCount = min(limit, Int64(instants.filter { $0 <= end }.count))
        let result = passed(due, end, limit)
        guard result.earlierCount == expectedCount - 1,
            result.latest == instants[Int(expectedCount) - 1]
        else { return "\(rule): of \(instants.map(zone.text)) at most \(limit): \(result)" }
        return nil
    }
}

struct RandomRules {
    var generator = SeededGenerator()

    mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    mutating func oneOf(_ count: Int) -> Bool { int(1...count) == 1 }

    /// A zone of the fixtures, or one whose clock changes at random.
    mutating func zone() throws -> ZoneRules {
        let files = ZoneFile.allCases
        guard oneOf(2) else { return try ZoneRules(tzif: files[int(0...files.count - 1)].bytes) }
        let offset = int(-13...12)
        let minutes = oneOf(3) ? ":30" : ""
        let changes = [(2...5), (8...11)].map { months in
            "M\(int(months)).\(int(1...5)).\(int(0...6))/\(int(0...23))"
        }
        return try ZoneRules(
            tzif: zoneFile(
                footer: "AAA\(offset)\(minutes)BBB," + changes.joined(separator: ","),
                offset: 0
            )
        )
    }

    /// An instant of the years 2019 to 2045, in seconds since 1970.
    mutating func now() -> Int { int(1_546_300_800...2_366_841_600) }

    mutating func calendar(near now: Int) throws -> CalendarTrigger {
        var (parts, weekdays) = dates()
        switch int(0...9) {
        case 0: parts.minute = int(0...59)
        case 1 where oneOf(8): parts.second = int(0...59)
        default:
            parts.hour = int(0...23)
            if oneOf(2) { parts.minute = int(0...59) }
            if oneOf(4) { parts.second = int(0...59) }
        }
        return try CalendarTrigger(
            dateComponents: parts,
            weekdays: weekdays,
            repeats: true,
            shortMonthPolicy: policy(),
            limits: try limits(near: now)
        )
    }

    private mutating func policy() -> ShortMonthPolicy {
        ShortMonthPolicy.allCases[int(0...3)]
    }

    private mutating func ordinal() -> Int { int(1...5) * (oneOf(2) ? -1 : 1) }

    private mutating func dates() -> (CalendarComponents, WeekdaySet) {
        var parts = CalendarComponents()
        var weekdays: WeekdaySet = []
        switch int(0...11) {
        case 0: break
        case 1: parts.weekday = int(1...7)
        case 2: weekdays = WeekdaySet(rawValue: UInt8(int(1...127)))
        case 3:
            parts.weekday = int(1...7)
            parts.weekdayOrdinal = ordinal()
        case 4:
            weekdays = WeekdaySet(rawValue: UInt8(int(1...127)))
            parts.weekdayOrdinal = ordinal()
        case 5: parts.weekdayOrdinal = ordinal()
        case 6: parts.day = int(1...31)
        case 7:
            parts.day = int(28...31)
            if oneOf(2) { parts.month = int(1...12) }
        case 8:
            parts.month = int(1...12)
            parts.weekday = oneOf(2) ? int(1...7) : nil
            parts.weekdayOrdinal = oneOf(2) ? ordinal() : nil
        case 9:
            parts.quarter = int(1...4)
            if oneOf(2) { weekdays = WeekdaySet(rawValue: UInt8(int(1...127))) }
        case 10: parts.dayOfYear = int(1...366)
        default:
            parts.day = int(1...31)
            weekdays = WeekdaySet(rawValue: UInt8(int(1...127)))
        }
        if oneOf(20) { parts.year = int(2_020...2_045) }
        return (parts, weekdays)
    }

    mutating func anchored(near now: Int) throws -> AnchoredIntervalTrigger {
        if oneOf(3) {
            return try AnchoredIntervalTrigger(
                anchor: WallInstant(second: now + int(-20...20) * 86_400 + int(0...86_400)),
                step: .interval(Int64(int(3_600...200_000)) * .nanosecondsPerSecond),
                repeats: true,
                limits: try limits(near: now)
            )
        }
        let unit = CalendarUnit.allCases[int(0...3)]
        let isLong = unit == .month || unit == .year
        // The days that not every month has, and those around them.
        let early = max(now - int(0...1_400) * 86_400, 1_450_000_000)
        let end = RuleOracle.days.first {
            $0.number >= early / 86_400 && ($0.day >= 28 || isLong == false)
        }
        let anchor = (end?.number ?? 0) * 86_400 + int(0...86_399)
        return try AnchoredIntervalTrigger(
            anchor: WallInstant(second: anchor),
            step: .calendar(count: oneOf(4) ? int(1...40) : int(1...3), unit),
            shortMonthPolicy: isLong ? policy() : .nextDaySameTime,
            repeats: true,
            limits: try limits(near: now)
        )
    }

    private mutating func limits(near now: Int) throws -> RecurrenceLimits {
        let start = oneOf(4) ? now + int(-100...400) * 86_400 + int(0...86_400) : nil
        let end = oneOf(6) ? max(now, start ?? now) + int(0...200) * 86_400 : nil
        var skipped: Set<Int> = []
        if oneOf(3) {
            let first = max(now, start ?? now) / 86_400
            for _ in 0..<int(1...40) { skipped.insert(first + int(-1...60)) }
        }
        return try RecurrenceLimits(
            startAt: start.map { WallInstant(second: $0) },
            endAt: end.map { WallInstant(second: $0) },
            skippedDays: skipped.map { CivilDate(daysSince1970: $0) },
            repeats: true
        )
    }
}
