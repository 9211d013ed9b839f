internal import BelfryLMDB
internal import Faults

/// Reads frames from the segments of a log.
struct LogReader {
    let files: [any DiskFile]
    let shape: LogShape
    let seed: UInt64

    private static let readAtOnce = 1 << 20

    func file(of generation: UInt64) -> any DiskFile {
        files[Int(generation % UInt64(files.count))]
    }

    /// Reads the frame at a place, whatever its generation; nil where there is no whole frame.
    func frame(of generation: UInt64, at offset: Int) throws(LogError) -> FrameHead? {
        let room = shape.segmentByteCount - offset
        guard room >= LogShape.blockByteCount else { return nil }
        let file = file(of: generation)
        return try LogError.onDisk { () throws(LMDBError) in
            var bytes = try file.read(LogShape.blockByteCount, at: offset)
            guard let count = FrameHead.payloadByteCount(bytes, atMost: room) else { return nil }
            let rest = FrameHead.byteCount + count - bytes.count
            if rest > 0 { bytes += try file.read(rest, at: offset + bytes.count) }
            return FrameHead(
                bytes,
                offset: offset,
                seed: seed,
                checked: !Fault.tornFrameTaken.isPlanted
            )
        }
    }

    /// Where the frame that follows another one may begin: in its segment or at the start of the
    /// next.
    static func places(after mark: LogMark) -> [(generation: UInt64, offset: Int)] {
        [(mark.generation, mark.end), (mark.generation &+ 1, LogShape.blockByteCount)]
    }

    /// Finds the frame that follows another one.
    ///
    /// - Throws: ``LogError/diverged(number:)`` where a frame of that number follows another one.
    func next(after mark: LogMark) throws(LogError) -> FrameHead? {
        for (generation, offset) in Self.places(after: mark) {
            guard let found = try frame(of: generation, at: offset) else { continue }
            if Fault.olderGenerationTaken.isPlanted, found.mark.generation < generation {
                return found
            }
            guard found.mark.generation == generation, found.mark.number == mark.number &+ 1 else {
                continue
            }
            guard found.previous == mark.checksum || Fault.chainNotChecked.isPlanted else {
                throw .diverged(number: found.mark.number)
            }
            return found
        }
        return nil
    }

    /// Whether the block at a place says that it begins the frame of a number; what is behind it
    /// may be missing.
    func isHead(of number: UInt64, _ generation: UInt64, at offset: Int) throws(LogError) -> Bool {
        guard shape.segmentByteCount - offset >= LogShape.blockByteCount else { return false }
        let file = file(of: generation)
        let bytes = try LogError.onDisk { () throws(LMDBError) in
            try file.read(FrameHead.byteCount, at: offset)
        }
        guard bytes.count == FrameHead.byteCount, let found = FrameHead.place(bytes) else {
            return false
        }
        return found.generation == generation && found.number == number
    }

    /// Finds the first whole frame at `offset` of a segment or behind it for which `body` returns
    /// true.
    ///
    /// A frame is read and checked where its head, which may be damaged, passes `isSought`.
    ///
    /// - Complexity: O(*n*) in the bytes of a segment.
    func first(
        of generation: UInt64,
        from offset: Int,
        isSought: (_ generation: UInt64, _ number: UInt64) -> Bool = { _, _ in true },
        where body: (LogMark) -> Bool = { _ in true }
    ) throws(LogError) -> LogMark? {
        var start = offset
        while start < shape.segmentByteCount {
            let file = file(of: generation)
            let written = try LogError.onDisk { () throws(LMDBError) in
                try file.written(from: start)
            }
            guard let written else { return nil }
            let block = LogShape.blockByteCount
            start = max(start, written.lowerBound / block * block)
            let count = min(Self.readAtOnce, shape.segmentByteCount - start)
            guard count > 0 else { return nil }
            let bytes = try LogError.onDisk { () throws(LMDBError) in
                try file.read(count, at: start)
            }
            for index in stride(from: 0, to: bytes.count, by: LogShape.blockByteCount) {
                guard bytes.count - index >= FrameHead.byteCount,
                    let head = FrameHead.place(bytes, at: index),
                    isSought(head.generation, head.number),
                    let found = try frame(of: generation, at: start + index)?.mark,
                    body(found)
                else { continue }
                return found
            }
            start += count
        }
        return nil
    }

    /// The least and the greatest number of the log; nil where it has no whole frame.
    ///
    /// - Complexity: O(*n*) in the bytes of all segments.
    func numbers() throws(LogError) -> ClosedRange<UInt64>? {
        var all: [UInt64] = []
        for index in files.indices {
            var generation: UInt64?
            _ = try first(
                of: UInt64(index),
                from: LogShape.blockByteCount,
                where: { mark in
                    // Pass what an older generation left behind.
                    generation = generation ?? mark.generation
                    if mark.generation == generation { all.append(mark.number) }
                    return false
                }
            )
        }
        guard let least = all.min(), let greatest = all.max() else { return nil }
        return least...greatest
    }
}
