internal import BelfryLMDB
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import NotificationLog

/// Each way in which a log can be wrong, and the word for it.
@Suite("Log refusals")
struct LogRefusalTests {
    private let id = LogID(high: 1, low: 2)
    private let block = LogShape.blockByteCount

    /// A log of three segments with room for three short frames each.
    private func made(on disk: SimulatedDisk = SimulatedDisk(seed: 1)) throws -> SimulatedDisk {
        try Log.make(on: disk, id, LogShape(segmentByteCount: 4 * block, segmentCount: 3))
        return disk
    }

    /// Appends short frames, and trims the log up to each but the newest.
    @discardableResult
    private func append(
        _ count: Int,
        to disk: SimulatedDisk,
        after mark: LogMark? = nil,
        trims: Bool = true,
        word: UInt8 = 1
    ) throws -> [LogMark] {
        let log = try Log(on: disk, id, after: mark ?? LogMark(startOf: id))
        var marks: [LogMark] = []
        for index in 0..<count {
            if trims, let last = marks.last { log.trim(through: last.number) }
            marks.append(try log.append([word, UInt8(index)], elapsed: 1, wall: 2))
        }
        return marks
    }

    private func refusal(
        _ disk: SimulatedDisk,
        after mark: LogMark? = nil,
        id other: LogID? = nil
    ) -> LogError? {
        #expect(throws: LogError.self) {
            try Log(on: disk, other ?? id, after: mark ?? LogMark(startOf: id))
        }
    }

    @Test("A new log is empty, and goes on with number 1")
    func new() throws {
        let disk = try made()
        let log = try Log(on: disk, id, after: LogMark(startOf: id))
        #expect(try log.next(after: LogMark(startOf: id)) == nil)
        #expect(try log.append([], elapsed: 0, wall: 0).number == 1)
        #expect(log.snapshot.end.number == 1)
    }

    @Test("A segment that is missing is told", arguments: 0..<3)
    func missing(segment: Int) throws {
        let disk = try made()
        try append(2, to: disk)
        disk.remove("\(segment)")
        #expect(refusal(disk) == .missing(segment: segment))
    }

    @Test("A head that is damaged in any byte is none", arguments: 0..<48)
    func head(offset: Int) throws {
        let disk = try made()
        disk.flip("1", at: offset)
        let known = LogSegment.format
        let bit: UInt32 = 0x10
        let expected: LogError =
            (8..<12).contains(offset)
            ? .format(found: known ^ bit << (8 * (11 - UInt32(offset))), known: known)
            : .notASegment(1)
        #expect(refusal(disk) == expected)
    }

    @Test("A segment in the place of another one is told")
    func swapped() throws {
        let disk = try made()
        try disk.rename("2", to: "1")
        #expect(refusal(disk) == .notASegment(1))
    }

    @Test("The log of another store is told")
    func foreign() throws {
        let disk = try made()
        #expect(refusal(disk, id: LogID(high: 1, low: 3)) == .foreign(segment: 0))
    }

    @Test("A segment that was cut short is told", arguments: [0, 40, 4_096, 16_383])
    func cut(byteCount: Int) throws {
        let disk = try made()
        disk.truncate("2", to: byteCount)
        let expected: LogError =
            byteCount < 48 ? .notASegment(2) : .cut(segment: 2, byteCount: byteCount)
        #expect(refusal(disk) == expected)
    }

    @Test("A log that ends before the checkpoint is told")
    func older() throws {
        let disk = try made()
        let marks = try append(3, to: disk)
        let copy = SimulatedDisk(copying: disk)
        let newer = try append(4, to: disk, after: marks[2])
        #expect(refusal(copy, after: newer[3]) == .older(newest: 3, checkpoint: 7))
        #expect(try Log(on: copy, id, after: marks[2]).snapshot.end == marks[2])
        // Nor is an empty log the one that the checkpoint is of.
        #expect(refusal(try made(), after: marks[0]) == .older(newest: 0, checkpoint: 1))
    }

    @Test("A log whose frames behind the checkpoint were written over is told")
    func gap() throws {
        let disk = try made()
        let marks = try append(11, to: disk)
        #expect(refusal(disk, after: marks[0]) == .gap(checkpoint: 1, oldest: 4))
        #expect(refusal(disk) == .gap(checkpoint: 0, oldest: 4))
        #expect(try Log(on: disk, id, after: marks[2]).snapshot.end == marks[10])
    }

    @Test("Frames of two copies of a store do not go on from each other")
    func diverged() throws {
        let disk = try made()
        let start = try append(2, to: disk)
        let copy = SimulatedDisk(copying: disk)
        let marks = try append(4, to: disk, after: start[1], word: 1)
        let others = try append(4, to: copy, after: start[1], word: 2)
        #expect(refusal(disk, after: others[0]) == .diverged(number: 4))
        #expect(refusal(disk, after: others[3]) == .diverged(number: 6))
        #expect(try Log(on: disk, id, after: marks[0]).snapshot.end == marks[3])
        // Generation 1 of the one behind generation 0 of the other.
        disk.replace("1", withFileOf: copy)
        #expect(refusal(disk, after: start[1]) == .diverged(number: 4))
    }

    @Test("A frame that is damaged in any byte is told, where others are behind it")
    func damaged() throws {
        let disk = try made()
        try append(5, to: disk, trims: false)
        for number in 1...4 {
            let (segment, offset) = (number == 4 ? "1" : "0", (number - 1) % 3 * block + block)
            for byte in 0..<74 where !(68..<72).contains(byte) {
                let copy = SimulatedDisk(copying: disk)
                copy.flip(segment, at: offset + byte)
                // The first frame of a generation is missed at the end of the one before.
                let expected = LogError.damaged(
                    number: UInt64(number),
                    generation: 0,
                    offset: number == 4 ? 4 * block : offset
                )
                #expect(refusal(copy) == expected, "byte \(byte) of frame \(number)")
            }
        }
    }

    @Test("A last frame that is damaged is the end: nobody can tell it from one that was cut short")
    func lastDamaged() throws {
        let disk = try made()
        let marks = try append(5, to: disk, trims: false)
        disk.flip("1", at: 2 * block + 73)
        #expect(try Log(on: disk, id, after: marks[0]).snapshot.end == marks[3])
        #expect(refusal(disk, after: marks[4]) == .older(newest: 4, checkpoint: 5))
    }

    @Test("A frame that was cut short is not completed by a later one that is cut short as well")
    func torn() throws {
        let disk = try made()
        let marks = try append(1, to: disk)
        let payload = [UInt8](repeating: 3, count: block)
        try Log(on: disk, id, after: marks[0]).append(payload, elapsed: 0, wall: 0)
        let secondBlock = 3 * block
        disk.flip("0", at: secondBlock)
        #expect(try Log(on: disk, id, after: marks[0]).snapshot.end == marks[0])
        // As a frame of the same bytes does there whose own head does not get to the disk.
        disk.flip("0", at: secondBlock)
        #expect(try Log(on: disk, id, after: marks[0]).snapshot.end == marks[0])
    }

    @Test("What an older generation left is not the log's, whatever becomes of the frame before it")
    func leftovers() throws {
        let disk = try made()
        let marks = try append(10, to: disk)
        // Nobody needs frame 4. Segment 0 has frame 10, and frames 2 and 3 behind it.
        disk.flip("1", at: block)
        #expect(try Log(on: disk, id, after: marks[8]).snapshot.end == marks[9])
        disk.flip("0", at: block)
        #expect(try Log(on: disk, id, after: marks[8]).snapshot.end == marks[8])
    }

    @Test("A payload that looks like frames is a payload")
    func embedded() throws {
        let disk = try made()
        let marks = try append(2, to: disk)
        let log = try Log(on: disk, id, after: marks[1])
        var bytes = [UInt8](repeating: 0, count: block - FrameHead.byteCount)
        let forged = Frame(number: 9, term: 0, elapsed: 0, wall: 0, payload: [1])
        for (offset, seed) in [(3 * block, id.seed), (3 * block, LogID(high: 5, low: 5).seed)] {
            bytes +=
                FrameHead.encode(
                    forged,
                    generation: 1,
                    offset: offset,
                    previous: marks[1].checksum,
                    seed: seed
                ).bytes
        }
        // The first has the log's seed and another place; the second its place and another seed.
        try log.append(bytes, elapsed: 0, wall: 0)
        disk.flip("1", at: block + 80)
        #expect(try Log(on: disk, id, after: marks[1]).snapshot.end == marks[1])
    }

    @Test("A full log takes a frame again once it is trimmed")
    func full() throws {
        let disk = try made()
        let log = try Log(on: disk, id, after: LogMark(startOf: id))
        for index in 0..<9 { try log.append([UInt8(index)], elapsed: 0, wall: 0) }
        #expect(throws: LogError.full) { try log.append([], elapsed: 0, wall: 0) }
        #expect(!log.snapshot.hasFreeSegment && log.snapshot.freeByteCount == 0)
        log.trim(through: 2)
        #expect(throws: LogError.full) { try log.append([], elapsed: 0, wall: 0) }
        log.trim(through: 3)
        #expect(log.snapshot.hasFreeSegment)
        #expect(try log.append([], elapsed: 0, wall: 0).generation == 3)
    }

    @Test("A frame that no segment has room for is refused, and nothing is written")
    func tooLong() throws {
        let disk = try made()
        let log = try Log(on: disk, id, after: LogMark(startOf: id))
        let limit = 3 * block - FrameHead.byteCount
        #expect(throws: LogError.tooLong(byteCount: limit + 1, limit: limit)) {
            try log.append([UInt8](repeating: 0, count: limit + 1), elapsed: 0, wall: 0)
        }
        let mark = try log.append([UInt8](repeating: 3, count: limit), elapsed: 0, wall: 0)
        #expect(try Log(on: disk, id, after: LogMark(startOf: id)).snapshot.end == mark)
    }

    @Test("A log that finds no room on its disk is not made")
    func noRoom() throws {
        let disk = SimulatedDisk(seed: 1)
        disk.setCapacity(block / 2)
        let error = #expect(throws: LogError.self) { _ = try made(on: disk) }
        #expect(error == .disk(LMDBError(code: ENOSPC, operation: "pwrite")))
        disk.setCapacity(100 * block)
        _ = try made(on: disk)
        #expect(try append(1, to: disk).count == 1)
    }

    @Test("A log that is made is whole after a power cut, or its names are not there")
    func madeAndCut() throws {
        for seed in 0..<50 as Range<UInt64> {
            let disk = SimulatedDisk(seed: seed)
            disk.setWritesShort(true)
            _ = try made(on: disk)
            disk.cutPower()
            #expect(try append(1, to: disk).count == 1)
            let other = SimulatedDisk(seed: seed)
            other.fail(seed % 2 == 0 ? .sync : .write(code: EIO))
            #expect(throws: LogError.self) { _ = try made(on: other) }
            other.cutPower()
            #expect(refusal(other) == .missing(segment: 0))
        }
    }

    @Test("Frames that were written over are told as trimmed")
    func trimmed() throws {
        let disk = try made()
        let marks = try append(11, to: disk)
        let log = try Log(on: disk, id, after: marks[9])
        #expect(try log.next(after: marks[9])?.mark == marks[10])
        #expect(throws: LogError.trimmed(number: 2)) { try log.next(after: marks[0]) }
    }

    @Test("A checkpoint that no log can have is told, and traps nowhere")
    func impossible() throws {
        let disk = try made()
        try append(2, to: disk)
        let mark = LogMark(
            generation: .max,
            offset: .max,
            byteCount: .max,
            number: .max,
            checksum: 0
        )
        #expect(refusal(disk, after: mark) == .older(newest: 2, checkpoint: .max))
    }
}
