/// A checksum of 64 bits, which notices damage.
///
/// Each step is reversible: of the same seed, bytes of one length that differ in one word never
/// have the same checksum, and other bytes have it only by chance. A kilobyte takes some tens of
/// nanoseconds, without a table or a special instruction. It protects from damage, not from
/// somebody who knows the seed.
@usableFromInline
package enum Checksum {
    /// An odd number with about as many bits set as not: the fraction of the golden ratio.
    @usableFromInline static var multiplier: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The checksum of the bytes in `range`; traps outside of the bytes.
    @inlinable
    package static func of(_ bytes: [UInt8], in range: Range<Int>, seed: UInt64) -> UInt64 {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        // Safety: every byte of an array of bytes is initialized.
        let span = unsafe bytes.span.bytes
        var sum = seed
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            mix(span.bigEndian(at: offset), into: &sum)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < range.upperBound {
            rest = rest << 8 | UInt64(span[offset])
            offset += 1
        }
        mix(rest, into: &sum)
        return sum
    }

    @inlinable
    static func mix(_ word: UInt64, into sum: inout UInt64) {
        sum = (sum ^ word) &* multiplier
        sum ^= sum >> 32
    }
}
