internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// A day as people name it, which the present day may decide.
enum Day: Equatable {
    case today
    case tomorrow
    /// The next such day of the week, today included.
    case weekday(Belfry_V1_Weekday)
    /// The next such day of the week, from tomorrow on.
    case nextWeekday(Belfry_V1_Weekday)
    /// The next such day of a year.
    case dayOfYear(month: Int32, day: Int32)
    case date(Belfry_V1_LocalDate)

    /// Reads words in small letters: "tomorrow", "next friday", "24 dec 2026", "2026-12-24".
    ///
    /// - Returns: The day; nil where the words name none.
    /// - Throws: ``TextProblem`` for a date that the calendar does not have.
    init?(_ words: [String]) throws(TextProblem) {
        switch words.count {
        case 1 where words[0] == "today": self = .today
        case 1 where words[0] == "tomorrow": self = .tomorrow
        case 1:
            if let weekday = WeekdayText.weekday(words[0]) {
                self = .weekday(weekday)
            } else if let date = try Self.isoDate(words[0]) {
                self = .date(date)
            } else {
                return nil
            }
        case 2 where words[0] == "next":
            guard let weekday = WeekdayText.weekday(words[1]) else { return nil }
            self = .nextWeekday(weekday)
        case 2, 3:
            guard let named = try Self.named(words) else { return nil }
            self = named
        default: return nil
        }
    }

    /// Reads "2026-12-24".
    private static func isoDate(_ word: String) throws(TextProblem) -> Belfry_V1_LocalDate? {
        guard let parts = Numbers.parse(word, separator: "-"), parts.count == 3 else { return nil }
        return try date(year: parts[0], month: parts[1], day: parts[2], word)
    }

    /// Reads a day with the name of its month: "24 dec", "december 24", "24th dec 2026".
    private static func named(_ words: [String]) throws(TextProblem) -> Day? {
        let pair = words[0...1]
        guard let month = pair.compactMap(MonthText.month).first,
            let day = pair.compactMap(number).first
        else { return nil }
        let text = words.joined(separator: " ")
        guard words.count == 3 else {
            // Check against a leap year, which has every day that any year has.
            _ = try date(year: 2_000, month: month, day: day, text)
            return .dayOfYear(month: month, day: day)
        }
        guard let year = Numbers.parse(words[2]), words[2].count == 4 else { return nil }
        return .date(try date(year: year, month: month, day: day, text))
    }

    /// Reads the number of a day: "24" or "24th".
    private static func number(_ word: String) -> Int32? {
        let isOrdinal = ["st", "nd", "rd", "th"].contains { word.hasSuffix($0) }
        return Numbers.parse(isOrdinal ? word.dropLast(2) : word[...])
    }

    private static func date(
        year: Int32,
        month: Int32,
        day: Int32,
        _ text: String
    ) throws(TextProblem) -> Belfry_V1_LocalDate {
        guard (1...9_999).contains(year), (1...12).contains(month),
            (1...MonthText.length(of: month, in: year)).contains(day)
        else { throw TextProblem("there is no day \(text)") }
        return .with { date in
            date.year = year
            date.month = month
            date.day = day
        }
    }
}

/// The months as people name them.
enum MonthText {
    private static let names = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    /// Reads a name or its first three letters, in small letters: 1 for January.
    static func month(_ word: String) -> Int32? {
        let found = names.firstIndex {
            $0 == word || $0.prefix(3) == word || "sept" == word && $0 == "september"
        }
        return found.map { Int32($0) + 1 }
    }

    /// Gives the first three letters of a month's name: "Dec".
    static func short(_ month: Int32) -> String {
        guard (1...12).contains(month) else { return "?" }
        return String(names[Int(month) - 1].prefix(3)).capitalized
    }

    /// Gives the number of days of a month of the Gregorian calendar.
    static func length(of month: Int32, in year: Int32) -> Int32 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
