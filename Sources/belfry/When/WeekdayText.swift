internal import Foundation
internal import NotificationProtocol

/// The days of the week as people name them.
enum WeekdayText {
    private static let names = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    private static let shortNames = ["tues": 3, "weds": 4, "thur": 5, "thurs": 5]

    /// The working days.
    static let weekdays: [Belfry_V1_Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
    /// The other days.
    static let weekend: [Belfry_V1_Weekday] = [.sunday, .saturday]

    /// Reads a name, its plural, or its first three letters, in small letters.
    static func weekday(_ word: some StringProtocol) -> Belfry_V1_Weekday? {
        let place = names.firstIndex { $0 == word || $0 + "s" == word || $0.prefix(3) == word }
        return (place.map { $0 + 1 } ?? shortNames[String(word)])
            .flatMap(Belfry_V1_Weekday.init(rawValue:))
    }

    /// Reads a word for some days: "monday", "mon-fri", "weekday", "weekend", in small letters.
    static func days(_ word: String) -> [Belfry_V1_Weekday]? {
        switch word {
        case "weekday", "weekdays": return weekdays
        case "weekend", "weekends": return weekend
        default:
            if let day = weekday(word) { return [day] }
            let ends = word.split(separator: "-", omittingEmptySubsequences: false)
                .compactMap { weekday($0) }
            guard ends.count == 2, word.count(where: { $0 == "-" }) == 1 else { return nil }
            // A range may pass the end of the week: "sat-mon".
            let length = (ends[1].rawValue - ends[0].rawValue + 7) % 7
            return (0...length).compactMap { step in
                Belfry_V1_Weekday(rawValue: (ends[0].rawValue - 1 + step) % 7 + 1)
            }
        }
    }

    /// Gives the first three letters of the name: "Mon".
    static func short(_ weekday: Belfry_V1_Weekday) -> String {
        guard names.indices.contains(weekday.rawValue - 1) else { return "?" }
        return names[weekday.rawValue - 1].prefix(3).capitalized
    }
}

extension Belfry_V1_Weekday {
    /// The name in a recurrence rule: "MO".
    var ruleName: String { WeekdayText.short(self).prefix(2).uppercased() }
}
