extension ZoneFooter {
    /// Reads a POSIX TZ string such as `EST5EDT,M3.2.0,M11.1.0` or `<+0330>-3:30`.
    ///
    /// Daylight saving time needs both rules: POSIX lets a system choose missing rules, but no zone
    /// file leaves them out.
    init(_ text: ArraySlice<UInt8>) throws(ZoneRulesError) {
        var reader = FooterReader(rest: text)
        try reader.name()
        standardOffset = -(try reader.time(hours: 0...24))
        daylight = nil
        guard !reader.rest.isEmpty else { return }
        try reader.name()
        var offset = standardOffset + 3_600
        if reader.rest.first != UInt8(ascii: ",") { offset = -(try reader.time(hours: 0...24)) }
        try reader.character(",")
        let start = try reader.yearlyTime()
        try reader.character(",")
        let end = try reader.yearlyTime()
        guard reader.rest.isEmpty else { throw .footerInvalid }
        daylight = Daylight(offset: offset, start: start, end: end)
    }
}

/// Reads the parts of a POSIX TZ string in their order.
private struct FooterReader {
    var rest: ArraySlice<UInt8>

    /// Takes the name of a kind of time: letters, or letters, digits and signs in `<>`.
    mutating func name() throws(ZoneRulesError) {
        let isQuoted = take("<")
        let length = rest.prefix { byte in
            byte.isLetter || isQuoted && (byte.isDigit || byte.isSign)
        }.count
        guard length >= 3 else { throw .footerInvalid }
        rest = rest.dropFirst(length)
        if isQuoted { try character(">") }
    }

    /// Takes `[+-]h[:m[:s]]`, in seconds.
    mutating func time(hours: ClosedRange<Int>) throws(ZoneRulesError) -> Int {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        var seconds = try number(in: hours) * 3_600
        if take(":") {
            seconds += try number(in: 0...59) * 60
            if take(":") { seconds += try number(in: 0...59) }
        }
        return isNegative ? -seconds : seconds
    }

    /// Takes a day, and `/` with a time where it is not 02:00.
    mutating func yearlyTime() throws(ZoneRulesError) -> ZoneFooter.YearlyTime {
        let day = try yearlyDay()
        let seconds = take("/") ? try time(hours: 0...167) : 7_200
        return ZoneFooter.YearlyTime(day: day, seconds: seconds)
    }

    private mutating func yearlyDay() throws(ZoneRulesError) -> ZoneFooter.YearlyDay {
        if take("J") { return .julian(try number(in: 1...365)) }
        guard take("M") else { return .dayOfYear(try number(in: 0...365)) }
        let month = try number(in: 1...12)
        try character(".")
        let week = try number(in: 1...5)
        try character(".")
        return .weekday(month: month, week: week, weekday: try number(in: 0...6))
    }

    mutating func character(_ character: Unicode.Scalar) throws(ZoneRulesError) {
        guard take(character) else { throw .footerInvalid }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func number(in range: ClosedRange<Int>) throws(ZoneRulesError) -> Int {
        let digits = rest.prefix(while: \.isDigit)
        // More digits than any number here has could overflow.
        guard (1...3).contains(digits.count) else { throw .footerInvalid }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard range.contains(number) else { throw .footerInvalid }
        rest = rest.dropFirst(digits.count)
        return number
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }

    fileprivate var isLetter: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self & ~0x20)
    }
}
