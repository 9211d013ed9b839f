/// Reads and writes durations as people do: "5s", "1h30m", "2d".
enum DurationText {
    private static let units: [(name: String, duration: Duration)] = [
        ("w", .seconds(7 * 86_400)), ("d", .seconds(86_400)), ("h", .seconds(3_600)),
        ("m", .seconds(60)), ("s", .seconds(1)), ("ms", .milliseconds(1)),
    ]

    /// Reads whole numbers with units, largest first, each unit at most once: w, d, h, m, s, ms.
    ///
    /// Gives `nil` for anything else, for a number without a unit, and beyond 1,000 years.
    static func parse(_ text: String) -> Duration? {
        guard !text.isEmpty else { return nil }
        var rest = text[...]
        var total = Duration.zero
        var candidates = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let number = Int64(digits), number < 1 << 40,
                let index = candidates.firstIndex(where: { $0.name == name })
            else { return nil }
            total += candidates[index].duration * number
            candidates = candidates[(index + 1)...]
        }
        return total <= .seconds(1_000 * 366 * 86_400) ? total : nil
    }

    /// Writes a duration with its two largest units, as "1h 30m", cut off below them.
    ///
    /// Less than a second is written in milliseconds or microseconds, and less than zero with a
    /// minus.
    static func format(_ duration: Duration) -> String {
        guard duration >= .zero else { return "-" + format(.zero - duration) }
        guard duration >= .seconds(1) else { return formatFraction(duration) }
        var rest = duration.components.seconds
        var parts: [String] = []
        for unit in units where unit.duration >= .seconds(1) {
            let seconds = unit.duration.components.seconds
            let count = rest / seconds
            rest %= seconds
            if count > 0 { parts.append("\(count)\(unit.name)") }
            // The unit below the largest unit is the last, also when its number is 0.
            if parts.count == 2 || (parts.count == 1 && count == 0) { break }
        }
        return parts.joined(separator: " ")
    }

    private static func formatFraction(_ duration: Duration) -> String {
        let microseconds = duration.components.attoseconds / 1_000_000_000_000
        if microseconds == 0 { return duration == .zero ? "0s" : "<1us" }
        guard microseconds >= 1_000 else { return "\(microseconds)us" }
        let tenths = microseconds % 1_000 / 100
        return "\(microseconds / 1_000)" + (tenths == 0 ? "ms" : ".\(tenths)ms")
    }
}
