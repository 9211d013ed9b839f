internal import NotificationProtocol

/// Several times of a day in one recurrence rule.
///
/// A rule has each of some hours with each of some minutes; of these, positions choose the times
/// that are meant.
struct DayTimes {
    private let hours: [Int32]
    private let minutes: [Int32]
    private let seconds: [Int32]
    /// The places of the times among all of a day, from 1.
    private let places: [Int]

    /// How many positions a rule has at most (RFC 5545, 3.3.10).
    private static let positionLimit = 366

    init(_ when: When) {
        let times = when.each.compactMap(\.time)
        let hours = Set(times.map(\.hour)).sorted()
        let minutes = Set(times.map(\.minute)).sorted()
        let seconds = Set(times.map(\.second)).sorted()
        let all = hours.flatMap { hour in
            minutes.flatMap { minute in
                seconds.map { TimeOfDay(hour: hour, minute: minute, second: $0) }
            }
        }
        places = all.indices.filter { times.contains(all[$0]) }.map { $0 + 1 }
        (self.hours, self.minutes, self.seconds) = (hours, minutes, seconds)
    }

    /// Gives the rule that comes at these times of some days; nil where none does.
    func rule(_ every: Recurrence) -> String? {
        let days: String
        var count = 1
        switch every {
        case .interval, .crossing: return nil
        case .step(let number, let unit): days = TriggerOptions.rule(number, unit)
        case .weekdays(let weekdays), .weeks(_, let weekdays):
            let names = weekdays.map(\.ruleName).joined(separator: ",")
            var interval = ""
            if case .weeks(let number, _) = every { interval = ";INTERVAL=\(number)" }
            days = "FREQ=WEEKLY\(interval);BYDAY=\(names)"
            count = weekdays.count
        case .ordinal(let ordinal, let weekday):
            days = "FREQ=MONTHLY;BYDAY=\(ordinal)\(weekday.ruleName)"
        case .dayOfMonth(let day):
            days = Self.lastDay(day > 28, "FREQ=MONTHLY;BYMONTHDAY=\(day)")
        case .dayOfYear(let month, let day):
            days = Self.lastDay(day > 28, "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(day)")
        case .monthly(let parts):
            days = "FREQ=MONTHLY;" + parts
            count = parts.contains("BYSETPOS") ? 1 : parts.split(separator: ",").count
        }
        return rule(days, count)
    }

    /// Makes a rule take the last day where a month is shorter.
    private static func lastDay(_ isShort: Bool, _ rule: String) -> String {
        isShort ? "RSCALE=GREGORIAN;\(rule);SKIP=BACKWARD" : rule
    }

    private func rule(_ days: String, _ count: Int) -> String? {
        var parts = days.split(separator: ";").map(String.init)
        let position = parts.firstIndex { $0.hasPrefix("BYSETPOS=") }
        let day = position.flatMap { Int(parts.remove(at: $0).dropFirst(9)) }
        let all = hours.count * minutes.count * seconds.count
        parts.append("BYHOUR=" + Self.list(hours))
        // The start gives a part that all times share.
        if minutes.count > 1 { parts.append("BYMINUTE=" + Self.list(minutes)) }
        if seconds.count > 1 { parts.append("BYSECOND=" + Self.list(seconds)) }
        if day != nil || places.count < all {
            let positions = (day.map { [$0] } ?? Array(1...count)).flatMap { day in
                places.map { day > 0 ? (day - 1) * all + $0 : day * all + $0 - 1 }
            }
            guard positions.allSatisfy({ abs($0) <= Self.positionLimit }) else { return nil }
            parts.append("BYSETPOS=" + positions.map(String.init).joined(separator: ","))
        }
        return parts.joined(separator: ";")
    }

    private static func list(_ numbers: [Int32]) -> String {
        numbers.map(String.init).joined(separator: ",")
    }
}
