internal import BelfryLMDB

/// The part of a log that one batch wrote: it is durable as a whole, or it never was.
///
/// The log knows nothing of the payload. A frame is what another machine would be sent.
package struct Frame: Hashable, Sendable {
    /// The place in the order of all frames, counted from 1.
    package var number: UInt64
    /// Which leader wrote it, where there is more than one server; never less than before.
    package var term: UInt64
    /// The store's elapsed clock, in nanoseconds.
    package var elapsed: Int64
    /// The wall clock, in nanoseconds since 1970.
    package var wall: Int64
    package var payload: [UInt8]

    package init(number: UInt64, term: UInt64, elapsed: Int64, wall: Int64, payload: [UInt8]) {
        self.number = number
        self.term = term
        self.elapsed = elapsed
        self.wall = wall
        self.payload = payload
    }
}

/// Which log a file belongs to: 16 random bytes.
///
/// They are the seed of each frame's checksum. Nobody who sends bytes to the store knows them, and
/// so no payload can have bytes that look like a frame.
package struct LogID: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new identifier.
    package init() {
        self.init(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
    }

    var seed: UInt64 {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: low)
        return Checksum.of(bytes, in: 0..<bytes.count, seed: high)
    }
}

/// The place of a frame that a checkpoint has: whoever opens the log again says from which one on.
package struct LogMark: Hashable, Sendable {
    package var generation: UInt64
    /// Where the frame begins in the segment of its generation.
    package var offset: UInt32
    /// The bytes that the frame takes there.
    package var byteCount: UInt32
    package var number: UInt64
    package var checksum: UInt64

    package init(
        generation: UInt64,
        offset: UInt32,
        byteCount: UInt32,
        number: UInt64,
        checksum: UInt64
    ) {
        self.generation = generation
        self.offset = offset
        self.byteCount = byteCount
        self.number = number
        self.checksum = checksum
    }

    /// Before the first frame of a log.
    package init(startOf log: LogID) {
        self.init(
            generation: 0,
            offset: UInt32(LogShape.blockByteCount),
            byteCount: 0,
            number: 0,
            checksum: log.seed
        )
    }

    /// Where the next frame begins, if it is of the same generation.
    var end: Int { Int(offset) + Int(byteCount) }
}

/// A frame in its bytes: a head, the payload, and zeros up to the end of the block.
///
/// A frame begins at a block of its own. So the write of a frame touches no byte of the one before,
/// and one that is cut short can damage nothing that is durable.
struct FrameHead {
    static let byteCount = 72
    private static let magic: UInt32 = 0x4265_4C46

    let mark: LogMark
    let frame: Frame
    /// The checksum of the frame before: the chain.
    let previous: UInt64

    /// The bytes of a frame with its zeros.
    static func paddedByteCount(payload count: Int) -> Int {
        let block = LogShape.blockByteCount
        return (byteCount + count + block - 1) / block * block
    }

    /// Makes the bytes of a frame, and its place.
    static func encode(
        _ frame: Frame,
        generation: UInt64,
        offset: Int,
        previous: UInt64,
        seed: UInt64
    ) -> (bytes: [UInt8], mark: LogMark) {
        let total = paddedByteCount(payload: frame.payload.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(total)
        bytes.append(bigEndian: magic)
        bytes.append(bigEndian: UInt32(frame.payload.count))
        bytes.append(bigEndian: UInt64(0))
        bytes.append(bigEndian: generation)
        bytes.append(bigEndian: frame.number)
        bytes.append(bigEndian: frame.term)
        bytes.append(bigEndian: frame.elapsed)
        bytes.append(bigEndian: frame.wall)
        bytes.append(bigEndian: previous)
        bytes.append(bigEndian: UInt32(offset))
        bytes.append(bigEndian: UInt32(0))
        bytes += frame.payload
        let checksum = checksum(of: bytes, seed: seed)
        var sum: [UInt8] = []
        sum.append(bigEndian: checksum)
        bytes.replaceSubrange(8..<16, with: sum)
        bytes += repeatElement(0, count: total - bytes.count)
        let mark = LogMark(
            generation: generation,
            offset: UInt32(offset),
            byteCount: UInt32(total),
            number: frame.number,
            checksum: checksum
        )
        return (bytes, mark)
    }

    /// The checksum of a frame without its zeros: of all behind the checksum itself, and of the
    /// length before it.
    private static func checksum(of bytes: [UInt8], seed: UInt64) -> UInt64 {
        Checksum.of(bytes, in: 16..<bytes.count, seed: seed ^ UInt64(bytes.count))
    }

    /// The place of a frame in the log as its first block says it, unchecked; nil where the
    /// block is not the first one of a frame.
    static func place(
        _ bytes: [UInt8],
        at index: Int = 0
    ) -> (generation: UInt64, number: UInt64)? {
        guard bytes.bigEndian(UInt32.self, at: index) == magic else { return nil }
        return (bytes.bigEndian(at: index + 16), bytes.bigEndian(at: index + 24))
    }

    /// How long the payload of a frame is that begins with a block; nil where no frame does, or
    /// one that ends behind `limit`.
    static func payloadByteCount(_ block: [UInt8], atMost limit: Int) -> Int? {
        guard block.count >= byteCount, place(block) != nil else { return nil }
        let count = Int(block.bigEndian(UInt32.self, at: 4))
        return count <= limit - byteCount ? count : nil
    }

    /// Reads a frame, whose zeros may be missing, from the place at which it has to be.
    ///
    /// - Returns: nil where the bytes are not those of a whole frame of the log.
    init?(_ bytes: [UInt8], offset: Int, seed: UInt64, checked: Bool = true) {
        guard
            let count = Self.payloadByteCount(bytes, atMost: bytes.count)
        else { return nil }
        let whole = Array(bytes[..<(Self.byteCount + count)])
        let checksum = whole.bigEndian(UInt64.self, at: 8)
        if checked {
            guard checksum == Self.checksum(of: whole, seed: seed),
                Int(whole.bigEndian(UInt32.self, at: 64)) == offset
            else { return nil }
        }
        mark = LogMark(
            generation: whole.bigEndian(at: 16),
            offset: UInt32(offset),
            byteCount: UInt32(Self.paddedByteCount(payload: count)),
            number: whole.bigEndian(at: 24),
            checksum: checksum
        )
        frame = Frame(
            number: mark.number,
            term: whole.bigEndian(at: 32),
            elapsed: whole.bigEndian(at: 40),
            wall: whole.bigEndian(at: 48),
            payload: Array(whole[Self.byteCount...])
        )
        previous = whole.bigEndian(at: 56)
    }
}
