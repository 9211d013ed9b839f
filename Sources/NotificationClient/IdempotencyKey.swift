internal import BelfryLocking
internal import Glibc

/// Makes the keys that let a mutating call be repeated without acting twice.
///
/// A key is a version 7 UUID as text. Make one for each act, and send the same one with each retry
/// of it.
public enum IdempotencyKey {
    /// Makes a key that sorts after all that this process made before, as servers store them best.
    ///
    /// The time in it has a resolution of one second, filled up by a count: 4,096 keys for each
    /// millisecond. The other 62 bits are random. Safe on any thread.
    public static func make() -> String {
        let (milliseconds, count) = last.withLock { $0.advance(toSecond: UInt64(time(nil))) }
        return text(milliseconds: milliseconds, count: count, random: .random(in: 0...UInt64.max))
    }

    /// The key that was made last in this process.
    private static let last = Guarded(Position())

    /// Where a key stands among the keys of a process.
    struct Position {
        var milliseconds: UInt64 = 0
        var count: UInt64 = 0

        /// Moves to the next place, which lies at `second` or, when the clock went back or its
        /// second is used up, right after the last one.
        mutating func advance(toSecond second: UInt64) -> (milliseconds: UInt64, count: UInt64) {
            if second * 1_000 > milliseconds {
                milliseconds = second * 1_000
                count = 0
            } else if count < 0xfff {
                count += 1
            } else {
                milliseconds += 1
                count = 0
            }
            return (milliseconds, count)
        }
    }

    /// Writes a UUID of version 7, with the fields of RFC 9562: 48 bits of time, the version, 12
    /// bits of count, the variant and 62 random bits.
    static func text(milliseconds: UInt64, count: UInt64, random: UInt64) -> String {
        let high = milliseconds << 16 | 0x7000 | count & 0xfff
        let low = random & (UInt64.max >> 2) | 0x8000_0000_0000_0000
        let digits = hexadecimal(high) + hexadecimal(low)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// Writes 16 digits.
    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
