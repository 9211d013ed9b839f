internal import BelfryLMDB
internal import Faults

/// The checksum at the end of a row: a flipped bit in the file is noticed, and not taken for the
/// app's data.
///
/// Each step is reversible: two rows of the same length that differ in one word never have the same
/// checksum, and other rows have the same checksum only by chance. A checksum takes some tens of
/// nanoseconds, and needs neither a table nor a special instruction. It protects from damage, not
/// from somebody who writes rows.
package enum RowChecksum {
    package static let byteCount = 8

    /// An odd number with about as many bits set as not: the fraction of the golden ratio.
    private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The checksum of the first `count` bytes.
    package static func of(_ row: [UInt8], count: Int) -> UInt64 {
        // Safety: every byte of an array of bytes is initialized.
        let bytes = unsafe row.span.bytes
        var sum = UInt64(count)
        var offset = Fault.flippedBitNotTold.isPlanted ? count / 8 * 8 : 0
        while offset + 8 <= count {
            mix(bytes.bigEndian(at: offset), into: &sum)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        mix(rest, into: &sum)
        return sum
    }

    private static func mix(_ word: UInt64, into sum: inout UInt64) {
        sum = (sum ^ word) &* multiplier
        sum ^= sum >> 32
    }
}
