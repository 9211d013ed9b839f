internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("REC-1, REC-4: Recurrences against a scan of minutes")
struct RecurrenceScanTests {
    /// `RECURRENCE_RULES` in the environment names another number of random rules.
    private static let ruleCount =
        ProcessInfo.processInfo.environment["RECURRENCE_RULES"].flatMap { Int($0) } ?? 200

    @Test("Random rules near changes of a zone give the instants of the scan")
    func random() throws {
        var random = RandomRules()
        let seed = random.generator.seed
        print("REC-4: \(Self.ruleCount) rules, SEED=\(seed)")
        for number in 0..<Self.ruleCount {
            let zone = try random.zone()
            let now = random.nowNearChange(of: zone)
            let rule = ScannedRule(near: now, &random)
            let scan = MinuteScanOfZone(zone: zone, from: now - 86_400, days: 9)
            let expected = scan.occurrences(of: rule, after: now).prefix(5)
            let trigger = try RecurrenceTrigger(
                text: .rule(rule.text),
                start: rule.start,
                repeats: true
            )
            var found: [Int] = []
            while found.count < expected.count + 1,
                let next = trigger.nextFire(
                    after: WallInstant(second: found.last ?? now),
                    in: zone
                )
            {
                found.append(Int(next.nanoseconds / .nanosecondsPerSecond))
            }
            // Leave out dates behind the end of the scan.
            let inScan = found.filter { $0 < scan.end }.prefix(5)
            guard Array(inScan) != Array(expected) else { continue }
            Issue.record(
                "rule \(number) of SEED=\(seed): \(rule) after \(now): \(found), not \(expected)"
            )
            return
        }
    }
}

extension RandomRules {
    /// An instant within two days of a change of the zone's offset, where it has one.
    mutating func nowNearChange(of zone: ZoneRules) -> Int {
        let base = now()
        func offset(_ second: Int) -> Int { zone.offsetSeconds(at: WallInstant(second: second)) }
        for day in 0..<400 where offset(base + day * 86_400) != offset(base + (day + 1) * 86_400) {
            return base + day * 86_400 + int(-86_400...86_400)
        }
        return base
    }
}

/// A rule in plain numbers, and what it says of a local time.
private struct ScannedRule: CustomStringConvertible {
    private let frequency: String
    private let interval: Int
    private var months: Set<Int> = []
    private var monthDays: Set<Int> = []
    /// The ordinal, 0 for any, and the weekday from 0, Sunday.
    private var weekdays: [(ordinal: Int, weekday: Int)] = []
    private var hours: Set<Int> = []
    private var minutes: Set<Int> = []
    let start: Int

    private static let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

    init(near now: Int, _ random: inout RandomRules) {
        let frequencies = ["MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
        frequency = frequencies[random.int(0...5)]
        let isShort = ["MINUTELY", "HOURLY"].contains(frequency)
        interval = isShort ? [1, 2, 7, 20, 60, 90][random.int(0...5)] : random.int(1...3)
        start = (now - random.int(0...200) * 86_400) / 60 * 60
        func some(_ count: Int, _ range: ClosedRange<Int>) -> Set<Int> {
            Set((0..<count).map { _ in random.int(range) })
        }
        if random.oneOf(4) { months = some(8, 1...12) }
        if random.oneOf(3), frequency != "WEEKLY" { monthDays = some(12, -31...31) }
        monthDays.remove(0)
        if random.oneOf(2) {
            let counts = ["MONTHLY", "YEARLY"].contains(frequency) && random.oneOf(2)
            weekdays = some(4, 0...6).map { (counts ? random.int(-5...5) : 0, $0) }
        }
        if random.oneOf(2) { hours = some(6, 0...23) }
        if random.oneOf(2) { minutes = some(4, 0...59) }
    }

    var text: String {
        func list(_ name: String, _ numbers: Set<Int>) -> String {
            numbers.isEmpty
                ? "" : ";\(name)=" + numbers.sorted().map(String.init).joined(separator: ",")
        }
        let days = weekdays.map {
            ($0.ordinal == 0 ? "" : "\($0.ordinal)") + Self.names[$0.weekday]
        }
        return "FREQ=\(frequency);INTERVAL=\(interval)" + list("BYMONTH", months)
            + list("BYMONTHDAY", monthDays) + list("BYHOUR", hours) + list("BYMINUTE", minutes)
            + (days.isEmpty ? "" : ";BYDAY=" + days.joined(separator: ","))
    }

    var description: String { "\(text) from \(start)" }

    /// Whether the times are those that the clock shows.
    var followsClock: Bool {
        if hours == Set(0...23) { return true }
        switch frequency {
        case "MINUTELY": return hours.isEmpty && interval <= 60
        case "HOURLY": return hours.isEmpty && interval == 1
        default: return false
        }
    }

    /// Whether a local time is of the rule.
    func contains(_ local: Int) -> Bool {
        guard local >= start else { return false }
        let (day, first) = (RuleOracle.day(local / 86_400), RuleOracle.day(start / 86_400))
        let isShort = frequency == "MINUTELY" || frequency == "HOURLY"
        let (hour, minute) = (local / 3_600 % 24, local / 60 % 60)
        guard
            isShort && hours.isEmpty
                || (hours.isEmpty ? [start / 3_600 % 24] : hours).contains(hour),
            frequency == "MINUTELY" && minutes.isEmpty
                || (minutes.isEmpty ? [start / 60 % 60] : minutes).contains(minute),
            months.isEmpty || months.contains(day.month)
        else { return false }
        // Weeks begin on Monday; day 4 was one.
        let passed =
            switch frequency {
            case "MINUTELY": local / 60 - start / 60
            case "HOURLY": local / 3_600 - start / 3_600
            case "DAILY": day.number - first.number
            case "WEEKLY": (day.number + 3) / 7 - (first.number + 3) / 7
            case "MONTHLY": (day.year - first.year) * 12 + day.month - first.month
            default: day.year - first.year
            }
        guard passed % interval == 0 else { return false }
        if !monthDays.isEmpty || !weekdays.isEmpty {
            return
                (monthDays.isEmpty || monthDays.contains(day.day)
                || monthDays.contains(day.day - day.length - 1))
                && (weekdays.isEmpty || weekdays.contains { matches($0, day) })
        }
        switch frequency {
        case "WEEKLY": return day.weekday == first.weekday
        case "MONTHLY": return day.day == first.day
        case "YEARLY":
            return day.day == first.day && (!months.isEmpty || day.month == first.month)
        default: return true
        }
    }

    private func matches(_ one: (ordinal: Int, weekday: Int), _ day: RuleOracle.Day) -> Bool {
        guard day.weekday - 1 == one.weekday else { return false }
        guard one.ordinal != 0 else { return true }
        let countsInYear = frequency == "YEARLY" && months.isEmpty
        let isLeap = day.year % 4 == 0
        let place = countsInYear ? day.dayOfYear : day.day
        let length = countsInYear ? (isLeap ? 366 : 365) : day.length
        return one.ordinal == (place - 1) / 7 + 1 || one.ordinal == -((length - place) / 7 + 1)
    }
}

/// Each minute of some days in a zone, and what its clock shows.
private struct MinuteScanOfZone {
    private let zone: ZoneRules
    private let start: Int
    let end: Int

    init(zone: ZoneRules, from start: Int, days: Int) {
        self.zone = zone
        self.start = start / 60 * 60
        end = self.start + days * 86_400
    }

    func occurrences(of rule: ScannedRule, after now: Int) -> [Int] {
        var found: Set<Int> = []
        var shown: Set<Int> = []
        var local = start + offset(start)
        for second in stride(from: start, to: end, by: 60) {
            let next = second + offset(second)
            // A time that the clock jumped over means the first one after it, but for a whole day.
            for skipped in stride(from: local, to: next, by: 60)
            where !rule.followsClock && rule.contains(skipped)
                && !jumpsOverDay(of: skipped, from: local, to: next)
            {
                if !shown.contains(skipped) { found.insert(second) }
            }
            if rule.contains(next), rule.followsClock || !shown.contains(next) {
                found.insert(second)
            }
            shown.insert(next)
            local = next + 60
        }
        return found.filter { $0 > now }.sorted()
    }

    private func jumpsOverDay(of local: Int, from first: Int, to next: Int) -> Bool {
        let midnight = local / 86_400 * 86_400
        return first <= midnight && midnight + 86_400 <= next
    }

    private func offset(_ second: Int) -> Int {
        zone.offsetSeconds(at: WallInstant(second: second))
    }
}
