internal import NotificationProtocol

/// How often something comes, as people write it: "2h", "day", "3 days", "monday,thursday",
/// "weekday", "last friday", "last working day", "24 dec".
enum Recurrence: Equatable {
    /// After a time has passed.
    case interval(Duration)
    /// After days, weeks, months or years, at the same local time.
    case step(Int32, Belfry_V1_CalendarUnit)
    /// On days of the week.
    case weekdays([Belfry_V1_Weekday])
    /// On one such day of the week of each month; below zero from the month's end.
    case ordinal(Int32, Belfry_V1_Weekday)
    /// On a day of each month; 29 to 31 are the last day of a month without them.
    case dayOfMonth(Int32)
    case dayOfYear(month: Int32, day: Int32)
    /// On days of every so many weeks.
    case weeks(Int32, [Belfry_V1_Weekday])
    /// On days that a recurrence rule chooses of each month: its parts without a time.
    case monthly(String)
    /// At each crossing of a border.
    case crossing

    private static let advice = """
        write 2h, day, '3 days', 2w, month, weekday, 'monday,thursday', 'other tuesday', \
        'last friday', 'last working day', '24 dec' or, with --near, crossing
        """
    private static let ordinals = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "1st": 1, "2nd": 2,
        "3rd": 3, "4th": 4, "5th": 5, "last": -1,
    ]
    /// The units of a step as ISO 8601 writes them: "P2W".
    private static let isoUnits: [Character: String] = [
        "d": "d", "w": "w", "m": "months", "y": "years",
    ]
    private static let units: [String: Belfry_V1_CalendarUnit] = [
        "d": .day, "day": .day, "days": .day, "daily": .day, "w": .week, "week": .week,
        "weeks": .week, "weekly": .week, "month": .month, "months": .month, "monthly": .month,
        "year": .year, "years": .year, "yearly": .year,
    ]

    /// The days of the week on which it comes; nil where it has none.
    var weekdays: [Belfry_V1_Weekday]? {
        switch self {
        case .weekdays(let days), .weeks(_, let days): days
        default: nil
        }
    }

    /// Reads a repetition.
    ///
    /// - Throws: ``TextProblem`` with what to write.
    static func parse(_ text: String) throws(TextProblem) -> Recurrence {
        let words = words(of: text)
        guard words != ["crossing"] else { return .crossing }
        if let days = weekdays(words) { return .weekdays(days) }
        if let weeks = try weeks(words) { return weeks }
        if let days = monthly(words) { return days }
        if let ordinal = try ordinal(words) { return ordinal }
        if let step = try step(words) { return step }
        if case .dayOfYear(let month, let day) = try Day(words) {
            return .dayOfYear(month: month, day: day)
        }
        let single =
            ["hour": "1h", "hourly": "1h", "minute": "1m"][words.joined()] ?? text.lowercased()
        guard let interval = DurationText.parse(single) else { throw TextProblem(advice) }
        guard interval >= .seconds(60) else {
            throw TextProblem("a repetition takes 60s or more")
        }
        return .interval(interval)
    }

    /// The words in small letters, without those that say nothing: "last friday of the month".
    private static func words(of text: String) -> [String] {
        var words = text.lowercased().split { $0.isWhitespace || $0 == "," }.map(String.init)
        words.removeAll { ["and", "on", "the"].contains($0) }
        if words.suffix(2) == ["of", "month"] || words.suffix(3) == ["of", "each", "month"] {
            words.removeLast(words.suffix(2) == ["of", "month"] ? 2 : 3)
        }
        return words
    }

    private static func weekdays(_ words: [String]) -> [Belfry_V1_Weekday]? {
        var found: Set<Belfry_V1_Weekday> = []
        for word in words {
            guard let days = WeekdayText.days(word) else { return nil }
            found.formUnion(days)
        }
        return words.isEmpty ? nil : found.sorted { $0.rawValue < $1.rawValue }
    }

    /// Reads "other tuesday", "2 weeks tuesday thursday".
    private static func weeks(_ words: [String]) throws(TextProblem) -> Recurrence? {
        if words.first == "other", let days = weekdays(Array(words.dropFirst())) {
            return .weeks(2, days)
        }
        guard let place = words.firstIndex(where: { WeekdayText.days($0) != nil }), place > 0,
            let days = weekdays(Array(words[place...])),
            case .step(let count, .week)? = try step(Array(words[..<place]))
        else { return nil }
        return .weeks(count, days)
    }

    /// Reads "last working day", "first monday third friday".
    private static func monthly(_ words: [String]) -> Recurrence? {
        let number = words.first.flatMap { ordinals[$0] }
        if let number,
            ["working day", "workday"].contains(words.dropFirst().joined(separator: " "))
        {
            return .monthly("BYDAY=MO,TU,WE,TH,FR;BYSETPOS=\(number)")
        }
        guard words.count > 2, words.count % 2 == 0 else { return nil }
        var days: [String] = []
        for place in stride(from: 0, to: words.count, by: 2) {
            guard let number = ordinals[words[place]],
                let weekday = WeekdayText.weekday(words[place + 1])
            else { return nil }
            days.append("\(number)\(weekday.ruleName)")
        }
        return .monthly("BYDAY=" + days.joined(separator: ","))
    }

    /// Reads "last friday", "second last friday", "15th", "last day".
    private static func ordinal(_ words: [String]) throws(TextProblem) -> Recurrence? {
        guard let first = words.first else { return nil }
        if words.count == 1, let day = dayOfMonth(first) {
            guard (1...31).contains(day) else { throw TextProblem("a month has 31 days at most") }
            return .dayOfMonth(day)
        }
        guard let number = ordinals[first] else { return nil }
        if words.dropFirst() == ["day"], number == -1 || number == 1 {
            return .dayOfMonth(number == 1 ? 1 : 31)
        }
        let isFromEnd = words.count == 3 && number > 0 && words[1] == "last"
        guard words.count == 2 || isFromEnd,
            let weekday = WeekdayText.weekday(words[words.count - 1])
        else { return nil }
        return .ordinal(Int32(isFromEnd ? -number : number), weekday)
    }

    /// Reads "15th".
    private static func dayOfMonth(_ word: String) -> Int32? {
        guard ["st", "nd", "rd", "th"].contains(where: word.hasSuffix) else { return nil }
        return Numbers.parse(word.dropLast(2))
    }

    /// Reads "day", "daily", "3 days", "3days", "2w", "other week", "fortnight", "P1M".
    private static func step(_ words: [String]) throws(TextProblem) -> Recurrence? {
        var text = words.joined()
        if text.first == "p", let unit = isoUnits[text.last ?? "p"] {
            text = String(text.dropFirst().dropLast()) + unit
        }
        if text == "fortnight" || text == "fortnightly" { return .step(2, .week) }
        if let unit = units[text], text.count > 1 { return .step(1, unit) }
        if text.hasPrefix("other"), let unit = units[String(text.dropFirst(5))] {
            return .step(2, unit)
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard words.count <= 2, let unit = units[String(text.dropFirst(digits.count))],
            !digits.isEmpty
        else { return nil }
        guard let count = Numbers.parse(digits), (1...1_000).contains(count) else {
            throw TextProblem("a step is 1 to 1,000 units long")
        }
        return .step(count, unit)
    }
}
