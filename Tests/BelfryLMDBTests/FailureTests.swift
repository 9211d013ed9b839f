internal import BelfryLMDB
internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Failures")
struct FailureTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    @Test("A full map loses the batch and nothing else")
    func mapFull() throws {
        var options = Environment.Options()
        options.mapSize = 32 * 4096
        let environment = try Environment(directory: directory.path, options: options)
        let table = try environment.table("things")
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([1], forKey: [1], in: table)
        }
        let error = #expect(throws: LMDBError.self) {
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([2], forKey: [1], in: table)
                for number in 0..<UInt64(1_000) {
                    let kilobyte = [UInt8](repeating: 0, count: 1024)
                    try transaction.put(kilobyte, forKey: bigEndian(number), in: table)
                }
            }
        }
        #expect(error == LMDBError(code: LMDBError.mapFull, operation: "mdb_put"))
        #expect(error?.isOutOfSpace == true)
        let isDeleted = try environment.write { transaction throws(LMDBError) in
            let entries = try transaction.entries(of: table)
            #expect(entries == [Entry(key: [1], value: [1])])
            try transaction.put([3], forKey: [2], in: table)
            return try transaction.delete(key: [1], in: table)
        }
        #expect(isDeleted)
        let entries = try environment.read { transaction throws(LMDBError) in
            try transaction.entries(of: table)
        }
        #expect(entries == [Entry(key: [2], value: [3])])
    }

    @Test("A batch whose failure was swallowed is not committed")
    func swallowedFailure() throws {
        var options = Environment.Options()
        options.mapSize = 32 * 4096
        let environment = try Environment(directory: directory.path, options: options)
        let table = try environment.table("things")
        let error = #expect(throws: LMDBError.self) {
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([1], forKey: [1], in: table)
                let megabyte = [UInt8](repeating: 0, count: 1 << 20)
                try? transaction.put(megabyte, forKey: [2], in: table)
            }
        }
        #expect(error?.description.hasPrefix("mdb_txn_commit: MDB_BAD_TXN") == true)
        let count = try environment.read { transaction throws(LMDBError) in
            try transaction.count(of: table)
        }
        #expect(count == 0)
    }

    @Test("A commit for which the disk has no room leaves nothing, and the next one succeeds")
    func commitFails() async throws {
        let path = directory.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            try environment.write { transaction throws(LMDBError) in
                try transaction.put([1], forKey: [1], in: table)
            }
            // A limit on the size of files stands in for a full disk: EFBIG in place of ENOSPC.
            signal(SIGXFSZ, SIG_IGN)
            let used = environment.statistics.usedByteCount
            try limitFileSize(to: used)
            let error = #expect(throws: LMDBError.self) {
                try environment.write { transaction throws(LMDBError) in
                    let megabyte = [UInt8](repeating: 0, count: 1 << 20)
                    try transaction.put([2], forKey: [1], in: table)
                    try transaction.put(megabyte, forKey: [2], in: table)
                }
            }
            #expect(error == LMDBError(code: EFBIG, operation: "mdb_txn_commit"))
            #expect(error?.isOutOfSpace == true)
            try limitFileSize(to: nil)
            try environment.write { transaction throws(LMDBError) in
                let entries = try transaction.entries(of: table)
                #expect(entries == [Entry(key: [1], value: [1])])
                try transaction.put([3], forKey: [3], in: table)
            }
        }
        let environment = try Environment(directory: path)
        let table = try environment.table("things")
        let keys = try environment.read { transaction throws(LMDBError) in
            try transaction.entries(of: table).map(\.key)
        }
        #expect(keys == [[1], [3]])
    }

    @Test("A copy that fails leaves no file behind")
    func copyFails() async throws {
        let path = directory.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let environment = try Environment(directory: path)
            let table = try environment.table("things")
            try environment.write { transaction throws(LMDBError) in
                let megabyte = [UInt8](repeating: 0, count: 1 << 20)
                try transaction.put(megabyte, forKey: [1], in: table)
            }
            signal(SIGXFSZ, SIG_IGN)
            try limitFileSize(to: 1 << 19)
            let file = path + "/copy.mdb"
            for compacting in [true, false] {
                let error = #expect(throws: LMDBError.self) {
                    try environment.copy(toFile: file, compacting: compacting)
                }
                #expect(error?.operation == "mdb_env_copyfd2")
                #expect(!FileManager.default.fileExists(atPath: file))
            }
        }
    }

    @Test("The reader of a process that was killed is cleared", arguments: [false, true])
    func staleReader(byOpening: Bool) async throws {
        let path = directory.path
        let environment = try Environment(directory: path)
        let table = try environment.table("things")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let environment = try Environment(directory: path)
            try environment.read { _ throws(LMDBError) in _ = kill(getpid(), SIGKILL) }
        }
        try environment.write { transaction throws(LMDBError) in
            try transaction.put([1], forKey: [1], in: table)
        }
        if byOpening {
            await #expect(processExitsWith: .success) { [path = path as String] in
                _ = try Environment(directory: path)
            }
        }
        #expect(try environment.clearStaleReaders() == (byOpening ? 0 : 1))
    }
}
