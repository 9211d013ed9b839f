internal import BelfryLocking
internal import Glibc

/// Makes idempotency keys: a call that is repeated with the same key acts once.
///
/// A key is a version 7 UUID as text. Make one key for each change, and send the same key with each
/// retry of that change.
public enum IdempotencyKey {
    /// Makes a key that sorts after all earlier keys of this process; servers store ascending keys
    /// fastest.
    ///
    /// The key holds the time in whole seconds and, below it, a count of 4,096 keys for each
    /// millisecond. The other 62 bits are random. It is safe on any thread.
    public static func make() -> String {
        let (milliseconds, count) = last.withLock { $0.advance(toSecond: UInt64(time(nil))) }
        return text(milliseconds: milliseconds, count: count, random: .random(in: 0...UInt64.max))
    }

    /// The position of the last key of this process.
    private static let last = Guarded(Position())

    /// The time and the count of a key, in which the keys of a process are ordered.
    struct Position {
        var milliseconds: UInt64 = 0
        var count: UInt64 = 0

        /// Moves to the next position: the start of `second` if that is later than the last
        /// position, else the position right after the last position.
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

    /// Writes 16 hexadecimal digits.
    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
