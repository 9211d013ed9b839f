internal import BelfryLMDB
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Environments")
struct EnvironmentTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    @Test("What was committed is there when the environment is opened again")
    func reopening() throws {
        do {
            let environment = try Environment(directory: directory.path)
            let table = try environment.table("things")
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([1, 2], forKey: [3], in: table)
            }
        }
        let environment = try Environment(directory: directory.path)
        let table = try environment.table("things")
        try environment.read { transaction throws(LMDBError) in
            let stored = try transaction.value(forKey: [3], in: table)
            #expect(stored == [1, 2])
        }
    }

    @Test("An absent directory is created, and only its owner can read what is in it")
    func creation() throws {
        let path = directory.path + "/new"
        _ = try Environment(directory: path)
        let modes = try ["", "/data.mdb", "/lock.mdb"].map { name in
            try FileManager.default.attributesOfItem(atPath: path + name)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600, 0o600])
    }

    @Test("A directory whose parent is absent is not created")
    func absentParent() {
        let error = #expect(throws: LMDBError.self) {
            try Environment(directory: directory.path + "/no/where")
        }
        #expect(error == LMDBError(code: ENOENT, operation: "mkdir"))
        #expect(error?.description == "mkdir: No such file or directory (2)")
    }

    @Test("A directory is open once in a process, however it is spelled, and again when closed")
    func openTwice() throws {
        var first: Environment? = try Environment(directory: directory.path)
        for path in [directory.path, directory.path + "/../" + directory.name] {
            let error = #expect(throws: LMDBError.self) { try Environment(directory: path) }
            #expect(error?.code == EBUSY)
        }
        _ = try first?.table("things")
        first = nil
        _ = try Environment(directory: directory.path)
    }

    @Test("A file that is not LMDB's is refused and left alone")
    func foreignFile() throws {
        let file = directory.path + "/data.mdb"
        let bytes = Data(repeating: 65, count: 8192)
        try bytes.write(to: URL(filePath: file))
        let error = #expect(throws: LMDBError.self) { try Environment(directory: directory.path) }
        #expect(error?.code == LMDBError.invalid)
        #expect(FileManager.default.contents(atPath: file) == bytes)
    }

    @Test("A file that ends before a page in use is refused, whatever that page holds")
    func cutShort() throws {
        let value = [UInt8](repeating: 1, count: 8_000)
        do {
            let environment = try Environment(directory: directory.path)
            let (low, high) = (try environment.table("low"), try environment.table("high"))
            for table in [low, high] {
                try environment.write { transaction throws(LMDBError) in
                    for number in 0..<100 as Range<UInt8> {
                        try transaction.put(value, forKey: [number], in: table)
                    }
                }
            }
            try environment.write { transaction throws(LMDBError) in
                for number in 0..<100 as Range<UInt8> {
                    _ = try transaction.delete(key: [number], in: low)
                }
            }
            // From now on, writes go into free pages, before those of the other table.
            for number in 0..<20 as Range<UInt8> {
                try environment.write { transaction throws(LMDBError) in
                    try transaction.put([number], forKey: [0], in: low)
                }
            }
        }
        let file = try #require(FileHandle(forUpdatingAtPath: directory.path + "/data.mdb"))
        try file.truncate(atOffset: try file.seekToEnd() - 50 * 4_096)
        try file.close()
        let error = #expect(throws: LMDBError.self) {
            _ = try Environment(directory: directory.path)
        }
        #expect(error?.code == LMDBError.truncated)
    }

    @Test("A file with pages of another size is refused")
    func pageSize() throws {
        _ = try Environment(directory: directory.path)
        let file = URL(filePath: directory.path + "/data.mdb")
        // Move both meta pages to where pages of 8 KiB begin, with that size written in them.
        var meta = try Data(contentsOf: file).prefix(4096)
        meta.replaceSubrange(40..<44, with: [0, 32, 0, 0])
        var larger = Data(count: 16384)
        larger.replaceSubrange(0..<4096, with: meta)
        larger.replaceSubrange(8192..<12288, with: meta)
        try larger.write(to: file)
        let error = #expect(throws: LMDBError.self) { try Environment(directory: directory.path) }
        #expect(error == LMDBError(code: LMDBError.incompatible, operation: "page size"))
    }

    @Test("A map that the system refuses is halved until it fits")
    func mapSize() throws {
        var options = Environment.Options()
        options.mapSize = 1 << 47
        let environment = try Environment(directory: directory.path, options: options)
        let given = environment.statistics.mapByteCount
        #expect(given < options.mapSize)
        #expect(given >= Environment.Options.mapSizeFloor)
        #expect(given.nonzeroBitCount == 1)
        _ = try environment.table("things")
    }

    @Test("There are as many tables as the options say")
    func tablesFull() throws {
        var options = Environment.Options()
        options.maximumTables = 2
        let environment = try Environment(directory: directory.path, options: options)
        _ = try environment.table("one")
        let two = try environment.table("two")
        let error = #expect(throws: LMDBError.self) { try environment.table("three") }
        #expect(error?.description.hasPrefix("mdb_dbi_open: MDB_DBS_FULL") == true)
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([1], forKey: [1], in: two)
        }
    }

    @Test("There are as many readers as the options say, and an ended one makes room")
    func readersFull() throws {
        var options = Environment.Options()
        options.maximumReaders = 2
        let environment = try Environment(directory: directory.path, options: options)
        try environment.read { _ throws(LMDBError) in
            try environment.read { _ throws(LMDBError) in
                let error = #expect(throws: LMDBError.self) {
                    try environment.read { _ throws(LMDBError) in }
                }
                #expect(error?.description.contains("MDB_READERS_FULL") == true)
            }
            try environment.read { _ throws(LMDBError) in }
        }
    }

    @Test("Readers that have ended give their slots back, however many there were")
    func readerSlots() throws {
        var options = Environment.Options()
        options.maximumReaders = 20
        let environment = try Environment(directory: directory.path, options: options)
        func read(depth: Int) throws(LMDBError) {
            try environment.read { _ throws(LMDBError) in
                if depth > 1 { try read(depth: depth - 1) }
            }
        }
        try read(depth: 20)
        try read(depth: 20)
    }

    @Test("Statistics follow what is written")
    func statistics() throws {
        let environment = try Environment(directory: directory.path)
        let table = try environment.table("things")
        let before = environment.statistics
        #expect(before.mapByteCount == 1 << 40)
        #expect(before.pageByteCount == 4096)
        try environment.write { transaction throws(LMDBError) in
            let megabyte = [UInt8](repeating: 1, count: 1 << 20)
            try transaction.put(megabyte, forKey: [1], in: table)
        }
        let after = environment.statistics
        #expect(after.usedByteCount >= before.usedByteCount + 1 << 20)
        _ = try environment.write { transaction throws(LMDBError) in
            try transaction.delete(key: [1], in: table)
        }
        let free = try environment.read { transaction throws(LMDBError) in
            try transaction.freePageCount()
        }
        #expect(free >= 256)
        #expect(free <= environment.statistics.usedPageCount)
    }

    @Test("A copy has what was committed and can be opened", arguments: [true, false])
    func copy(compacting: Bool) throws {
        let environment = try Environment(directory: directory.path)
        let table = try environment.table("things")
        try environment.write { transaction throws(LMDBError) in
            for number in 0..<UInt64(1_000) {
                try transaction.put(bigEndian(number), forKey: bigEndian(number), in: table)
            }
        }
        let other = directory.path + "/copy"
        let file = other + "/data.mdb"
        try FileManager.default.createDirectory(
            atPath: other,
            withIntermediateDirectories: false
        )
        try environment.copy(toFile: file, compacting: compacting)
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        #expect((size ?? 0) <= environment.statistics.usedByteCount)

        let again = #expect(throws: LMDBError.self) {
            try environment.copy(toFile: file, compacting: compacting)
        }
        #expect(again == LMDBError(code: EEXIST, operation: "open"))

        let copy = try Environment(directory: other)
        let copied = try copy.table("things")
        let entries = try copy.read { transaction throws(LMDBError) in
            try transaction.entries(of: copied)
        }
        let original = try environment.read { transaction throws(LMDBError) in
            try transaction.entries(of: table)
        }
        #expect(entries == original)
        #expect(entries.count == 1_000)
    }
}
