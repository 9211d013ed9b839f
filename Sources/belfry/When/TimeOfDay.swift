/// A local time as people write it: "9:00", "18:30:15", "9am", "9:30pm", "noon", "midnight".
struct TimeOfDay: Equatable {
    var hour: Int32
    var minute: Int32 = 0
    var second: Int32 = 0
    var nanosecond: Int32 = 0

    static let midnight = TimeOfDay(hour: 0)

    init(hour: Int32, minute: Int32 = 0, second: Int32 = 0, nanosecond: Int32 = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// The seconds after midnight.
    var order: Int32 { (hour * 60 + minute) * 60 + second }

    /// Reads a word in small letters; nil where it is no time.
    init?(_ word: some StringProtocol) {
        switch word {
        case "noon": self.init(hour: 12)
        case "midnight": self.init(hour: 0)
        default:
            let halfName = word.suffix(2)
            let isHalf = halfName == "am" || halfName == "pm"
            var digits = isHalf ? Array(word.dropLast(2)) : Array(word)
            var fraction: Int32 = 0
            if let point = digits.firstIndex(of: ".") {
                // Take a fraction only of seconds: "18:30:15.25".
                guard digits.count(where: { $0 == ":" }) == 2,
                    let read = Self.nanoseconds(String(digits[(point + 1)...]))
                else { return nil }
                fraction = read
                digits = Array(digits[..<point])
            }
            guard let parts = Numbers.parse(String(digits), separator: ":"),
                (isHalf ? 1...3 : 2...3).contains(parts.count),
                // Refuse "9:5", which is more likely a slip than five past nine.
                digits.split(separator: ":").dropFirst().allSatisfy({ $0.count == 2 })
            else { return nil }
            self.init(
                hour: parts[0],
                minute: parts.count > 1 ? parts[1] : 0,
                second: parts.count > 2 ? parts[2] : 0,
                nanosecond: fraction
            )
            guard minute < 60, second < 60 else { return nil }
            if isHalf {
                guard (1...12).contains(hour) else { return nil }
                hour = hour % 12 + (halfName == "pm" ? 12 : 0)
            }
            guard hour < 24 else { return nil }
        }
    }

    /// Reads the one to nine digits behind the point of a second.
    private static func nanoseconds(_ digits: String) -> Int32? {
        guard (1...9).contains(digits.utf8.count) else { return nil }
        return Numbers.parse(digits + String(repeating: "0", count: 9 - digits.utf8.count))
    }
}

/// Reads numbers of a command line.
enum Numbers {
    /// Reads numbers of ASCII digits, with a separator between two; nil for anything else.
    static func parse(_ text: some StringProtocol, separator: Character) -> [Int32]? {
        var numbers: [Int32] = []
        for part in text.split(separator: separator, omittingEmptySubsequences: false) {
            guard let number = parse(part) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// Reads a number of ASCII digits alone.
    static func parse(_ text: some StringProtocol) -> Int32? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int32(text)
    }
}
