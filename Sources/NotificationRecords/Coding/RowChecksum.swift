internal import BelfryLMDB
internal import Faults

/// The checksum at the end of a row: a flipped bit in the file is noticed, and not taken for the
/// app's data.
package enum RowChecksum {
    package static let byteCount = 8

    /// The checksum of the first `count` bytes.
    package static func of(_ row: [UInt8], count: Int) -> UInt64 {
        let start = Fault.flippedBitNotTold.isPlanted ? count / 8 * 8 : 0
        return Checksum.of(row, in: start..<count, seed: UInt64(count))
    }
}
