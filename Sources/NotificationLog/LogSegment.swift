internal import BelfryLMDB

/// How large a log is; its segments say it themselves.
package struct LogShape: Hashable, Sendable {
    /// The bytes of a segment, its first block among them; a multiple of a block.
    package var segmentByteCount: Int
    package var segmentCount: Int

    package init(segmentByteCount: Int, segmentCount: Int) {
        self.segmentByteCount = segmentByteCount
        self.segmentCount = segmentCount
    }

    /// Frames and the head of a segment begin at multiples of so many bytes.
    package static let blockByteCount = 4_096

    static let segmentByteCounts = 2 * blockByteCount...1 << 30
    static let segmentCounts = 2...16
    /// A place in the log has 32 bits, and what is not in the log yet has places behind it.
    private static let mostBytes = 2 << 30

    var isKnown: Bool {
        Self.segmentByteCounts.contains(segmentByteCount)
            && segmentByteCount % Self.blockByteCount == 0
            && Self.segmentCounts.contains(segmentCount)
            && segmentCount * segmentByteCount <= Self.mostBytes
    }
}

/// Keeps the frames of a generation as they are, as long as somebody holds it.
package final class LogLease: Sendable {
    init() {}
}

/// A file of the log: a head, and the frames of one generation; behind them zeros, or what is left
/// of the generation that had the file before.
struct LogSegment {
    let file: any DiskFile
    /// The number of the last frame that the file has of its generation; 0 where none is needed.
    var last: UInt64 = 0
    /// Up to where the disk has given the file blocks.
    var writtenByteCount: Int
    let view: any DiskView
    /// Held by whoever reads the frames of the generation that has the file.
    var lease = LogLease()

    static let format: UInt32 = 1
    private static let magic: UInt64 = 0x6265_6C66_7279_0A6C
    private static let headByteCount = 48
    /// How many bytes get their blocks together.
    static let blocksByteCount = 1 << 18
    static func name(_ index: Int) -> String { "\(index)" }

    /// Writes the head of a segment, and gives it its length; the caller gives it its name.
    static func write(
        _ file: any DiskFile,
        _ index: Int,
        _ shape: LogShape,
        _ id: LogID
    ) throws(LMDBError) {
        var head: [UInt8] = []
        head.append(bigEndian: magic)
        head.append(bigEndian: format)
        head.append(bigEndian: UInt32(index))
        head.append(bigEndian: UInt32(shape.segmentCount))
        head.append(bigEndian: UInt32(shape.segmentByteCount))
        head.append(bigEndian: id.high)
        head.append(bigEndian: id.low)
        head.append(bigEndian: Checksum.of(head, in: 0..<head.count, seed: 0))
        // Give the first frames their blocks.
        let full = min(shape.segmentByteCount, blocksByteCount)
        head += repeatElement(0, count: full - head.count)
        try file.writeAll(head, at: 0)
        try file.setByteCount(shape.segmentByteCount)
        try file.sync()
    }

    /// Takes an open file with a head.
    init(file: any DiskFile, _ shape: LogShape) throws(LMDBError) {
        self.file = file
        view = try file.view(shape.segmentByteCount)
        writtenByteCount = try file.written(from: 0)?.upperBound ?? 0
    }

    /// Reads the head of a segment, and says what shape the log has.
    static func readHead(
        _ file: any DiskFile,
        _ index: Int,
        of id: LogID
    ) throws(LogError) -> LogShape {
        let head = try LogError.onDisk { () throws(LMDBError) in
            try file.read(headByteCount, at: 0)
        }
        guard head.count == headByteCount, head.bigEndian(UInt64.self, at: 0) == magic else {
            throw .notASegment(index)
        }
        let found = head.bigEndian(UInt32.self, at: 8)
        guard found == format else { throw .format(found: found, known: format) }
        let shape = LogShape(
            segmentByteCount: Int(head.bigEndian(UInt32.self, at: 20)),
            segmentCount: Int(head.bigEndian(UInt32.self, at: 16))
        )
        let sum = Checksum.of(head, in: 0..<40, seed: 0)
        guard sum == head.bigEndian(UInt64.self, at: 40), shape.isKnown,
            Int(head.bigEndian(UInt32.self, at: 12)) == index
        else { throw .notASegment(index) }
        let owner = LogID(high: head.bigEndian(at: 24), low: head.bigEndian(at: 32))
        guard owner == id else { throw .foreign(segment: index) }
        let byteCount = try LogError.onDisk { () throws(LMDBError) in try file.byteCount() }
        guard byteCount == shape.segmentByteCount else {
            throw .cut(segment: index, byteCount: byteCount)
        }
        return shape
    }
}
