internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

/// A recurrence's late firing: it finds what it stands for without looking at each occurrence.
@Suite("REC-7: What a late firing of a recurrence stands for")
struct PassedOccurrencesTests {
    /// As many rules as the scan of minutes can be told to try.
    private static let ruleCount =
        ProcessInfo.processInfo.environment["RECURRENCE_RULES"].flatMap { Int($0) } ?? 200

    @Test("The count and the latest are those of a walk from one occurrence to the next")
    func walk() throws {
        var random = RandomRules()
        let seed = random.generator.seed
        print("REC-7: \(Self.ruleCount) rules, SEED=\(seed)")
        for number in 0..<Self.ruleCount {
            let zone = try random.zone()
            let now = random.nowNearChange(of: zone)
            let trigger = try random.denseTrigger(near: now, in: zone)
            let dates = Self.dates(of: trigger, after: now, in: zone, limit: 500)
            guard let due = dates.first, let last = dates.randomElement(using: &random.generator)
            else { continue }
            let end = last + .nanoseconds(random.int(0...999_999_999))
            let expected = dates.filter { $0 <= end }
            let passed = trigger.passed(from: due, to: end, in: zone)
            let limit = random.int(1...expected.count)
            let first = trigger.passed(from: due, to: end, in: zone, atMost: Int64(limit))
            // Beyond the steps that count, the latest alone is exact.
            let isCounted = passed.searchSteps < Limits.passedSteps
            guard passed.latest == expected.last,
                isCounted
                    ? passed.earlierCount == expected.count - 1
                    : passed.earlierCount < expected.count,
                first.searchSteps >= Limits.passedSteps
                    || first.latest == expected[limit - 1] && first.earlierCount == limit - 1
            else {
                Issue.record(
                    """
                    rule \(number) of SEED=\(seed): \(trigger) from \(zone.text(due)) to \
                    \(zone.text(end)): \(passed), not \(expected.count); \(first), not \(limit)
                    """
                )
                return
            }
        }
    }

    private static func dates(
        of trigger: RecurrenceTrigger,
        after now: Int,
        in zone: ZoneRules,
        limit: Int
    ) -> [WallInstant] {
        var dates: [WallInstant] = []
        while dates.count < limit,
            let next = trigger.nextFire(after: dates.last ?? WallInstant(second: now), in: zone)
        {
            dates.append(next)
        }
        return dates
    }

    /// Parts that make the times of a rule many, or unequal.
    private static let parts = [
        "", ";INTERVAL=7", ";BYSECOND=0,1,5,6", ";INTERVAL=7;BYSECOND=0,1,5,6",
        ";INTERVAL=7;BYMINUTE=1,2,5,6", ";INTERVAL=7;BYHOUR=0,1,5,6,22", ";INTERVAL=59;BYDAY=MO,SU",
        ";BYMONTH=1,2,3,4,5,6,7,8,9,10,11", ";INTERVAL=11;BYMONTH=1,2,3,4,5,6,7,8,9,10,11",
        ";BYHOUR=0,1,2;BYMINUTE=0,1,2,3,4;BYSECOND=0,1,2,3,4,5;BYSETPOS=1,2,3,5,-1",
    ]

    @Test(
        "However long and dense it is, it takes a bounded number of steps, and the latest is exact",
        arguments: RecurrenceRule.Frequency.allCases
    )
    func bounded(frequency: RecurrenceRule.Frequency) throws {
        let zone = try ZoneRules(tzif: ZoneFile.newYork.bytes)
        let start = 1_767_258_000
        let now = WallInstant(second: start + 40 * 366 * 86_400 + 13)
        for part in Self.parts {
            for dateCount in [0, 366] {
                let text = "FREQ=\(frequency)".uppercased() + part
                let excluded = (0..<dateCount).map {
                    RecurrenceMoment.local(start + $0 * 3_600 + 7)
                }
                let trigger = try RecurrenceTrigger(
                    text: .rule(text),
                    start: start,
                    excludedDates: excluded,
                    repeats: true
                )
                let first = trigger.nextFire(after: WallInstant(second: start), in: zone)
                let due = try #require(first)
                let passed = trigger.passed(from: due, to: now, in: zone)
                // A search looks at few periods, and 64 more searches find the latest.
                let bound = Limits.passedSteps + 128 * (64 + dateCount / 8)
                #expect(passed.searchSteps < bound, "\(text), \(dateCount) dates")
                #expect(passed.latest <= now)
                let next = trigger.nextFire(after: passed.latest, in: zone)
                #expect(next.map { $0 > now } ?? true, "\(text), \(dateCount) dates")
            }
        }
    }

    @Test("Dates that are left out are passed once, however many days are skipped too")
    func leftOut() throws {
        let start = 1_767_225_600
        let skipped = (0..<366).map { start / 86_400 + $0 }
        // A date of each skipped day, which is left out by its local time, too.
        let nine = skipped.map { $0 * 86_400 + 9 * 3_600 }
        let added = nine.reversed().map { RecurrenceMoment.instant($0) }
        let excluded = nine.map { RecurrenceMoment.local($0) }
        let trigger = try RecurrenceTrigger(
            text: .rule("FREQ=DAILY"),
            start: start,
            addedDates: added,
            excludedDates: excluded,
            repeats: true,
            limits: try RecurrenceLimits(
                skippedDays: skipped.map { CivilDate(daysSince1970: $0) },
                repeats: true
            )
        )
        let due = WallInstant(second: start - 86_400)
        let end = WallInstant(second: start + 366 * 86_400)
        let passed = trigger.passed(from: due, to: end, in: .utc)
        #expect(passed.latest == end)
        #expect(passed.earlierCount == 1)
        // A few for each day, and not one for each date on each day.
        #expect(passed.searchSteps < 366 * 6, "\(passed.searchSteps) steps")
    }

    @Test("Ten years of each second are counted to the last one")
    func exact() throws {
        let seconds: Int64 = 10 * 365 * 86_400
        let due = WallInstant(second: 1_767_258_000)
        let texts: [RecurrenceTrigger.Text] = [
            .cron("* * * * * *"), .rule("FREQ=SECONDLY"), .rule("FREQ=SECONDLY;INTERVAL=7"),
        ]
        for (text, step) in zip(texts, [1, 1, 7] as [Int64]) {
            let isRule = step == 7 || text == .rule("FREQ=SECONDLY")
            let trigger = try RecurrenceTrigger(
                text: text,
                start: isRule ? 1_767_258_000 : nil,
                repeats: true
            )
            let passed = trigger.passed(from: due, to: due + .seconds(seconds), in: .utc)
            #expect(passed.earlierCount == seconds / step)
            #expect(passed.latest == due + .seconds(seconds / step * step))
            #expect(passed.searchSteps <= 2 * 3_700)
        }
    }
}

extension RandomRules {
    /// A trigger of many times near an instant, with dates of its own, days to skip and an end.
    fileprivate mutating func denseTrigger(
        near now: Int,
        in zone: ZoneRules
    ) throws -> RecurrenceTrigger {
        let start = now - int(0...100) * 86_400 - int(0...86_400)
        func list(_ name: String, _ count: Int, _ range: ClosedRange<Int>) -> String {
            let numbers = Set((0..<count).map { _ in int(range) })
            return ";\(name)=" + numbers.sorted().map(String.init).joined(separator: ",")
        }
        let names = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
        var text = "FREQ=\(names[int(0...6)]);INTERVAL=\([1, 1, 2, 7, 20, 90][int(0...5)])"
        if oneOf(3) { text += list("BYSECOND", 9, 0...59) }
        if oneOf(2) { text += list("BYMINUTE", 20, 0...59) }
        if oneOf(2) { text += list("BYHOUR", 12, 0...23) }
        if oneOf(4) { text += list("BYMONTH", 8, 1...12) }
        if oneOf(4) { text += ";BYDAY=MO,WE,TH,SU" }
        let plain = try RecurrenceTrigger(text: .rule(text), start: start, repeats: true)
        var near: [Int] = []
        while near.count < 300,
            let next = plain.nextFire(after: WallInstant(second: near.last ?? now), in: zone)
        {
            near.append(Int(next.nanoseconds / .nanosecondsPerSecond))
        }
        guard let last = near.last else { return plain }
        var moments: [[RecurrenceMoment]] = [[], []]
        for place in 0..<2 where oneOf(3) {
            moments[place] = (0..<int(1...8)).map { _ in
                let second = near[int(0...near.count - 1)] + (oneOf(3) ? int(-3...3) : 0)
                let offset = zone.offsetSeconds(at: WallInstant(second: second))
                return oneOf(2) ? .instant(second) : .local(second + offset)
            }
        }
        if oneOf(4) {
            let end = int(near[0]...last)
            let (day, time) = (CivilDate(daysSince1970: end / 86_400), end % 86_400)
            text += String(
                format: ";UNTIL=%04d%02d%02dT%02d%02d%02d",
                day.year,
                day.month,
                day.day,
                time / 3_600,
                time / 60 % 60,
                time % 60
            )
            if oneOf(2) { text += "Z" }
        }
        let skipped = oneOf(4) ? [near[int(0...near.count - 1)] / 86_400] : []
        return try RecurrenceTrigger(
            text: .rule(text),
            start: start,
            addedDates: moments[0],
            excludedDates: moments[1],
            repeats: true,
            limits: try RecurrenceLimits(
                skippedDays: skipped.map { CivilDate(daysSince1970: $0) },
                repeats: true
            )
        )
    }
}
