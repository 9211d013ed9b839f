internal import BelfryHashing
internal import BelfryLocking
internal import Dispatch
internal import Foundation
internal import NotificationCore
internal import NotificationLog
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Backups (ST-5)")
struct BackupTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    private var backups: String { directory.path + "/backups" }

    /// The names in the directory of the backups.
    private func files() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: backups))?.sorted() ?? []
    }

    /// All rows of the tables that only grow while pending requests are added, by table.
    private func rows(_ file: StoreFile) throws -> [[[UInt8]: [UInt8]]] {
        try [.records, .identifiers, .dueElapsed].map(file.rows)
    }

    @Test("A backup of a store at rest has every row, and says what it is")
    func atRest() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        try await test.addAll((0..<300).map { try .titled("\($0)", in: .seconds($0 + 1)) })
        try await test.advance(by: .seconds(100))
        let told = Pending<[BackupProgress]>()
        let backup = try await test.backup { told.complete(.success([$0])) }
        #expect(backup.name == "20260101T000140Z.mdb")
        #expect(backup.path == backups + "/" + backup.name)
        #expect(backup.asOf == .newYear + .seconds(100))
        let bytes = try Data(contentsOf: URL(filePath: backup.path))
        #expect(bytes.count == backup.byteCount)
        #expect(SHA256.digest(of: Array(bytes).span).hexadecimal == backup.checksum)
        #expect(files() == [backup.name])
        #expect(try await told.value.get().map(\.copiedBytes) == [0])
        let attributes = try FileManager.default.attributesOfItem(atPath: backup.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        test.close()
        let copied = try StoreFile.read(file: backup.path) { try everything($0) }
        let stored = try StoreFile.read(file: directory.path + "/data.mdb") { try everything($0) }
        #expect(copied == stored)
        #expect(copied.map(\.count).reduce(0, +) > 900)
    }

    /// All rows of all tables, but for those on the log: a backup has none.
    private func everything(_ file: StoreFile) throws -> [[[UInt8]: [UInt8]]] {
        try TableName.allCases.map { table in
            var rows = try file.rows(of: table)
            if table == .meta {
                rows[MetaKey.merged.bytes] = nil
                rows[MetaKey.log.bytes] = nil
            }
            return rows
        }
    }

    @Test("A backup under writes is the store as of one transaction, with all that was told before")
    func underWrites() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        let isDone = Guarded(false)
        let told = Guarded(0)
        async let adding: Void = {
            var number = 0
            while !isDone.withLock({ $0 }) {
                try await test.addAll(
                    (0..<3).map { try .titled("\(number) \($0)", in: .seconds(60)) }
                )
                number += 1
                told.withLock { $0 += 3 }
            }
        }()
        var copies: [(path: String, told: Int)] = []
        for _ in 0..<5 {
            let before = told.withLock { $0 }
            while told.withLock({ $0 }) == before { await Task.yield() }
            let toldBefore = told.withLock { $0 }
            copies.append((try await test.backup().path, toldBefore))
        }
        isDone.withLock { $0 = true }
        try await adding
        test.close()

        let final = try StoreFile.read(file: directory.path + "/data.mdb") { try rows($0) }
        for copy in copies {
            #expect(try problems(in: copy.path) == [])
            try StoreFile.read(file: copy.path) { file in
                let next = try file.state().nextSequence
                #expect(next > copy.told)
                // The first number is 1, and batches are whole.
                #expect((next - 1) % 3 == 0)
                let copied = try rows(file)
                #expect(copied.map(\.count) == [Int(next) - 1, Int(next) - 1, Int(next) - 1])
                for (rows, all) in zip(copied, final) {
                    #expect(rows.allSatisfy { all[$0.key] == $0.value })
                }
            }
        }
    }

    private func problems(in path: String) throws -> [String] {
        var problems: [String] = []
        _ = try StoreCheck.check(file: path, onProblem: { problems.append($0.description) })
        return problems
    }

    @Test("There is one at a time, and names of one second are told apart")
    func oneAtATime() async throws {
        let test = try TestStore(in: directory)
        let begun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let first = Pending<Backup>()
        _ = try test.store.backup(
            progress: { _ in
                begun.signal()
                goesOn.wait()
            },
            completion: first.complete
        )
        begun.wait()
        let refusal = await #expect(throws: Refusal.self) { try await test.backup() }
        #expect(refusal?.kind == .resourceExhausted)
        #expect(refusal?.reason == .backupRunning)
        #expect(refusal?.retryAfterNanoseconds.map { $0 > 0 } == true)
        // Meanwhile the store serves.
        try await test.authorize()
        try await test.add(.titled("a"))
        #expect(try await test.delivered().count == 1)
        goesOn.signal()
        let names = [try await first.value.get().name, try await test.backup().name]
        #expect(names == ["20260101T000000Z.mdb", "20260101T000000Z-2.mdb"])
        #expect(files() == names.sorted())
    }

    @Test("One that is cancelled, or that a stop meets, leaves nothing", arguments: [false, true])
    func cancelled(byStop: Bool) async throws {
        let test = try TestStore(in: directory)
        try await Self.fill(test, bytes: 10 << 20)
        let begun = DispatchSemaphore(value: 0)
        let backup = Pending<Backup>()
        let run = try test.store.backup(
            progress: { if $0.copiedBytes > 0 { begun.signal() } },
            completion: backup.complete
        )
        begun.wait()
        #expect(files() == ["unfinished"])
        if byStop { test.close() } else { run.cancel() }
        let refusal = await #expect(throws: Refusal.self) { try await backup.value.get() }
        #expect(refusal?.reason == (byStop ? .stopping : .backupCancelled))
        #expect(files() == [])
        if byStop { try test.reopen() }
        #expect(try await test.backup().byteCount > 10 << 20)
        let store = test.store
        store.stop()
        #expect(throws: Refusal.stopping) { _ = try store.backup(completion: { _ in }) }
    }

    /// Adds requests whose records have so many bytes.
    private static func fill(_ test: TestStore, bytes: Int) async throws {
        try await test.authorize()
        let body = String(repeating: "b", count: 60_000)
        let requests = try (0...bytes / 60_000).map { number in
            try NotificationRequest.titled("\(number)", in: .seconds(60)) { $0.body = body }
        }
        for begin in stride(from: 0, to: requests.count, by: 100) {
            try await test.addAll(Array(requests[begin..<min(begin + 100, requests.count)]))
        }
    }

    @Test("What a crash left of a backup is gone at the next start, and at the next backup")
    func leftovers() async throws {
        let path = directory.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let test = try TestStore { $0.directory = path }
            try await Self.fill(test, bytes: 6 << 20)
            try await test.backup()
            try await test.backup { if $0.copiedBytes > 0 { kill(getpid(), SIGKILL) } }
        }
        #expect(files() == ["20260101T000000Z.mdb", "unfinished"])
        let test = try TestStore(in: directory)
        #expect(files() == ["20260101T000000Z.mdb"])
        let part = backups + "/unfinished"
        try Data([1, 2, 3]).write(to: URL(filePath: part))
        let backup = try await test.backup()
        #expect(files() == [backup.name, "20260101T000000Z.mdb"])
        #expect(try problems(in: backup.path) == [])
    }

    @Test("A full disk refuses it with STORE_FULL and leaves nothing, and the store serves on")
    func fullDisk() async throws {
        await #expect(processExitsWith: .success) {
            let tests = try BackupTests()
            let test = try TestStore {
                $0.directory = tests.directory.path
                // No merge begins: the limit is for the backup alone.
                $0.limits.changes.bytesPerMerge = 16 << 20
                $0.limits.changes.log.segmentByteCount = 8 << 20
            }
            try await Self.fill(test, bytes: 2 << 20)
            // A limit on the size of files stands in for a full disk: EFBIG in place of ENOSPC.
            signal(SIGXFSZ, SIG_IGN)
            try limitFileSize(to: 1 << 20)
            let refusal = await #expect(throws: Refusal.self) { try await test.backup() }
            #expect(refusal?.reason == .storeFull)
            #expect(refusal?.kind == .resourceExhausted)
            #expect(tests.files() == [])
            try limitFileSize(to: nil)
            #expect(test.failure == nil)
            try await test.add(.titled("after"))
            #expect(try await test.backup().byteCount > 2 << 20)
        }
    }

    @Test("Where the directory cannot be made it is refused with the reason")
    func noDirectory() async throws {
        let test = try TestStore(in: directory)
        try Data().write(to: URL(filePath: backups))
        let refusal = await #expect(throws: Refusal.self) { try await test.backup() }
        #expect(refusal?.reason == .backupFailed)
        #expect(refusal?.kind == .failedPrecondition)
        #expect(refusal?.message.contains("Not a directory") == true)
        try FileManager.default.removeItem(atPath: backups)
        try await test.backup()
    }

    @Test(
        "Instants in file names are UTC to the second",
        arguments: [
            (0, "19700101T000000Z"), (-1, "19691231T235959Z"), (951_782_399, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"), (951_868_800, "20000301T000000Z"),
            (1_767_225_599, "20251231T235959Z"), (4_107_542_399, "21000228T235959Z"),
            (4_107_542_400, "21000301T000000Z"), (-9_214_560_000, "16780101T000000Z"),
        ]
    )
    func fileName(seconds: Int64, name: String) {
        for rest in [0, 1, 999_999_999] as [Int64] {
            let instant = WallInstant(nanoseconds: seconds * .nanosecondsPerSecond + rest)
            #expect(instant.fileName == name)
        }
    }
}
