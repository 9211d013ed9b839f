internal import BelfryLMDB
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Reading without writing")
struct ReadingTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    private var file: String { directory.path + "/data.mdb" }

    /// Makes an environment with one table of a thousand entries, and closes it.
    private func fill() throws -> [Entry] {
        let environment = try Environment(directory: directory.path)
        let table = try environment.table("things")
        try environment.write { transaction throws(LMDBError) in
            for number in 0..<UInt64(1_000) {
                try transaction.put(bigEndian(number), forKey: bigEndian(number), in: table)
            }
        }
        return try environment.read { transaction throws(LMDBError) in
            try transaction.entries(of: table)
        }
    }

    @Test("A file is read with what was committed, and stays as it is")
    func readsFile() throws {
        let entries = try fill()
        let bytes = try Data(contentsOf: URL(filePath: file))
        let other = directory.path + "/alone.mdb"
        try bytes.write(to: URL(filePath: other))
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)

        let environment = try Environment(readingFile: other)
        let table = try environment.table("things")
        for _ in 0..<3 {
            let read = try environment.read { transaction throws(LMDBError) in
                try transaction.entries(of: table)
            }
            #expect(read == entries)
        }
        let refused = #expect(throws: LMDBError.self) {
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([1], forKey: [1], in: table)
            }
        }
        #expect(refused?.code == EACCES)
        let missing = #expect(throws: LMDBError.self) { try environment.table("others") }
        #expect(missing?.code == LMDBError.notFound)
        #expect(missing?.description.contains("others") == true)
        #expect(try Data(contentsOf: URL(filePath: other)) == bytes)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
                == names.sorted()
        )
    }

    @Test("What is no environment is not read", arguments: 0..<4)
    func notAFile(kind: Int) throws {
        let path = directory.path + "/other"
        let codes = [ENOENT, LMDBError.invalid, LMDBError.invalid, LMDBError.invalid]
        switch kind {
        case 1: try Data().write(to: URL(filePath: path))
        case 2: try Data(repeating: 0x41, count: 10_000).write(to: URL(filePath: path))
        case 3:
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false
            )
        default: break
        }
        let error = #expect(throws: LMDBError.self) { try Environment(readingFile: path) }
        #expect(error?.code == codes[kind])
    }

    @Test("Looking for a table makes none, and a table that is there is the same one")
    func existingTable() throws {
        let entries = try fill()
        let bytes = try Data(contentsOf: URL(filePath: file))
        do {
            let environment = try Environment(directory: directory.path)
            #expect(try environment.existingTable("others") == nil)
            let table = try #require(try environment.existingTable("things"))
            let read = try environment.read { transaction throws(LMDBError) in
                try transaction.entries(of: table)
            }
            #expect(read == entries)
            #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
            #expect(try environment.table("things") == table)
        }
    }

    @Test("A copy into a pipe is that into a file, and ends when nobody reads any more")
    func copyToPipe() async throws {
        let environment = try Environment(directory: directory.path)
        let table = try environment.table("things")
        try environment.write { transaction throws(LMDBError) in
            for number in UInt8(0)..<20 {
                let megabyte = [UInt8](repeating: number, count: 1 << 20)
                try transaction.put(megabyte, forKey: [number], in: table)
            }
        }
        let other = directory.path + "/copy.mdb"
        try environment.copy(toFile: other, compacting: true)

        let whole = Pipe()
        async let failure = Self.copy(environment, to: whole)
        let copied = try whole.fileHandleForReading.readToEnd()
        #expect(try copied == Data(contentsOf: URL(filePath: other)))
        #expect(await failure == nil)

        let cut = Pipe()
        async let end = Self.copy(environment, to: cut)
        #expect(try cut.fileHandleForReading.read(upToCount: 3 << 20)?.count == 3 << 20)
        try cut.fileHandleForReading.close()
        #expect(await end == LMDBError(code: EPIPE, operation: "mdb_env_copyfd2"))
    }

    /// Copies on a thread that may block, ends the pipe, and gives what the copy threw.
    @concurrent
    private static func copy(_ environment: Environment, to pipe: Pipe) async -> LMDBError? {
        defer { try? pipe.fileHandleForWriting.close() }
        do throws(LMDBError) {
            try environment.copy(
                toDescriptor: pipe.fileHandleForWriting.fileDescriptor,
                compacting: true
            )
            return nil
        } catch {
            return error
        }
    }
}
