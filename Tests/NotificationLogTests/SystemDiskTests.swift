internal import BelfryLMDB
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import NotificationLog

@Suite("System disk")
struct SystemDiskTests {
    private let directory: ScratchDirectory
    private let disk: SystemDisk

    init() throws {
        directory = try ScratchDirectory()
        disk = SystemDisk(directory: directory.path)
    }

    @Test("A frame is written over blocks that its segment has on the disk")
    func blocks() throws {
        let id = LogID(high: 1, low: 2)
        try Log.make(on: disk, id, LogShape(segmentByteCount: 1 << 20, segmentCount: 2))
        let log = try Log(on: disk, id, after: LogMark(startOf: id))
        let file = try #require(try disk.open("0"))
        for _ in 0..<250 {
            let written = try #require(try file.written(from: 0))
            let mark = try log.append([1], elapsed: 0, wall: 0)
            #expect(mark.generation == 0 && mark.end <= written.upperBound)
        }
    }

    @Test("Files are made, written, read, renamed and opened")
    func files() throws {
        #expect(try disk.open("a") == nil)
        let file = try disk.make("a")
        try file.writeAll([1, 2, 3], at: 2)
        #expect(try file.byteCount() == 5)
        #expect(try file.read(10, at: 1) == [0, 1, 2, 3])
        #expect(try file.read(2, at: 7) == [])
        try file.sync()
        try disk.rename("a", to: "b")
        try disk.syncNames()
        #expect(try disk.open("a") == nil)
        #expect(try disk.open("b")?.read(5, at: 0) == [0, 0, 1, 2, 3])
        #expect(try disk.make("b").byteCount() == 0)
    }

    @Test("A link is not followed, and a directory is no file")
    func links() throws {
        let path = directory.path
        try FileManager.default.createSymbolicLink(
            atPath: path + "/link",
            withDestinationPath: path + "/elsewhere"
        )
        for name in ["link"] {
            #expect(throws: LMDBError(code: ELOOP, operation: "open")) { try disk.open(name) }
            #expect(throws: LMDBError(code: ELOOP, operation: "open")) { try disk.make(name) }
        }
        try FileManager.default.createDirectory(
            atPath: path + "/directory",
            withIntermediateDirectories: false
        )
        #expect(throws: LMDBError(code: EISDIR, operation: "open")) { try disk.open("directory") }
    }

    @Test("A log goes on where it was")
    func log() throws {
        let id = LogID()
        try Log.make(on: disk, id, LogShape(segmentByteCount: 1 << 20, segmentCount: 3))
        var mark = LogMark(startOf: id)
        for round in 0..<5 {
            let log = try Log(on: disk, id, after: mark)
            #expect(log.snapshot.end.number == UInt64(round * 100))
            for index in 0..<100 {
                let payload = [UInt8](repeating: UInt8(index), count: 9_000)
                mark = try log.append(payload, term: 1, elapsed: 2, wall: 3)
                let before = mark.number - 1
                if before % 10 == 0 { log.trim(through: before) }
            }
            log.trim(through: mark.number)
        }
        #expect(mark.generation > 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.sorted() == ["0", "1", "2"])
    }
}
