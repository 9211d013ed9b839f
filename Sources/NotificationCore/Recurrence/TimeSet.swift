/// Times of a day: each of some hours with each of some minutes and seconds.
struct TimeSet: Hashable, Sendable {
    /// Bit n is hour, minute, second n; times need at least one bit in each.
    var hours: UInt32
    var minutes: UInt64
    var seconds: UInt64

    var count: Int {
        hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount
    }

    /// The first time, in seconds after midnight.
    var first: Int {
        (hours.trailingZeroBitCount * 60 + minutes.trailingZeroBitCount) * 60
            + seconds.trailingZeroBitCount
    }

    /// Gives the first time not before a second of the day; nil where none is left.
    func first(notBefore second: Int) -> Int? {
        let (hour, minute) = (second / 3_600, second / 60 % 60)
        if hours >> UInt32(hour) & 1 != 0 {
            if minutes >> UInt64(minute) & 1 != 0 {
                let rest = seconds >> UInt64(second % 60)
                if rest != 0 { return second + rest.trailingZeroBitCount }
            }
            let rest = minutes >> UInt64(minute + 1)
            if rest != 0 {
                let next = minute + 1 + rest.trailingZeroBitCount
                return (hour * 60 + next) * 60 + seconds.trailingZeroBitCount
            }
        }
        let rest = hours >> UInt32(hour + 1)
        guard rest != 0 else { return nil }
        let next = hour + 1 + rest.trailingZeroBitCount
        return (next * 60 + minutes.trailingZeroBitCount) * 60 + seconds.trailingZeroBitCount
    }

    /// Gives how many times lie before a second of the day.
    func count(before second: Int) -> Int {
        guard second < .secondsPerDay else { return count }
        let (hour, minute) = (second / 3_600, second / 60 % 60)
        let perMinute = seconds.nonzeroBitCount
        let perHour = minutes.nonzeroBitCount * perMinute
        var count = hours.bits(below: hour) * perHour
        guard hours >> UInt32(hour) & 1 != 0 else { return count }
        count += minutes.bits(below: minute) * perMinute
        guard minutes >> UInt64(minute) & 1 != 0 else { return count }
        return count + seconds.bits(below: second % 60)
    }

    /// Gives the time with a number, from 0 to ``count`` - 1.
    subscript(index: Int) -> Int {
        let perMinute = seconds.nonzeroBitCount
        let perHour = minutes.nonzeroBitCount * perMinute
        let hour = hours.bit(number: index / perHour)
        let minute = minutes.bit(number: index % perHour / perMinute)
        return (hour * 60 + minute) * 60 + seconds.bit(number: index % perMinute)
    }
}

extension FixedWidthInteger {
    /// How many bits are set below a place.
    func bits(below place: Int) -> Int { (self & ((1 as Self) << place &- 1)).nonzeroBitCount }

    /// The place of the set bit with a number, from 0.
    func bit(number: Int) -> Int {
        var rest = self
        for _ in 0..<number { rest &= rest &- 1 }
        return rest.trailingZeroBitCount
    }
}

/// Some of up to 384 days that follow one another.
struct DayBits {
    private(set) var words: [6 of UInt64] = [6 of UInt64](repeating: 0)

    /// Adds the days of a word of bits, of which bit 0 is the day `place`.
    mutating func insert(_ bits: UInt64, at place: Int) {
        let (word, shift) = (place / 64, UInt64(place % 64))
        words[word] |= bits << shift
        if shift > 0, word < 5 { words[word + 1] |= bits >> (64 - shift) }
    }

    /// Leaves the days alone that another set has too.
    mutating func formIntersection(_ other: DayBits) {
        for index in 0..<6 { words[index] &= other.words[index] }
    }

    func contains(_ day: Int) -> Bool { words[day / 64] >> UInt64(day % 64) & 1 != 0 }

    /// 64 days, of which bit 0 is the day `place`.
    func bits(from place: Int) -> UInt64 {
        let (word, shift) = (place / 64, UInt64(place % 64))
        let low = words[word] >> shift
        return shift > 0 && word < 5 ? low | words[word + 1] << (64 - shift) : low
    }

    var count: Int {
        var count = 0
        for index in 0..<6 { count += words[index].nonzeroBitCount }
        return count
    }

    var isEmpty: Bool {
        words[0] | words[1] | words[2] | words[3] | words[4] | words[5] == 0
    }

    /// Gives the first day not before one; nil where none is left.
    func first(notBefore day: Int) -> Int? {
        guard day < 384 else { return nil }
        var index = day / 64
        var rest = words[index] & (.max << UInt64(day % 64))
        while rest == 0 {
            index += 1
            guard index < 6 else { return nil }
            rest = words[index]
        }
        return index * 64 + rest.trailingZeroBitCount
    }

    /// Gives how many days lie before one.
    func count(before day: Int) -> Int {
        var count = 0
        for index in 0..<min(6, day / 64) { count += words[index].nonzeroBitCount }
        return day < 384 ? count + words[day / 64].bits(below: day % 64) : count
    }

    /// Gives the day with a number, from 0 to ``count`` - 1.
    subscript(number: Int) -> Int {
        var rest = number
        var index = 0
        while rest >= words[index].nonzeroBitCount {
            rest -= words[index].nonzeroBitCount
            index += 1
        }
        return index * 64 + words[index].bit(number: rest)
    }
}
