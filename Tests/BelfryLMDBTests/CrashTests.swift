internal import BelfryLMDB
internal import Foundation
internal import TestSupport
internal import Testing

/// LMDB through SIGKILL: a process may die at any point.
///
/// A power cut, which also takes bytes that the system had not written, is not shown here.
@Suite("Crashes")
struct CrashTests {
    /// The entries of each transaction; a transaction is there whole or not at all.
    static let batch = 3

    @Test(
        "After SIGKILL at a random point what was acknowledged is stored, and stored is a prefix",
        arguments: 0..<8
    )
    func killed(round: Int) async throws {
        let directory = try ScratchDirectory()
        let path = directory.path
        let commits = Int.random(in: 0..<40)
        let microseconds = UInt32.random(in: 0..<2_000)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, commits = commits as Int, delay = microseconds as UInt32] in
            try commitUntilKilled(in: path, killingAfter: commits, delay: delay)
        }
        // One byte was written for each commit that returned.
        let file = path + "/acknowledged"
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        let acknowledged = attributes?[.size] as? Int ?? 0
        let environment = try Environment(directory: path)
        let table = try environment.table("things")
        let stored = try environment.read { transaction throws(LMDBError) in
            try transaction.entries(of: table)
        }
        let hint: Comment = "\(commits) commits, then \(microseconds) microseconds"
        #expect(acknowledged >= commits, hint)
        #expect(stored.count % Self.batch == 0, hint)
        let transactions = stored.count / Self.batch
        #expect(transactions == acknowledged || transactions == acknowledged + 1, hint)
        let prefix = (0..<UInt64(stored.count)).map { number in
            Entry(key: bytes(of: number), value: bytes(of: ~number))
        }
        #expect(stored == prefix, hint)
    }
}

/// Commits transaction after transaction, and has the process killed some time after a number of
/// them.
private func commitUntilKilled(in path: String, killingAfter commits: Int, delay: UInt32) throws {
    let environment = try Environment(directory: path)
    let table = try environment.table("things")
    let acknowledgements = unsafe open(path + "/acknowledged", O_WRONLY | O_CREAT, 0o600)
    try #require(acknowledgements >= 0)
    var number: UInt64 = 0
    for commit in 0... {
        if commit == commits {
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
        }
        try environment.write { transaction throws(LMDBError) in
            for _ in 0..<CrashTests.batch {
                try transaction.put(bigEndian(~number), forKey: bigEndian(number), in: table)
                number += 1
            }
        }
        try #require(unsafe write(acknowledgements, [1], 1) == 1)
    }
}

private func bytes(of number: UInt64) -> [UInt8] {
    let inline = bigEndian(number)
    return inline.indices.map { inline[$0] }
}
