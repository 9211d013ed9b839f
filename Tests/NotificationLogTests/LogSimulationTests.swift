internal import BelfryLMDB
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import NotificationLog

/// Random work on a log through kills, power cuts, full disks and failed syncs, beside a list of
/// what was acknowledged.
///
/// `LOG_SEEDS=10000` runs as many seeds, from a random one or from `SEED` on: in the release build
/// a second for a thousand.
@Suite("Log simulation")
struct LogSimulationTests {
    @Test("What was acknowledged is there after each cut, in order, and at most one frame more")
    func model() throws {
        let asked = ProcessInfo.processInfo.environment["LOG_SEEDS"].flatMap { Int($0) }
        let (count, first) = (asked ?? 500, SeededGenerator().seed)
        let start = ContinuousClock.now
        var counts = LogSimulation.Counts()
        for index in 0..<count {
            let seed = first &+ UInt64(index)
            do {
                var simulation = try LogSimulation(seed: seed)
                try simulation.run()
                counts.add(simulation.counts)
            } catch {
                Issue.record("again with SEED=\(seed) LOG_SEEDS=1: \(error)")
                return
            }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("log simulation: \(count) seeds from \(first) in \(Int(seconds)) s: \(counts)")
        // A simulation that never gets there shows nothing.
        if count >= 500 {
            #expect(counts.appended > count && counts.cuts > count && counts.tornTails > count / 20)
            #expect(counts.wholeTails > count / 20 && counts.generations > count / 2)
            #expect(counts.full > count / 20 && counts.failedSyncs > count / 20)
        }
    }
}

/// One log, and the frames that it has to have.
struct LogSimulation {
    struct Counts {
        var appended = 0
        var cuts = 0
        var tornTails = 0
        var wholeTails = 0
        var generations = 0
        var full = 0
        var failedSyncs = 0

        mutating func add(_ other: Counts) {
            appended += other.appended
            cuts += other.cuts
            tornTails += other.tornTails
            wholeTails += other.wholeTails
            generations += other.generations
            full += other.full
            failedSyncs += other.failedSyncs
        }
    }

    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private let disk: SimulatedDisk
    private let id = LogID(high: 7, low: 9)
    private var random: SeededGenerator
    private var log: Log
    /// The frames behind the checkpoint, and where each of them is.
    private var kept: [(frame: Frame, mark: LogMark)] = []
    /// The newest frame that the checkpoint has.
    private var mark: LogMark
    /// A frame whose append failed, or was cut: the next opening may find it.
    private var unsure: Frame?
    private(set) var counts = Counts()

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        disk = SimulatedDisk(seed: random.next())
        disk.setWritesShort(seed % 4 == 0)
        let blocks = Int.random(in: 2...6, using: &random)
        let shape = LogShape(
            segmentByteCount: (blocks + 1) * LogShape.blockByteCount,
            segmentCount: Int.random(in: 2...4, using: &random)
        )
        try Log.make(on: disk, id, shape)
        mark = LogMark(startOf: id)
        log = try Log(on: disk, id, after: mark)
    }

    mutating func run() throws {
        for _ in 0..<Int.random(in: 10...40, using: &random) {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11: try append()
            case 11..<14: checkpoint()
            case 14: log.beginGeneration()
            case 15: try appendWithTrouble()
            case 16: try check()
            case 17: try open { $0.kill() }
            default: try open { $0.cutPower() }
            }
        }
        try open { $0.cutPower() }
    }

    private mutating func payload() -> [UInt8] {
        let most = [80, 80, 80, 3_000, 5_000, 12_000].randomElement(using: &random) ?? 0
        let count = Int.random(in: 0...most, using: &random)
        let byte = UInt8.random(in: 0...255, using: &random)
        return [UInt8](repeating: byte, count: count)
    }

    private func next(_ payload: [UInt8]) -> Frame {
        Frame(
            number: (kept.last?.mark ?? mark).number + 1,
            term: 3,
            elapsed: 5,
            wall: -7,
            payload: payload
        )
    }

    private mutating func append() throws {
        let frame = next(payload())
        do {
            let place = try log.append(frame.payload, term: 3, elapsed: 5, wall: -7)
            guard place.number == frame.number else {
                throw Difference(description: "frame \(frame.number) has number \(place.number)")
            }
            if let last = kept.last?.mark, last.generation != place.generation {
                counts.generations += 1
            }
            kept.append((frame, place))
            counts.appended += 1
        } catch LogError.full {
            counts.full += 1
            guard !kept.isEmpty else { throw Difference(description: "an empty log is full") }
        } catch LogError.tooLong {
            // A segment has no room for it, whatever is trimmed.
        }
    }

    /// Appends while the disk fails: the frame is not acknowledged, and may be there or not.
    private mutating func appendWithTrouble() throws {
        let (frame, before) = (next(payload()), log.snapshot)
        let troubles: [SimulatedDisk.Trouble] = [.sync, .write(code: EIO), .write(code: ENOSPC)]
        let trouble = troubles[Int.random(in: 0..<troubles.count, using: &random)]
        disk.fail(trouble)
        do {
            try log.append(frame.payload, term: 3, elapsed: 5, wall: -7)
            throw Difference(description: "a failure of the disk was acknowledged")
        } catch LogError.disk(let error) {
            if error.code == ENOSPC {
                guard log.snapshot == before else {
                    throw Difference(description: "a frame without room is in the log")
                }
                // Nor does it come back, now that it was refused.
                switch Int.random(in: 0..<3, using: &random) {
                case 0: return try append()
                case 1: return try open { $0.kill() }
                default: return try open { $0.cutPower() }
                }
            }
            counts.failedSyncs += 1
        } catch is LogError {
            // Nothing was written.
            return disk.fail(nil)
        }
        unsure = frame
        // It may be acknowledged by nobody now: neither is any frame behind it.
        let error = #expect(throws: LogError.self) {
            try log.append([1], term: 3, elapsed: 5, wall: -7)
        }
        guard error == .failed else {
            throw Difference(description: "the log goes on after a failure")
        }
        if Bool.random(using: &random) {
            try open { $0.kill() }
        } else {
            try open { $0.cutPower() }
        }
    }

    /// Notes durably that the frames up to one are somewhere else, too, and lets the log trim them.
    private mutating func checkpoint() {
        guard !kept.isEmpty else { return }
        let index = Int.random(in: 0..<kept.count, using: &random)
        mark = kept[index].mark
        kept.removeFirst(index + 1)
        log.trim(through: mark.number)
    }

    private mutating func open(after trouble: (SimulatedDisk) -> Void) throws {
        trouble(disk)
        counts.cuts += 1
        log = try Log(on: disk, id, after: mark)
        let found = try frames()
        let all = kept.map(\.frame)
        if found.map(\.0) == all {
            if unsure != nil { counts.tornTails += 1 }
        } else if let unsure, found.map(\.0) == all + [unsure] {
            counts.wholeTails += 1
            kept.append((found[found.count - 1].0, found[found.count - 1].1))
        } else {
            throw Difference(
                description: "frames \(all.map(\.number)) after \(mark.number), and the log has "
                    + "\(found.map(\.0.number))"
            )
        }
        unsure = nil
    }

    private func check() throws {
        let found = try frames()
        guard found.map(\.0) == kept.map(\.frame), found.map(\.1) == kept.map(\.mark) else {
            throw Difference(description: "what is read is not what was appended")
        }
    }

    private func frames() throws(LogError) -> [(Frame, LogMark)] {
        var found: [(Frame, LogMark)] = []
        while let next = try log.next(after: found.last?.1 ?? mark) {
            found.append((next.frame, next.mark))
        }
        return found
    }
}
