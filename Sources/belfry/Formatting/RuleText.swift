internal import NotificationProtocol

/// A recurrence rule in words: "every last Fri of the month at 09:00".
struct RuleText {
    private let parts: [String: String]
    /// The time of the start: its hour, minute and second.
    private let start: [Int]

    private static let units = [
        "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year",
    ]
    private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    private static let workdays = "MO,TU,WE,TH,FR"
    /// The parts that are told, beside FREQ; with any other there are no words.
    private static let known: Set<String> = [
        "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYHOUR", "BYMINUTE", "BYSECOND", "BYDAY",
        "BYMONTHDAY", "BYMONTH", "BYSETPOS", "RSCALE", "SKIP", "WKST",
    ]
    /// How many times of a day are told one by one.
    private static let timeLimit = 6

    /// Reads a rule; nil where it has parts without words.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - start: The local time from which it counts: "20261224T180000".
    init?(_ rule: String, start: String) {
        let text = rule.uppercased()
        let pairs = (text.hasPrefix("RRULE:") ? text.dropFirst(6) : text[...])
            .split(separator: ";")
            .map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        guard pairs.allSatisfy({ $0.count == 2 }) else { return nil }
        parts = Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
        let digits = start.compactMap(\.wholeNumberValue)
        self.start = [8, 10, 12].map { place in
            digits.count >= place + 2 ? digits[place] * 10 + digits[place + 1] : 0
        }
        guard Set(parts.keys).isSubset(of: Self.known) else { return nil }
    }

    /// Whether the rule is steps alone, of which the start gives all the rest.
    var isSteps: Bool { !parts.keys.contains { $0.hasPrefix("BY") } }

    /// Whether the start says which weeks, months or days are meant.
    var needsStart: Bool {
        interval > 1 || isSteps
            || parts["FREQ"] != "DAILY" && parts["BYDAY"] == nil && parts["BYMONTHDAY"] == nil
                && parts["FREQ"] != "HOURLY"
    }

    /// The rule in words; nil where it has none.
    var words: String? {
        guard let unit = Self.units[parts["FREQ"] ?? ""] else { return nil }
        guard !isSteps else { return ["every " + counted(unit)].joined() + end }
        guard unit != "hour" else { return hours.map { $0 + end } }
        guard let days = days(unit), let times else { return nil }
        return "every \(days) at \(times.joined(separator: ", "))" + end
    }

    private var interval: Int { Int(parts["INTERVAL"] ?? "") ?? 1 }

    private func counted(_ unit: String) -> String {
        interval == 1 ? unit : "\(interval) \(unit)s"
    }

    private func numbers(_ name: String) -> [Int]? {
        parts[name].map { $0.split(separator: ",").compactMap { Int($0) } }
    }

    /// The last occurrence: ", 10 times" or ", until 2026-12-31".
    private var end: String {
        if let count = parts["COUNT"] { return count == "1" ? ", 1 time" : ", \(count) times" }
        guard let until = parts["UNTIL"] else { return "" }
        let digits = Array(until.prefix(8))
        return ", until \(String(digits[..<4]))-\(String(digits[4..<6]))-\(String(digits[6...]))"
    }

    /// "every hour at minute 30".
    private var hours: String? {
        guard let minutes = numbers("BYMINUTE"), minutes.count == 1,
            Set(parts.keys).isSubset(of: ["FREQ", "INTERVAL", "BYMINUTE", "BYSECOND"]),
            (numbers("BYSECOND") ?? [start[2]]) == [0]
        else { return nil }
        return "every \(counted("hour")) at minute \(minutes[0])"
    }

    // MARK: Days

    /// The days: "weekday", "2 weeks on Tue, Thu", "last working day of the month", "24 Dec".
    private func days(_ unit: String) -> String? {
        let months = numbers("BYMONTH")?.map { MonthText.short(Int32($0)) }
        let within = months.map { " in " + $0.joined(separator: ", ") } ?? ""
        let isLast = parts["SKIP"] == "BACKWARD"
        guard isLast || parts["SKIP"] == nil || unit == "day" || unit == "week" else { return nil }
        switch (unit, parts["BYDAY"], numbers("BYMONTHDAY")) {
        case (_, nil, nil) where months == nil: return counted(unit)
        case ("day", nil, nil): return counted(unit) + within
        case ("day", let days?, nil):
            return interval == 1 ? names(days).map { $0 + within } : nil
        case ("week", let days?, nil):
            guard let names = names(days) else { return nil }
            return (interval == 1 ? names : "\(counted(unit)) on \(names)") + within
        case ("month", Self.workdays?, nil):
            guard let day = positionOfDay, let ordinal = CalendarText.ordinal(Int32(day)) else {
                return nil
            }
            return ofMonth("\(ordinal) working day", months)
        case ("month", let days?, nil):
            return ordinals(days).flatMap { ofMonth($0, months) }
        case ("month", nil, let numbers?), ("day", nil, let numbers?):
            guard interval == 1 || unit == "month" else { return nil }
            return monthDays(numbers, isLast).flatMap { ofMonth($0, months) }
        case ("year", nil, let days?):
            guard let months, months.count == 1, days.count == 1, days[0] > 0, interval == 1 else {
                return nil
            }
            return "\(days[0]) \(months[0])"
        case ("year", let days?, nil):
            guard interval == 1, let months, months.count == 1 else { return nil }
            return ordinals(days).map { "\($0) of \(months[0])" }
        default: return nil
        }
    }

    /// "last Fri of the month", "2 months on the last Fri", "last Fri of Mar, Jun".
    private func ofMonth(_ days: String, _ months: [String]?) -> String? {
        guard interval == 1 else {
            return months == nil ? "\(interval) months on the \(days)" : nil
        }
        return "\(days) of " + (months?.joined(separator: ", ") ?? "the month")
    }

    private func names(_ days: String) -> String? {
        let found = days.split(separator: ",").compactMap { day in
            Self.weekdays.firstIndex { $0 == day }
                .flatMap { Belfry_V1_Weekday(rawValue: $0 + 1) }
        }
        guard found.count == days.split(separator: ",").count else { return nil }
        return CalendarText.names(found)
    }

    /// "first Mon and third Fri".
    private func ordinals(_ days: String) -> String? {
        guard parts["BYSETPOS"] == nil || times != nil else { return nil }
        var words: [String] = []
        for day in days.split(separator: ",") {
            guard let number = Int32(day.dropLast(2)), let name = names(String(day.suffix(2))),
                let ordinal = CalendarText.ordinal(number)
            else { return nil }
            words.append("\(ordinal) \(name)")
        }
        return words.joined(separator: " and ")
    }

    private func monthDays(_ days: [Int], _ isLast: Bool) -> String? {
        guard days.count <= Self.timeLimit, days.allSatisfy({ $0 == -1 || $0 > 0 }) else {
            return nil
        }
        let ends = days.map { $0 == -1 || $0 == 31 && isLast ? "last day" : "day \($0)" }
        return ends.joined(separator: " and ")
    }

    // MARK: Times

    /// How many days of the period have times of their own.
    private var dayCount: Int {
        parts["BYDAY"] == Self.workdays && parts["FREQ"] == "MONTHLY"
            ? 1 : parts["BYDAY"]?.split(separator: ",").count ?? numbers("BYMONTHDAY")?.count ?? 1
    }

    private var timesOfDay: [String] {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hours = Set(numbers("BYHOUR") ?? [start[0]]).sorted()
        let minutes = Set(numbers("BYMINUTE") ?? [start[1]]).sorted()
        let seconds = Set(numbers("BYSECOND") ?? [start[2]]).sorted()
        return hours.flatMap { hour in
            minutes.flatMap { minute in
                seconds.map { second in
                    padded(hour) + ":" + padded(minute) + (second == 0 ? "" : ":" + padded(second))
                }
            }
        }
    }

    /// Which day of the period positions choose, from 1 or, below zero, from its end; nil where
    /// they choose none with all its times that are told.
    private var positionOfDay: Int? {
        guard let positions = numbers("BYSETPOS"), let first = positions.first, first != 0 else {
            return nil
        }
        let count = timesOfDay.count
        func day(_ position: Int) -> Int {
            position > 0 ? (position - 1) / count + 1 : -((-position - 1) / count + 1)
        }
        return positions.allSatisfy { day($0) == day(first) } ? day(first) : nil
    }

    /// The times of each day; nil where they are too many, or positions choose other ones on other
    /// days.
    private var times: [String]? {
        let all = timesOfDay
        guard all.count <= 60 else { return nil }
        guard let positions = numbers("BYSETPOS") else {
            return all.count <= Self.timeLimit ? all : nil
        }
        let isWorkday = parts["BYDAY"] == Self.workdays && parts["FREQ"] == "MONTHLY"
        let places = positions.map { position in
            position > 0
                ? (position - 1) % all.count : (position % all.count + all.count) % all.count
        }
        let chosen = Set(places).sorted()
        guard chosen.count <= Self.timeLimit else { return nil }
        if isWorkday {
            return positionOfDay != nil && chosen.count == positions.count
                ? chosen.map { all[$0] } : nil
        }
        let each = (0..<dayCount).flatMap { day in chosen.map { day * all.count + $0 + 1 } }
        return Set(positions) == Set(each) ? chosen.map { all[$0] } : nil
    }
}
