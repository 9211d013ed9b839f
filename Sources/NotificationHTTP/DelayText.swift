internal import BelfryGRPC
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Reads when a publication is to be shown, as ntfy's clients write it: "30m", a Unix time,
/// "2026-09-02T10:00:00Z", "tomorrow, 10am".
///
/// A duration becomes an interval. Every other text becomes an instant or a date of the server's
/// wall clock, so that it follows a clock that is set.
struct DelayText {
    /// The present moment of the server's clock.
    let now: Google_Protobuf_Timestamp
    /// The zone of local times, by its name in the zone database.
    let zone: String

    /// No text that names a time is longer.
    private static let byteLimit = 100

    private static var unknown: Status {
        .refused(
            """
            Delay: write a duration such as 30s, 10m or 1h30m, a Unix time, an instant such as \
            2026-12-24T18:00:00Z, or a local time such as '10am', 'tomorrow, 10am', \
            'tuesday, 7am' or '2026-12-24 18:00'
            """
        )
    }

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - now: The present moment, of the server's clock.
    ///   - zone: The zone that a client names; empty is the machine's.
    ///   - machine: The zone of the machine, which may be one that nobody knows.
    /// - Throws: INVALID_ARGUMENT where there is no such zone.
    init(
        now: Google_Protobuf_Timestamp,
        zone: String,
        default machine: String
    ) throws(Status) {
        self.now = now
        guard !zone.isEmpty else {
            self.zone = TimeZone(identifier: machine) == nil ? "UTC" : machine
            return
        }
        // Bounded: no zone's name is longer.
        guard zone.utf8.count <= Self.byteLimit, TimeZone(identifier: zone) != nil else {
            throw .refused("Timezone: there is no such zone: write it as Europe/Rome")
        }
        self.zone = zone
    }

    /// Gives the trigger of a text.
    ///
    /// - Throws: INVALID_ARGUMENT where the text names no time.
    func trigger(_ text: String) throws(Status) -> Belfry_V1_Trigger {
        guard text.utf8.count <= Self.byteLimit else { throw Self.unknown }
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        var trigger = Belfry_V1_Trigger()
        if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            trigger.at.seconds = Int64(text) ?? .max
        } else if let interval = try Self.interval(text) {
            trigger.timeInterval.interval = interval
        } else if let instant = try Self.instant(text) {
            trigger.at = instant
        } else if let date = try localTime(text) {
            trigger.calendar.dateComponents = date
        } else {
            throw Self.unknown
        }
        return trigger
    }

    /// Reads "90s", "2 hours", "1h30m"; nil for anything else.
    private static func interval(_ text: String) throws(Status) -> Google_Protobuf_Duration? {
        var rest = text.hasPrefix("in ") ? text.dropFirst(3) : text[...]
        var sum: Int64 = 0
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count).drop { $0 == " " }
            guard !digits.isEmpty, let unit = seconds(in: name) else { return nil }
            // Ten digits are more than 100 years of seconds.
            guard digits.count <= 10, let number = Int64(digits) else { throw tooLong }
            sum += number * unit
        } while !rest.isEmpty
        guard sum > 0 else { throw .refused("Delay: it has to be more than 0") }
        guard sum <= longest else { throw tooLong }
        return .with { $0.seconds = sum }
    }

    /// The seconds of 100 years, the longest that a trigger waits.
    private static let longest: Int64 = 100 * 365 * 86_400
    private static var tooLong: Status { .refused("Delay: it is longer than 100 years") }

    private static func seconds(in unit: Substring) -> Int64? {
        switch unit {
        case "s", "sec", "secs", "second", "seconds": 1
        case "m", "min", "mins", "minute", "minutes": 60
        case "h", "hour", "hours": 3_600
        case "d", "day", "days": 86_400
        default: nil
        }
    }

    /// Reads an instant of RFC 3339; nil for anything else.
    private static func instant(_ text: String) throws(Status) -> Google_Protobuf_Timestamp? {
        let form = #/([0-9-]{10})[t ]([0-9:]{5,8})(?:\.([0-9]{1,9}))?(z|[+-][0-9]{2}:?[0-9]{2})/#
        guard let match = text.wholeMatch(of: form) else { return nil }
        guard let day = Self.day(match.1), let time = Time(match.2), let shift = Self.shift(match.4)
        else { throw Self.unknown }
        var parts = day
        (parts.hour, parts.minute, parts.second) = (time.hour, time.minute, time.second)
        guard let date = Self.calendar(.gmt).date(from: parts) else { throw Self.unknown }
        let digits = match.3.map { $0 + String(repeating: "0", count: 9 - $0.count) } ?? "0"
        let second = Int64(date.timeIntervalSince1970) - Int64(shift)
        return Google_Protobuf_Timestamp(seconds: second, nanos: Int32(digits) ?? 0)
    }

    /// Reads "z" or "+02:00", in seconds.
    private static func shift(_ text: Substring) -> Int? {
        guard text != "z" else { return 0 }
        let digits = text.dropFirst().filter(\.isNumber)
        guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours <= 18,
            minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return text.first == "-" ? -seconds : seconds
    }

    /// Reads "10am", "tomorrow, 10am", "tuesday 7:30", "2026-12-24 18:00"; nil for anything else.
    private func localTime(_ text: String) throws(Status) -> Belfry_V1_DateComponents? {
        var words = text.split { $0.isWhitespace || $0 == "," }.filter { $0 != "at" && $0 != "on" }
        if words.count > 1, let half = words.last, half == "am" || half == "pm" {
            words.removeLast()
            words[words.count - 1] += half
        }
        var date = Belfry_V1_DateComponents()
        var time: Time?
        var day: [Substring] = []
        for word in words {
            if let read = Time(word), time == nil { time = read } else { day.append(word) }
        }
        guard set(day, in: &date) else { return nil }
        guard let time else {
            throw .refused("Delay: say the time too, such as 'tomorrow, 10am'")
        }
        (date.hour, date.minute, date.second) = (
            Int32(time.hour), Int32(time.minute), Int32(time.second)
        )
        date.timeZone = zone
        return date
    }

    /// Sets the day that words name; no words are the next such time.
    ///
    /// - Returns: Whether they name one.
    private func set(_ day: [Substring], in date: inout Belfry_V1_DateComponents) -> Bool {
        let calendar = Self.calendar(TimeZone(identifier: zone) ?? .gmt)
        let present = Date(timeIntervalSince1970: TimeInterval(now.seconds))
        func set(daysFromNow days: Int) {
            let instant = calendar.date(byAdding: .day, value: days, to: present) ?? present
            date.set(calendar.dateComponents([.year, .month, .day], from: instant))
        }
        switch day.count {
        case 0: return true
        case 1 where day[0] == "today": set(daysFromNow: 0)
        case 1 where day[0] == "tomorrow": set(daysFromNow: 1)
        case 1:
            if let weekday = Self.weekday(day[0]) {
                date.weekday = weekday
            } else if let parts = Self.day(day[0]) {
                date.set(parts)
            } else {
                return false
            }
        case 2 where day[0] == "next":
            guard let weekday = Self.weekday(day[1]) else { return false }
            // Skip today: the next such day is another one.
            let tomorrow = calendar.component(.weekday, from: present) % 7 + 1
            set(daysFromNow: 1 + (weekday.rawValue - tomorrow + 7) % 7)
        default: return false
        }
        return true
    }

    private static func weekday(_ word: Substring) -> Belfry_V1_Weekday? {
        let names = [
            "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        ]
        let found = names.firstIndex { $0 == word || $0.prefix(3) == word }
        return found.flatMap { Belfry_V1_Weekday(rawValue: $0 + 1) }
    }

    /// Reads "2026-12-24"; nil for anything else, and for a day that does not exist.
    private static func day(_ word: Substring) -> DateComponents? {
        let form = #/([0-9]{4})-([0-9]{2})-([0-9]{2})/#
        guard let match = word.wholeMatch(of: form), let year = Int(match.1), year > 0 else {
            return nil
        }
        let parts = DateComponents(year: year, month: Int(match.2), day: Int(match.3))
        // Refuse a day that the month does not have: the calendar would carry it into the next
        // month.
        guard let date = calendar(.gmt).date(from: parts),
            calendar(.gmt).dateComponents([.year, .month, .day], from: date) == parts
        else { return nil }
        return parts
    }

    private static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    /// A local time: "10am", "8:30pm", "18:30:15", "noon".
    private struct Time {
        var hour: Int
        var minute = 0
        var second = 0

        init?(_ word: Substring) {
            if word == "noon" || word == "midnight" {
                hour = word == "noon" ? 12 : 0
                return
            }
            let form = #/([0-9]{1,2})(?::([0-9]{2}))?(?::([0-9]{2}))?(am|pm)?/#
            guard let match = word.wholeMatch(of: form), match.2 != nil || match.4 != nil,
                let hour = Int(match.1)
            else { return nil }
            minute = match.2.flatMap { Int($0) } ?? 0
            second = match.3.flatMap { Int($0) } ?? 0
            guard minute < 60, second < 60 else { return nil }
            if let half = match.4 {
                guard (1...12).contains(hour) else { return nil }
                self.hour = hour % 12 + (half == "pm" ? 12 : 0)
            } else {
                guard hour < 24 else { return nil }
                self.hour = hour
            }
        }
    }
}

extension Belfry_V1_DateComponents {
    fileprivate mutating func set(_ parts: DateComponents) {
        year = Int32(parts.year ?? 0)
        month = Int32(parts.month ?? 0)
        day = Int32(parts.day ?? 0)
    }
}

extension Status {
    /// A refusal of a publication.
    static func refused(_ message: String) -> Status {
        Status(code: .invalidArgument, message: message)
    }
}
