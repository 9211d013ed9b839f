/// A fault in the text of a rule or a crontab, and its place.
package struct RecurrenceTextFault: Error, Hashable, Sendable {
    /// The character where it is wrong, from 1.
    package var column: Int
    /// The part or field that is wrong, by its name.
    package var part: String
    /// The fault, and the text to write in its place.
    package var problem: String
}

extension RecurrenceRule {
    /// Reads a recurrence rule of RFC 5545, with or without "RRULE:" before it.
    ///
    /// - Throws: The first fault from the left, or a part that does not go with another one.
    package init(_ text: String) throws(RecurrenceTextFault) {
        var reader = try RuleReader(text)
        self = try reader.read()
    }
}

/// Reads the parts of a rule.
private struct RuleReader {
    private let bytes: [UInt8]
    private var rule = RecurrenceRule(frequency: .daily)
    /// The parts that were read, in capitals, with the places of their names.
    // Bounded: a rule has at most 2,048 bytes.
    private var places: [String: Int] = [:]

    init(_ text: String) throws(RecurrenceTextFault) {
        bytes = Array(text.utf8)
        guard bytes.count <= Limits.recurrenceBytes else {
            throw RecurrenceTextFault(
                column: Limits.recurrenceBytes + 1,
                part: "RRULE",
                problem: "is longer than \(Limits.recurrenceBytes) bytes"
            )
        }
    }

    /// A part's value, with its place.
    private struct Value {
        var name: String
        var bytes: ArraySlice<UInt8>

        func fault(_ problem: String, _ word: ArraySlice<UInt8>? = nil) -> RecurrenceTextFault {
            RecurrenceTextFault(
                column: (word ?? bytes).startIndex + 1,
                part: name,
                problem: problem
            )
        }

        /// The words of a list, of which none may be empty.
        func words() -> [ArraySlice<UInt8>] {
            bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        }

        var text: String { String(decoding: bytes, as: UTF8.self).uppercased() }
    }

    mutating func read() throws(RecurrenceTextFault) -> RecurrenceRule {
        var place = 0
        let prefix = "RRULE:"
        if String(decoding: bytes.prefix(6), as: UTF8.self).uppercased() == prefix { place = 6 }
        let parts = bytes[place...].split(
            separator: UInt8(ascii: ";"),
            omittingEmptySubsequences: false
        )
        for part in parts {
            let name = String(decoding: part.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
                .uppercased()
            let value = Value(name: name, bytes: part.dropFirst(name.utf8.count + 1))
            guard part.count > name.utf8.count + 1 else {
                throw RecurrenceTextFault(
                    column: part.startIndex + 1,
                    part: name.isEmpty ? "RRULE" : name,
                    problem: "needs a name, '=' and a value, as FREQ=DAILY"
                )
            }
            guard places.updateValue(part.startIndex, forKey: name) == nil else {
                throw RecurrenceTextFault(
                    column: part.startIndex + 1,
                    part: name,
                    problem: "stands twice"
                )
            }
            try read(value, from: part.startIndex)
        }
        guard places["FREQ"] != nil else {
            throw RecurrenceTextFault(
                column: place + 1,
                part: "FREQ",
                problem: "is required, as FREQ=DAILY"
            )
        }
        try checkTogether()
        return rule
    }

    private mutating func read(_ value: Value, from start: Int) throws(RecurrenceTextFault) {
        switch value.name {
        case "FREQ": rule.frequency = try Self.frequency(value)
        case "INTERVAL": rule.interval = try number(value, 1...999_999_999)
        case "COUNT": rule.count = try number(value, 1...Limits.recurrenceCount)
        case "UNTIL": rule.until = try Self.until(value)
        case "WKST": rule.weekStart = try Self.weekday(value.bytes, value)
        case "BYSECOND":
            for second in try numbers(value, 0...60) {
                rule.times.seconds |= 1 << UInt64(min(second, 59))
            }
        case "BYMINUTE":
            for minute in try numbers(value, 0...59) { rule.times.minutes |= 1 << UInt64(minute) }
        case "BYHOUR":
            for hour in try numbers(value, 0...23) { rule.times.hours |= 1 << UInt32(hour) }
        case "BYMONTH":
            for month in try numbers(value, 1...12) { rule.days.months |= 1 << UInt16(month) }
        case "BYMONTHDAY":
            for day in try signed(value, 31) {
                if day > 0 { rule.days.monthDays |= 1 << UInt32(day) }
                if day < 0 { rule.days.monthDaysFromEnd |= 1 << UInt32(-day) }
            }
        case "BYWEEKNO":
            for week in try signed(value, 53) {
                if week > 0 { rule.days.weeks |= 1 << UInt64(week) }
                if week < 0 { rule.days.weeksFromEnd |= 1 << UInt64(-week) }
            }
        case "BYYEARDAY": rule.days.yearDays = Set(try signed(value, 366)).sorted()
        case "BYSETPOS": rule.positions = Set(try signed(value, 366)).sorted()
        case "BYDAY": try readWeekdays(value)
        case "RSCALE":
            guard value.text == "GREGORIAN" else {
                throw value.fault("has GREGORIAN alone")
            }
        case "SKIP":
            guard
                let skip = [
                    "OMIT": RecurrenceRule.Skip.omit, "BACKWARD": .backward, "FORWARD": .forward,
                ][
                    value.text
                ]
            else { throw value.fault("is OMIT, BACKWARD or FORWARD") }
            rule.skip = skip
        default:
            throw RecurrenceTextFault(
                column: start + 1,
                part: value.name,
                problem: "is no part of a rule"
            )
        }
    }

    // MARK: Values

    private static func frequency(
        _ value: Value
    ) throws(RecurrenceTextFault) -> RecurrenceRule.Frequency {
        switch value.text {
        case "SECONDLY": .secondly
        case "MINUTELY": .minutely
        case "HOURLY": .hourly
        case "DAILY": .daily
        case "WEEKLY": .weekly
        case "MONTHLY": .monthly
        case "YEARLY": .yearly
        default:
            throw value.fault(
                "is SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY"
            )
        }
    }

    private static func until(_ value: Value) throws(RecurrenceTextFault) -> RecurrenceMoment {
        let text = value.text
        guard let moment = RecurrenceMoment(text) else {
            throw value.fault("is a date, as 20261224, 20261224T180000 or 20261224T180000Z")
        }
        // A day is part of the rule to its end.
        guard case .local(let midnight) = moment, text.utf8.count == 8 else { return moment }
        return .local(midnight + .secondsPerDay - 1)
    }

    private static func weekday(
        _ word: ArraySlice<UInt8>,
        _ value: Value
    ) throws(RecurrenceTextFault) -> Int {
        let name = String(decoding: word, as: UTF8.self).uppercased()
        guard let index = RecurrenceRule.weekdayNames.firstIndex(of: name) else {
            throw value.fault("has the days SU, MO, TU, WE, TH, FR and SA", word)
        }
        return index + 1
    }

    private mutating func readWeekdays(_ value: Value) throws(RecurrenceTextFault) {
        var ordinals: Set<RecurrenceRule.OrdinalWeekday> = []
        for word in value.words() {
            let weekday = try Self.weekday(word.suffix(2), value)
            let ordinal = word.dropLast(2)
            guard !ordinal.isEmpty else {
                rule.days.weekdays.insert(WeekdaySet(weekday: weekday))
                continue
            }
            guard let number = Self.number(ordinal), number != 0, abs(number) <= 53 else {
                throw value.fault("counts weekdays from 1 to 53 or -1 to -53, as 2TU", word)
            }
            ordinals.insert(.init(ordinal: number, weekday: weekday))
        }
        // Their order says nothing, and equal rules are equal.
        rule.days.ordinalWeekdays = ordinals.sorted {
            ($0.ordinal, $0.weekday) < ($1.ordinal, $1.weekday)
        }
    }

    /// Reads a number with or without a sign; nil for anything else.
    private static func number(_ word: ArraySlice<UInt8>) -> Int? {
        let sign = word.first
        let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
        let digits = isSigned ? word.dropFirst() : word
        guard let number = Digits.number(digits) else { return nil }
        return sign == UInt8(ascii: "-") ? -number : number
    }

    private func number(
        _ value: Value,
        _ range: ClosedRange<Int>
    ) throws(RecurrenceTextFault) -> Int {
        guard let number = Digits.number(value.bytes), range.contains(number) else {
            throw value.fault("is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func numbers(
        _ value: Value,
        _ range: ClosedRange<Int>
    ) throws(RecurrenceTextFault) -> [Int] {
        var numbers: [Int] = []
        for word in value.words() {
            guard let number = Digits.number(word), range.contains(number) else {
                throw value.fault(
                    "has numbers from \(range.lowerBound) to \(range.upperBound)",
                    word
                )
            }
            numbers.append(number)
        }
        return numbers
    }

    private func signed(_ value: Value, _ limit: Int) throws(RecurrenceTextFault) -> [Int] {
        var numbers: [Int] = []
        for word in value.words() {
            guard let number = Self.number(word), number != 0, abs(number) <= limit else {
                throw value.fault("has numbers from 1 to \(limit) or -1 to -\(limit)", word)
            }
            numbers.append(number)
        }
        return numbers
    }

    // MARK: Parts together

    /// Refuses a part beside one that it does not go with (RFC 5545, 3.3.10).
    private func checkTogether() throws(RecurrenceTextFault) {
        let frequency = rule.frequency
        let isCounted = !rule.days.ordinalWeekdays.isEmpty
        let wrong: [(part: String, isWrong: Bool, problem: String)] = [
            ("BYWEEKNO", frequency != .yearly, "goes with FREQ=YEARLY alone"),
            (
                "BYYEARDAY", [.daily, .weekly, .monthly].contains(frequency),
                "does not go with FREQ=DAILY, WEEKLY or MONTHLY"
            ),
            ("BYMONTHDAY", frequency == .weekly, "does not go with FREQ=WEEKLY"),
            (
                "BYDAY", isCounted && frequency < .monthly,
                "counts weekdays, as 2TU, with FREQ=MONTHLY or YEARLY alone"
            ),
            (
                "BYDAY", isCounted && places["BYWEEKNO"] != nil,
                "does not count weekdays, as 2TU, beside BYWEEKNO"
            ),
            ("UNTIL", places["COUNT"] != nil, "does not go with COUNT"),
            ("SKIP", places["RSCALE"] == nil, "needs RSCALE=GREGORIAN"),
            (
                "BYSETPOS",
                !places.keys.contains { $0.utf8.starts(with: "BY".utf8) && $0 != "BYSETPOS" },
                "needs another part that begins with BY"
            ),
        ]
        for (part, isWrong, problem) in wrong {
            guard isWrong, let place = places[part] else { continue }
            throw RecurrenceTextFault(column: place + 1, part: part, problem: problem)
        }
    }
}

extension RecurrenceMoment {
    /// Reads a date of RFC 5545: 20261224, 20261224T180000 or, in UTC, 20261224T180000Z; nil for
    /// anything else.
    ///
    /// A date without a time is its midnight.
    package init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        let isUTC = bytes.count == 16 && bytes.last.map { $0 | 0x20 } == UInt8(ascii: "z")
        if isUTC { bytes.removeLast() }
        guard bytes.count == 8 || bytes.count == 15, let year = Digits.number(bytes.prefix(4)),
            let month = Digits.number(bytes[4..<6]), let day = Digits.number(bytes[6..<8]),
            year > 0, let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        var second = date.daysSince1970 * .secondsPerDay
        if bytes.count == 15 {
            guard bytes[8] | 0x20 == UInt8(ascii: "t"), let hour = Digits.number(bytes[9..<11]),
                let minute = Digits.number(bytes[11..<13]),
                let rest = Digits.number(bytes[13..<15]), hour < 24, minute < 60, rest <= 60
            else { return nil }
            second += (hour * 60 + minute) * 60 + min(rest, 59)
        }
        self = isUTC ? .instant(second) : .local(second)
    }

    /// The date as RFC 5545 writes it.
    package var text: String {
        let (seconds, end) =
            switch self {
            case .local(let local): (local, "")
            case .instant(let second): (second, "Z")
            }
        let date = CivilDate(localSeconds: seconds)
        let second = seconds.flooredRemainder(by: .secondsPerDay)
        let time = second / 3_600 * 10_000 + second / 60 % 60 * 100 + second % 60
        return Digits.text(date.year, 4) + Digits.text(date.month, 2) + Digits.text(date.day, 2)
            + "T" + Digits.text(time, 6) + end
    }
}

/// Numbers of digits alone.
enum Digits {
    /// Reads up to nine digits; nil for anything else.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(bytes.count) else { return nil }
        var number = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Writes a number with zeros before it.
    static func text(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
