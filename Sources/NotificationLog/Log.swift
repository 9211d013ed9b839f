package import BelfryLMDB
internal import BelfryLocking
internal import Faults

/// A log of frames: what is appended is on disk when the call returns, and in its order.
///
/// Its segments get their blocks 256 KiB at a time, before these are used first, and are used again
/// in turn, one for each generation: from then on an append needs no room of the disk. A frame
/// changes nothing that the file system keeps of the file. Frames that a checkpoint has are not
/// needed any more; once ``trim(through:)`` says so of all frames of a segment, and nobody holds
/// its ``LogLease``, a later generation is written over them.
///
/// A frame is written only after the sync of the one before. So a power cut can cut short the last
/// one alone: where a whole frame is behind one that is not, the disk has lost what it had.
///
/// Any thread may call it; one at a time is served.
package final class Log: Sendable {
    private struct State {
        var segments: [LogSegment]
        /// The place of the newest frame.
        var end: LogMark
        /// Frames up to this number are not needed.
        var trimmed: UInt64
        /// Whether the next frame begins a generation.
        var beginsGeneration = false
        var hasFailed = false
    }

    package let id: LogID
    package let shape: LogShape
    private let reader: LogReader
    private let views: [any DiskView]
    private let state: Guarded<State>

    /// Makes the files of a new log, in place of those of another one.
    ///
    /// - Throws: ``LogError/disk(_:)``.
    package static func make(
        on disk: some Disk,
        _ id: LogID,
        _ shape: LogShape
    ) throws(LogError) {
        precondition(shape.isKnown, "a log has 2 to 16 segments of whole blocks, 2 GiB at most")
        try LogError.onDisk { () throws(LMDBError) in
            for index in 0..<shape.segmentCount {
                let part = LogSegment.name(index) + ".unfinished"
                try LogSegment.write(try disk.make(part), index, shape, id)
                try disk.rename(part, to: LogSegment.name(index))
            }
            try disk.syncNames()
        }
    }

    /// Opens a log, and finds its end.
    ///
    /// - Parameters:
    ///   - disk: The directory of the segments.
    ///   - id: The log that they have to belong to.
    ///   - mark: The newest frame that the checkpoint has; ``LogMark/init(startOf:)`` where it has
    ///     none.
    ///   - isReadOnly: Whether the log is only read, and nothing may be appended.
    ///   - endsAtDamage: Whether a damaged frame is taken for the end, so that a repair finds what
    ///     is before it.
    /// - Throws: Why the log is not the one that goes on from the checkpoint.
    /// - Complexity: O(*n*) in the bytes of two segments.
    package init(
        on disk: some Disk,
        _ id: LogID,
        after mark: LogMark,
        isReadOnly: Bool = false,
        endsAtDamage: Bool = false
    ) throws(LogError) {
        self.id = id
        let (reader, shape) = try Self.open(disk, id)
        (self.reader, self.shape) = (reader, shape)
        var segments: [LogSegment] = []
        for file in reader.files {
            segments.append(
                try LogError.onDisk { () throws(LMDBError) in
                    try LogSegment(file: file, shape)
                }
            )
        }
        var end = mark
        var tail: FrameHead?
        while let next = try reader.next(after: end) {
            end = next.mark
            tail = next
            segments[Int(end.generation % UInt64(segments.count))].last = end.number
        }
        if !endsAtDamage {
            if tail == nil { try Self.require(mark, reader) }
            try Self.requireNothing(behind: end, reader)
        }
        if let tail, !isReadOnly, !Fault.tailNotWrittenAgain.isPlanted {
            // It may be in the system's memory alone: its sync failed, or never was.
            try Self.write(tail, reader)
        }
        if !isReadOnly, !Fault.tornHeadStays.isPlanted {
            try Self.eraseTorn(behind: end, reader)
        }
        views = segments.map(\.view)
        state = Guarded(State(segments: segments, end: end, trimmed: mark.number))
    }

    private static func open(
        _ disk: some Disk,
        _ id: LogID
    ) throws(LogError) -> (LogReader, LogShape) {
        var files: [any DiskFile] = []
        var shape: LogShape?
        while files.count < shape?.segmentCount ?? 1 {
            let index = files.count
            let file = try LogError.onDisk { () throws(LMDBError) in
                try disk.open(LogSegment.name(index))
            }
            guard let file else { throw .missing(segment: index) }
            let found = try LogSegment.readHead(file, index, of: id)
            guard shape == nil || found == shape else { throw .notASegment(index) }
            shape = found
            files.append(file)
        }
        guard let shape else { preconditionFailure("a log has segments") }
        return (LogReader(files: files, shape: shape, seed: id.seed), shape)
    }

    /// Refuses a log that does not have the checkpoint's frame, nor the one behind it.
    private static func require(_ mark: LogMark, _ reader: LogReader) throws(LogError) {
        if mark.number > 0 {
            let found = try reader.frame(of: mark.generation, at: Int(mark.offset))
            if found?.mark == mark { return }
            let newest = try reader.numbers()?.upperBound ?? 0
            guard newest >= mark.number else {
                throw .older(newest: newest, checkpoint: mark.number)
            }
        }
        let start = LogShape.blockByteCount
        if let first = try reader.frame(of: mark.generation, at: start)?.mark,
            first.generation > mark.generation
        {
            let oldest = try reader.numbers()?.lowerBound ?? first.number
            throw .gap(checkpoint: mark.number, oldest: oldest)
        }
        try requireNothing(behind: mark, reader)
        if mark.number > 0 { throw .diverged(number: mark.number) }
    }

    /// Refuses a log that has frames behind its end: what is between them was lost.
    private static func requireNothing(
        behind end: LogMark,
        _ reader: LogReader
    ) throws(LogError) {
        if Fault.damageTakenForEnd.isPlanted { return }
        for (generation, offset) in LogReader.places(after: end) {
            let found = try reader.first(
                of: generation,
                from: offset,
                isSought: { $0 == generation && $1 > end.number }
            )
            guard found != nil || Fault.endTakenForDamage.isPlanted else { continue }
            throw .damaged(number: end.number &+ 1, generation: end.generation, offset: end.end)
        }
    }

    /// Writes the last frame again, and syncs it.
    private static func write(_ tail: FrameHead, _ reader: LogReader) throws(LogError) {
        let bytes = FrameHead.encode(
            tail.frame,
            generation: tail.mark.generation,
            offset: Int(tail.mark.offset),
            previous: tail.previous,
            seed: reader.seed
        ).bytes
        let file = reader.file(of: tail.mark.generation)
        try LogError.onDisk { () throws(LMDBError) in
            try file.writeAll(bytes, at: Int(tail.mark.offset))
            try file.sync()
        }
    }

    /// Writes zeros over the head of a frame that was cut short.
    ///
    /// The next frame is written there. Were that one cut short as well, its bytes could complete
    /// the old frame, whose caller knows that it is not there.
    private static func eraseTorn(behind end: LogMark, _ reader: LogReader) throws(LogError) {
        for (generation, offset) in LogReader.places(after: end) {
            guard try reader.isHead(of: end.number &+ 1, generation, at: offset) else { continue }
            try LogError.onDisk { () throws(LMDBError) in
                try eraseBlock(at: offset, of: reader.file(of: generation))
            }
        }
    }

    private static func eraseBlock(
        at offset: Int,
        of file: any DiskFile
    ) throws(LMDBError) {
        try file.writeAll([UInt8](repeating: 0, count: LogShape.blockByteCount), at: offset)
        try file.sync()
    }

    // MARK: Writing

    /// Appends a frame; it is on disk when the call returns.
    ///
    /// - Returns: The place of the frame, for a checkpoint.
    /// - Throws: ``LogError/full`` until a checkpoint lets frames be trimmed, and nobody holds the
    ///   ``LogLease`` of the generation that is to be written over;
    ///   ``LogError/tooLong(byteCount:limit:)``; ``LogError/disk(_:)``. After a failed sync, or a
    ///   write that failed for another reason than lack of space, every further call throws
    ///   ``LogError/failed``: whether the frame is there, the next opening tells.
    /// - Complexity: One write and one sync.
    @discardableResult
    package func append(
        _ payload: [UInt8],
        term: UInt64 = 0,
        elapsed: Int64,
        wall: Int64
    ) throws(LogError) -> LogMark {
        try state.withLock { state throws(LogError) in
            guard !state.hasFailed || Fault.logGoesOnAfterFailure.isPlanted else { throw .failed }
            let byteCount = FrameHead.paddedByteCount(payload: payload.count)
            let limit = shape.segmentByteCount - LogShape.blockByteCount
            guard byteCount <= limit else {
                throw .tooLong(byteCount: payload.count, limit: limit - FrameHead.byteCount)
            }
            let (generation, offset) = try place(of: byteCount, &state)
            let frame = Frame(
                number: state.end.number + 1,
                term: term,
                elapsed: elapsed,
                wall: wall,
                payload: payload
            )
            let (bytes, mark) = FrameHead.encode(
                frame,
                generation: generation,
                offset: offset,
                previous: state.end.checksum,
                seed: reader.seed
            )
            let index = Int(generation % UInt64(state.segments.count))
            let file = state.segments[index].file
            do throws(LMDBError) {
                try file.writeAll(bytes, at: offset)
            } catch {
                state.hasFailed = true
                if error.isOutOfSpace { try Self.erase(offset, of: file, &state) }
                throw .disk(error)
            }
            do throws(LMDBError) {
                try Self.giveBlocks(&state.segments[index], to: offset + bytes.count, shape)
                if !Fault.logNotSynced.isPlanted { try file.sync() }
            } catch {
                state.hasFailed = true
                throw .disk(error)
            }
            state.segments[index].last = mark.number
            state.end = mark
            state.beginsGeneration = false
            return mark
        }
    }

    /// Lets a segment have blocks well beyond the end of a frame: the next frames are written over
    /// zeros that are on the disk.
    ///
    /// Where a frame needs new blocks, its sync waits for the file system's journal as well; and a
    /// sync that meets the end of the journal, since the disk fails or goes, can return without an
    /// error though the blocks are not the file's (Linux 6.18, ext4). A frame of more than half a
    /// step may need some still, the first time that its segment is used.
    private static func giveBlocks(
        _ segment: inout LogSegment,
        to end: Int,
        _ shape: LogShape
    ) throws(LMDBError) {
        let step = LogSegment.blocksByteCount
        let wanted = Fault.blocksGivenWithTheFrame.isPlanted ? end : end + step / 2
        guard wanted > segment.writtenByteCount, end < shape.segmentByteCount else { return }
        let full = min(shape.segmentByteCount, (wanted / step + 1) * step)
        let start = max(end, min(segment.writtenByteCount, full))
        segment.writtenByteCount = full
        do throws(LMDBError) {
            try segment.file.writeAll([UInt8](repeating: 0, count: full - start), at: start)
        } catch {
            // The frame has its own: the next one finds out whether it has.
            guard error.isOutOfSpace else { throw error }
        }
    }

    /// Takes back a frame for which there was no room: all of it may be there, and the caller is
    /// told that nothing is.
    private static func erase(
        _ offset: Int,
        of file: any DiskFile,
        _ state: inout State
    ) throws(LogError) {
        if !Fault.refusedFrameStays.isPlanted {
            do throws(LMDBError) {
                try eraseBlock(at: offset, of: file)
            } catch {
                // Without room for its first block there is no frame.
                guard error.isOutOfSpace, error.operation == "pwrite" else { throw .disk(error) }
            }
        }
        state.hasFailed = false
    }

    /// Where the next frame goes.
    private func place(
        of byteCount: Int,
        _ state: inout State
    ) throws(LogError) -> (generation: UInt64, offset: Int) {
        if !state.beginsGeneration, state.end.end + byteCount <= shape.segmentByteCount {
            return (state.end.generation, state.end.end)
        }
        let generation = state.end.generation + 1
        let index = Int(generation % UInt64(state.segments.count))
        let isNeeded = state.segments[index].last > state.trimmed
        let isHeld = !isKnownUniquelyReferenced(&state.segments[index].lease)
        guard !isNeeded || Fault.neededFramesOverwritten.isPlanted,
            !isHeld || Fault.heldFramesOverwritten.isPlanted
        else { throw .full }
        return (generation, LogShape.blockByteCount)
    }

    /// Lets the next frame begin a generation, so that the segment can be trimmed without it.
    package func beginGeneration() {
        state.withLock { state in
            if state.end.number > 0 { state.beginsGeneration = true }
        }
    }

    /// Says that no frame up to a number is needed any more: a checkpoint that is on disk has them.
    package func trim(through number: UInt64) {
        state.withLock { state in
            precondition(number <= state.end.number, "a checkpoint has no frame of the future")
            state.trimmed = max(state.trimmed, number)
        }
    }

    // MARK: Reading

    /// The places from the payload of a frame that begins at an offset to the end of its segment.
    ///
    /// A place is a number for a byte of a segment: those of the first one, those of the second one
    /// and so on.
    private func places(_ generation: UInt64, _ offset: Int) -> Range<Int> {
        let start = Int(generation % UInt64(views.count)) * shape.segmentByteCount
        return start + offset + FrameHead.byteCount..<start + shape.segmentByteCount
    }

    /// The place of the payload of a frame, and the room that its segment has for it.
    package func payloadPlace(of mark: LogMark) -> Range<Int> {
        places(mark.generation, Int(mark.offset))
    }

    /// The place of the payload that is appended next, if it fits there; one behind all segments
    /// where nothing can be appended.
    package var nextPlace: Range<Int> {
        let found = state.withLock { try? place(of: LogShape.blockByteCount, &$0) }
        let end = views.count * shape.segmentByteCount
        return found.map { places($0.generation, $0.offset) } ?? end..<Int(UInt32.max)
    }

    /// The place of the payload behind one that is being appended, if it fits into its segment.
    ///
    /// - Parameters:
    ///   - place: Where that payload is to be, and the room that the segment has for it.
    ///   - byteCount: The bytes of that payload.
    /// - Returns: As ``payloadPlace(of:)``; an empty one where the segment has no room.
    package func place(behind place: Range<Int>, payloadByteCount byteCount: Int) -> Range<Int> {
        let start = place.lowerBound + FrameHead.paddedByteCount(payload: byteCount)
        return min(start, place.upperBound)..<place.upperBound
    }

    /// Copies bytes of a frame that is needed still, or whose lease the caller holds.
    ///
    /// - Complexity: No lock, and no call of the system.
    package func bytes(_ count: Int, at place: Int) -> [UInt8] {
        let (index, offset) = place.quotientAndRemainder(dividingBy: shape.segmentByteCount)
        return views[index].bytes(count, at: offset)
    }

    /// Lends bytes of such a frame; as ``bytes(_:at:)``.
    package func lend(
        _ count: Int,
        at place: Int,
        to body: (Span<UInt8>) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        let (index, offset) = place.quotientAndRemainder(dividingBy: shape.segmentByteCount)
        try views[index].lend(count, at: offset, to: body)
    }

    /// Keeps the frames of the generation that has or gets a frame.
    package func lease(of mark: LogMark) -> LogLease {
        state.withLock { $0.segments[Int(mark.generation % UInt64(views.count))].lease }
    }

    /// The state of the log at one instant.
    package struct Snapshot: Hashable, Sendable {
        /// Frames up to this number may be gone.
        package var trimmed: UInt64
        /// The newest frame.
        package var end: LogMark
        /// Whether the segment of the next generation has no frame that is needed: the generation
        /// can begin once nobody holds its lease.
        package var hasFreeSegment: Bool
        /// The bytes that the segment of the newest frame has room for.
        package var freeByteCount: Int
    }

    /// The bytes that the disk has given to the segments.
    package var writtenByteCount: Int {
        state.withLock { $0.segments.reduce(0) { $0 + $1.writtenByteCount } }
    }

    /// Whether a write or a sync failed, so that nothing can be appended any more.
    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    package var snapshot: Snapshot {
        state.withLock { state in
            let next = Int((state.end.generation + 1) % UInt64(state.segments.count))
            return Snapshot(
                trimmed: state.trimmed,
                end: state.end,
                hasFreeSegment: state.segments[next].last <= state.trimmed,
                freeByteCount: shape.segmentByteCount - state.end.end
            )
        }
    }

    /// Reads the frame behind another one; nil at the end of the log.
    ///
    /// It must not be called while another thread may let the log write over the frame.
    ///
    /// - Throws: ``LogError/trimmed(number:)`` where it is gone, or why it cannot be read.
    package func next(after mark: LogMark) throws(LogError) -> (frame: Frame, mark: LogMark)? {
        guard mark.number < snapshot.end.number else { return nil }
        guard let found = try reader.next(after: mark) else {
            throw .trimmed(number: mark.number + 1)
        }
        return (found.frame, found.mark)
    }
}
