/// Reads and writes durations as people do: "5s", "1h30m", "2d".
enum DurationText {
    private static let units: [(name: String, duration: Duration)] = [
        ("w", .seconds(7 * 86_400)), ("d", .seconds(86_400)), ("h", .seconds(3_600)),
        ("m", .seconds(60)), ("s", .seconds(1)), ("ms", .milliseconds(1)),
    ]

    /// Other names of the units.
    private static let aliases = [
        "week": "w", "weeks": "w", "day": "d", "days": "d", "hour": "h", "hours": "h", "hr": "h",
        "hrs": "h", "minute": "m", "minutes": "m", "min": "m", "mins": "m", "second": "s",
        "seconds": "s", "sec": "s", "secs": "s",
    ]

    /// Reads numbers with units, largest first, each unit at most once: "1h30m", "1.5h", "10 min",
    /// and "PT1H30M" as ISO 8601 writes it.
    ///
    /// Gives `nil` for anything else, for a number without a unit, and beyond 1,000 years.
    static func parse(_ text: String) -> Duration? {
        guard !text.isEmpty else { return nil }
        if text.first == "P" || text.first == "p" { return parseISO(text) }
        var rest = text[...]
        var total = Duration.zero
        var candidates = units[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            if rest.first == " " { rest = rest.dropFirst() }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            let unit = aliases[String(name)] ?? String(name)
            guard let index = candidates.firstIndex(where: { $0.name == unit }),
                let length = length(digits, of: candidates[index].duration)
            else { return nil }
            total += length
            candidates = candidates[(index + 1)...]
            if rest.count > 1, rest.first == " " { rest = rest.dropFirst() }
        }
        return total <= .seconds(1_000 * 366 * 86_400) ? total : nil
    }

    /// Reads a duration of ISO 8601 without months and years: "P1DT2H", "PT90M", "P2W".
    ///
    /// Gives `nil` for anything else.
    static func parseISO(_ text: String) -> Duration? {
        let text = text.lowercased()
        let parts = text.dropFirst().split(separator: "t", omittingEmptySubsequences: false)
        guard text.hasPrefix("p"), parts.count <= 2, parts.last?.isEmpty == false,
            parts[0].allSatisfy({ "0123456789.,wd".contains($0) }),
            parts.dropFirst().allSatisfy({ part in
                part.allSatisfy { "0123456789.,hms".contains($0) } && !part.contains("ms")
            })
        else { return nil }
        return parse(parts.joined().replacing(",", with: "."))
    }

    /// Reads a duration of the command line.
    ///
    /// - Throws: ``TextProblem`` with what to write.
    static func parseArgument(_ text: String) throws(TextProblem) -> Duration {
        guard let duration = parse(text.lowercased()) else {
            throw TextProblem("write 90s, 10min, 1.5h, 1h30m, 2d or P1DT2H")
        }
        return duration
    }

    /// Reads a number with up to nine decimals, in units of a length.
    private static func length(_ digits: Substring, of unit: Duration) -> Duration? {
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]), whole < 1 << 40 else { return nil }
        guard parts.count == 2 else { return unit * whole }
        guard parts[1].count <= 9, let fraction = Int64(parts[1]) else { return nil }
        let scale = parts[1].reduce(Int64(1)) { scale, _ in scale * 10 }
        return unit * whole + unit * fraction / scale
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
            // Stop below the unit after the largest, even if its number is 0.
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
