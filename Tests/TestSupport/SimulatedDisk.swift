package import BelfryLMDB
internal import BelfryLocking
internal import Foundation

/// A disk in memory of which a power cut leaves what was synced, and any part of the rest.
///
/// A seed repeats all that it does.
package final class SimulatedDisk: Disk {
    /// The ways in which the next write or sync can fail.
    package enum Trouble: Sendable {
        /// The sync fails: any part of what was to be synced is on disk, and no later sync puts
        /// the rest there.
        case sync
        /// The write fails after some of its bytes.
        case write(code: Int32)
    }

    fileprivate struct Write {
        var offset: Int
        var bytes: Data
    }

    fileprivate struct Contents {
        /// The bytes as every process sees them.
        var seen = Data()
        /// The bytes that a power cut leaves for certain.
        var durable = Data()
        /// The writes that a sync will make durable.
        var unsynced: [Write] = []
    }

    fileprivate struct State {
        var random: SeededGenerator
        var files: [Contents] = []
        var names: [String: Int] = [:]
        /// The names that a power cut may leave, from what is synced to all.
        var durableNames: [[String: Int]] = [[:]]
        var trouble: Trouble?
        var writesAreShort = false
        /// How many bytes all files may have together.
        var capacity = Int.max
        /// How often the machine was started.
        var runs = 0
    }

    /// The bytes that a power cut keeps or loses as one: the disk's sector.
    private static let sectorByteCount = 512

    fileprivate let state: Guarded<State>

    package init(seed: UInt64) {
        state = Guarded(State(random: SeededGenerator(seed: seed)))
    }

    /// Another disk with the same files, all of them durable.
    package init(copying disk: SimulatedDisk) {
        let copy = disk.state.withLock { state in
            var copy = state
            for index in copy.files.indices {
                copy.files[index] = Contents(
                    seen: state.files[index].seen,
                    durable: state.files[index].seen
                )
            }
            copy.durableNames = [copy.names]
            return copy
        }
        state = Guarded(copy)
    }

    // MARK: Trouble

    /// Lets the next write or sync fail; nil lets none fail.
    package func fail(_ trouble: Trouble?) { state.withLock { $0.trouble = trouble } }

    /// Lets a write write the first of its bytes alone, from now on or no more.
    package func setWritesShort(_ areShort: Bool) {
        state.withLock { $0.writesAreShort = areShort }
    }

    /// Says how many bytes there is room for.
    package func setCapacity(_ byteCount: Int) { state.withLock { $0.capacity = byteCount } }

    /// Kills the processes that have files open: the system keeps what they wrote.
    package func kill() {
        state.withLock { state in
            state.runs += 1
            state.trouble = nil
        }
    }

    /// Cuts the power: of what is not synced any sectors are lost, whatever order they were
    /// written in, and one may be half written.
    package func cutPower() {
        state.withLock { state in
            state.runs += 1
            state.trouble = nil
            for index in state.files.indices { Self.cutPower(&state, index) }
            let names = state.durableNames.randomElement(using: &state.random) ?? [:]
            state.names = names
            state.durableNames = [names]
        }
    }

    private static func cutPower(_ state: inout State, _ index: Int) {
        writeSome(&state, index)
        state.files[index].seen = state.files[index].durable
    }

    /// Lets any of the sectors that are not synced reach the disk, and forgets the others.
    fileprivate static func writeSome(_ state: inout State, _ index: Int) {
        var pieces: [Write] = []
        for write in state.files[index].unsynced {
            var rest = write
            while !rest.bytes.isEmpty {
                let count = sectorByteCount - rest.offset % sectorByteCount
                pieces.append(Write(offset: rest.offset, bytes: rest.bytes.prefix(count)))
                rest.bytes = rest.bytes.dropFirst(count)
                rest.offset += count
            }
        }
        pieces.shuffle(using: &state.random)
        // Keep few, many, all or none: with one chance for all, long writes were never whole.
        let chances: [Double] = [0, 0.1, 0.5, 0.9, 0.97, 1]
        let chance = chances.randomElement(using: &state.random) ?? 0
        for piece in pieces where Double.random(in: 0..<1, using: &state.random) < chance {
            var bytes = piece.bytes
            if Int.random(in: 0..<64, using: &state.random) == 0 {
                bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &state.random))
            }
            state.files[index].durable.overwrite(with: bytes, at: piece.offset)
        }
        state.files[index].unsynced = []
    }

    /// Damages a file: turns one bit of a byte, durably.
    package func flip(_ name: String, at offset: Int) {
        change(name) { contents in
            contents.seen[offset] ^= 0x10
            contents.durable = contents.seen
        }
    }

    /// Cuts a file short, durably.
    package func truncate(_ name: String, to byteCount: Int) {
        change(name) { contents in
            contents.seen.removeSubrange(byteCount...)
            contents.durable = contents.seen
        }
    }

    /// Takes a file away, durably.
    package func remove(_ name: String) {
        state.withLock { state in
            state.names[name] = nil
            state.durableNames = [state.names]
        }
    }

    /// Puts a file of another disk in the place of a file, durably.
    package func replace(_ name: String, withFileOf disk: SimulatedDisk) {
        let bytes = Data(disk.bytes(of: name))
        change(name) { $0 = Contents(seen: bytes, durable: bytes) }
    }

    /// The bytes of a file, as every process sees them.
    package func bytes(of name: String) -> [UInt8] {
        state.withLock { state in state.names[name].map { [UInt8](state.files[$0].seen) } ?? [] }
    }

    private func change(_ name: String, _ body: (inout Contents) -> Void) {
        state.withLock { state in
            guard let index = state.names[name] else { preconditionFailure("no file \(name)") }
            body(&state.files[index])
        }
    }

    // MARK: A disk

    package func open(_ name: String) throws(LMDBError) -> (any DiskFile)? {
        state.withLock { state in
            state.names[name].map { SimulatedFile(disk: self, index: $0, run: state.runs) }
        }
    }

    package func make(_ name: String) throws(LMDBError) -> any DiskFile {
        state.withLock { state in
            state.files.append(Contents())
            state.names[name] = state.files.count - 1
            state.durableNames.append(state.names)
            return SimulatedFile(disk: self, index: state.files.count - 1, run: state.runs)
        }
    }

    package func rename(_ name: String, to other: String) throws(LMDBError) {
        try state.withLock { state throws(LMDBError) in
            guard let index = state.names.removeValue(forKey: name) else {
                throw LMDBError(code: ENOENT, operation: "rename")
            }
            state.names[other] = index
            state.durableNames.append(state.names)
        }
    }

    package func syncNames() throws(LMDBError) {
        try state.withLock { state throws(LMDBError) in
            if case .sync = state.trouble {
                state.trouble = nil
                throw LMDBError(code: EIO, operation: "fsync directory")
            }
            state.durableNames = [state.names]
        }
    }
}

private final class SimulatedView: DiskView {
    private let file: SimulatedFile

    init(file: SimulatedFile) { self.file = file }

    func lend(
        _ count: Int,
        at offset: Int,
        to body: (Span<UInt8>) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        try body(bytes(count, at: offset).span)
    }

    func bytes(_ count: Int, at offset: Int) -> [UInt8] {
        (try? file.read(count, at: offset)) ?? []
    }
}

private final class SimulatedFile: DiskFile {
    private let disk: SimulatedDisk
    private let index: Int
    private let run: Int

    init(disk: SimulatedDisk, index: Int, run: Int) {
        self.disk = disk
        self.index = index
        self.run = run
    }

    func byteCount() throws(LMDBError) -> Int {
        disk.state.withLock { $0.files[index].seen.count }
    }

    func setByteCount(_ count: Int) throws(LMDBError) {
        disk.state.withLock { state in
            precondition(run == state.runs, "a process writes that was killed")
            let rest = max(0, count - state.files[index].seen.count)
            let zeros = Data(count: rest)
            let offset = state.files[index].seen.count
            state.files[index].seen.overwrite(with: zeros, at: offset)
            state.files[index].unsynced.append(
                SimulatedDisk.Write(offset: offset, bytes: zeros)
            )
        }
    }

    func written(from offset: Int) throws(LMDBError) -> Range<Int>? {
        disk.state.withLock { state in
            let bytes = state.files[index].seen
            guard offset < bytes.count else { return nil }
            let sector = 4_096
            var start: Int?
            for place in stride(from: offset / sector * sector, to: bytes.count, by: sector) {
                let isHole = bytes[place..<min(place + sector, bytes.count)].allSatisfy { $0 == 0 }
                if !isHole, start == nil { start = max(offset, place) }
                if isHole, let start { return start..<place }
            }
            return start.map { $0..<bytes.count }
        }
    }

    func read(_ count: Int, at offset: Int) throws(LMDBError) -> [UInt8] {
        disk.state.withLock { state in
            [UInt8](state.files[index].seen.dropFirst(offset).prefix(count))
        }
    }

    func view(_ byteCount: Int) throws(LMDBError) -> any DiskView { SimulatedView(file: self) }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(LMDBError) -> Int {
        try disk.state.withLock { state throws(LMDBError) in
            precondition(run == state.runs, "a process writes that was killed")
            var count = bytes.count
            var failure: Int32?
            if case .write(let code) = state.trouble {
                state.trouble = nil
                failure = code
            }
            if failure != nil || state.writesAreShort {
                count = Int.random(in: min(1, count)...count, using: &state.random)
            }
            let used = state.files.reduce(0) { $0 + $1.seen.count }
            let growth = max(0, offset + count - state.files[index].seen.count)
            if used + growth > state.capacity {
                count = max(0, count - (used + growth - state.capacity))
                if count == 0 { failure = ENOSPC }
            }
            let written = Data(bytes.prefix(count))
            state.files[index].seen.overwrite(with: written, at: offset)
            state.files[index].unsynced.append(
                SimulatedDisk.Write(offset: offset, bytes: written)
            )
            if let failure { throw LMDBError(code: failure, operation: "pwrite") }
            return count
        }
    }

    func sync() throws(LMDBError) {
        try disk.state.withLock { state throws(LMDBError) in
            precondition(run == state.runs, "a process syncs that was killed")
            if case .sync = state.trouble {
                state.trouble = nil
                SimulatedDisk.writeSome(&state, index)
                throw LMDBError(code: EIO, operation: "fdatasync")
            }
            for write in state.files[index].unsynced {
                state.files[index].durable.overwrite(with: write.bytes, at: write.offset)
            }
            state.files[index].unsynced = []
        }
    }
}

extension Data {
    /// Puts bytes in the place of others; what lies before them is made of zeros where it is
    /// missing.
    fileprivate mutating func overwrite(with bytes: Data, at offset: Int) {
        if count < offset + bytes.count {
            append(Data(count: offset + bytes.count - count))
        }
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}
