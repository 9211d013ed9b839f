/// An instant as people write it, before it is known when and where it was written: "9:00",
/// "tomorrow noon", "next friday 18:30", "24 dec 18:00", "2026-12-24T18:00:00Z", "9am,6pm".
struct When: Equatable {
    /// The day; nil is the next day on which the time is still to come.
    var day: Day?
    /// The local time; nil where the text names a day alone.
    var time: TimeOfDay?
    /// Further times of the day, later ones, each once: "9am,6pm".
    var laterTimes: [TimeOfDay] = []
    /// The distance from UTC that the text names, in seconds; nil is the reader's zone.
    var offset: Int32?

    private static let advice = """
        write 9:00, noon, 'tomorrow 9:00', 'next friday 18:30', '24 dec 18:00', \
        '2026-12-24 18:00' or 2026-12-24T18:00:00Z
        """

    /// Reads the words of an instant.
    ///
    /// - Throws: ``TextProblem`` where the text names no day and no time, or more than one.
    static func parse(_ text: String) throws(TextProblem) -> When {
        let when = try parseTimes(text)
        guard when.laterTimes.isEmpty else {
            throw TextProblem("it names two times: \(advice)")
        }
        return when
    }

    /// Reads the words of an instant, or of several of one day: "9am,6pm".
    ///
    /// - Throws: ``TextProblem`` where the text names no day and no time, or two days.
    private static func parseTimes(_ text: String) throws(TextProblem) -> When {
        var when = When()
        var dayWords: [String] = []
        var times: [TimeOfDay] = []
        for word in words(of: text) {
            if let time = try when.time(word) {
                times.append(time)
            } else {
                dayWords.append(word)
            }
        }
        if text.contains(","), let hours = try hours(behind: dayWords),
            hours.count + times.count > 1
        {
            times += hours
            dayWords.removeLast(hours.count)
        }
        if times.isEmpty, let hour = try hour(behind: dayWords) {
            times = [hour]
            dayWords.removeLast()
        }
        times = times.sorted { $0.order < $1.order }
        when.time = times.first
        when.laterTimes = Array(times.dropFirst())
        guard zip(times, times.dropFirst()).allSatisfy({ $0 != $1 }) else {
            throw TextProblem("it names a time twice")
        }
        guard times.count < 2 || when.offset == nil && times.allSatisfy({ $0.nanosecond == 0 })
        else { throw TextProblem("several times are local ones of whole seconds, as 9am,6pm") }
        if !dayWords.isEmpty {
            guard let day = try Day(dayWords) else { throw TextProblem(advice) }
            when.day = day
        }
        guard when != When() else { throw TextProblem(advice) }
        if when.offset != nil {
            guard case .date = when.day else {
                throw TextProblem("a time with its distance from UTC needs its date: \(advice)")
            }
        }
        return when
    }

    /// Reads the last of some words as an hour, where the others name a day: "tomorrow 9", "9".
    private static func hour(behind words: [String]) throws(TextProblem) -> TimeOfDay? {
        guard let last = words.last, let hour = hour(last) else { return nil }
        let day = Array(words.dropLast())
        if !day.isEmpty {
            guard try Day(words) == nil, try Day(day) != nil else { return nil }
        }
        return hour
    }

    /// Reads the last of some words as hours, where the others name a day or there are no others:
    /// "24 dec 9,18"; nil where all of them name a day.
    private static func hours(behind words: [String]) throws(TextProblem) -> [TimeOfDay]? {
        var rest = words[...]
        var hours: [TimeOfDay] = []
        while !rest.isEmpty {
            if try Day(Array(rest)) != nil { break }
            guard let hour = hour(rest.removeLast()) else { return nil }
            hours.append(hour)
        }
        return hours
    }

    /// Reads a word as an hour alone.
    private static func hour(_ word: String) -> TimeOfDay? {
        guard word.utf8.count <= 2, let hour = Numbers.parse(word), hour < 24 else { return nil }
        return TimeOfDay(hour: hour)
    }

    /// Reads a text that names a time, as an instant does.
    static func parseInstant(_ text: String) throws(TextProblem) -> When {
        let when = try parse(text)
        return try when.checkedForTime(text)
    }

    /// Reads a text that names a time, or several of one day.
    static func parseInstants(_ text: String) throws(TextProblem) -> When {
        let when = try parseTimes(text)
        return try when.checkedForTime(text)
    }

    private func checkedForTime(_ text: String) throws(TextProblem) -> When {
        guard time != nil else { throw TextProblem("say the time too, as in '\(text) 9:00'") }
        return self
    }

    /// The instant at each of its times, the first one first.
    var each: [When] {
        [self.withTime(time)] + laterTimes.map { withTime($0) }
    }

    /// The instant at its last time, by which it is known whether the day is still to come.
    var last: When { withTime(laterTimes.last ?? time) }

    private func withTime(_ time: TimeOfDay?) -> When {
        When(day: day, time: time, offset: offset)
    }

    /// Reads a text that names a day alone.
    static func parseDay(_ text: String) throws(TextProblem) -> Day {
        let when = try parse(text)
        guard let day = when.day, when.time == nil else {
            throw TextProblem("write days alone, as 2026-12-25 or '25 dec'")
        }
        return day
    }

    /// The words of a text in small letters, where "9 am" and "2026-12-24T18:00" are one and two.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        for word in text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
            if word == "am" || word == "pm", let last = words.last, Numbers.isTime(last) {
                words[words.count - 1] = last + word
            } else if word.count > 11, word.dropFirst(10).first == "t", word.first?.isNumber == true
            {
                words += [String(word.prefix(10)), String(word.dropFirst(11))]
            } else if !["at", "on", "and"].contains(word) {
                words.append(String(word))
            }
        }
        return words
    }

    /// Reads a word as a time, with its distance from UTC where it has one.
    private mutating func time(_ word: String) throws(TextProblem) -> TimeOfDay? {
        if let time = TimeOfDay(word) { return time }
        guard let sign = word.lastIndex(where: { "z+-".contains($0) }),
            let time = TimeOfDay(word[..<sign])
        else { return nil }
        guard let offset = Self.offset(word[sign...]) else {
            throw TextProblem("'\(word[sign...])' is no distance from UTC: write Z or +02:00")
        }
        self.offset = offset
        return time
    }

    /// Reads "z", "+02:00", "+0200" or "+02", in seconds.
    private static func offset(_ text: Substring) -> Int32? {
        guard text != "z" else { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let digits = parts.joined()
        guard digits.count == 2 || digits.count == 4, let number = Numbers.parse(digits) else {
            return nil
        }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard hours <= 18, minutes < 60 else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return text.first == "-" ? -seconds : seconds
    }
}

extension Numbers {
    /// Whether a word is the number of a time without its half of the day: "9", "9:30".
    fileprivate static func isTime(_ word: String) -> Bool {
        parse(word, separator: ":") != nil
    }
}
