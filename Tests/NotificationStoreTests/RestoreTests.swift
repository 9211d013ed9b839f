internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Restoring a backup")
struct RestoreTests {
    let test: TestStore
    /// Where it is restored to.
    let target: ScratchDirectory

    init() throws {
        test = try TestStore()
        target = try ScratchDirectory()
    }

    /// A backup of a store with something pending and something delivered.
    private func backup() async throws -> Backup {
        try await test.authorize()
        try await test.add(.titled("later", in: .seconds(60)))
        try await test.add(.titled("now"))
        return try await test.backup()
    }

    @discardableResult
    private func restore(
        _ path: String,
        to directory: String,
        replacing: Bool = false
    ) throws(StoreError) -> StoreRestore.Report {
        try StoreRestore.restore(path, to: directory, replacing: replacing, onProblem: { _ in })
    }

    private func files(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    @Test("What was backed up goes on in a new directory, and what came later does not")
    func newDirectory() async throws {
        let backup = try await backup()
        let events = try await test.events()
        try await test.add(.titled("after the backup"))
        let path = target.path + "/a/b"
        let report = try restore(backup.path, to: path)
        #expect(report.byteCount == backup.byteCount)
        #expect(report.asOf == backup.asOf)
        #expect(report.replacedPath == nil)
        #expect(try files(path) == ["data.mdb", "lock"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/data.mdb")
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let restored = try TestStore { $0.directory = path }
        #expect(try await restored.events() == events)
        #expect(try await restored.delivered().map(\.request.identifier) == ["now"])
        #expect(try await restored.advance(by: .seconds(60)).firedCount == 1)
        restored.close()
        #expect(try StoreAudit.problems(in: path) == [])
    }

    @Test("The store of a copied data directory is restored with its log and its attachments")
    func copiedDirectory() async throws {
        let files = TestAttachments(test: test)
        try await test.authorize()
        try await test.add(.titled("later", in: .seconds(60)))
        try await test.add(.titled("now"))
        let stored = try await files.put(SampleFiles.png(bytes: 100))
        // Its changes are in the log alone, as after a kill.
        let copy = target.path + "/copy"
        try FileManager.default.copyItem(atPath: test.directory.path, toPath: copy)
        let path = target.path + "/restored"
        try restore(copy + "/data.mdb", to: path)
        let restored = try TestStore { $0.directory = path }
        #expect(try await restored.delivered().map(\.request.identifier) == ["now"])
        let found = try await TestAttachments(test: restored).get(stored.identifier)
        #expect(found == SampleFiles.png(bytes: 100))
        #expect(try await restored.advance(by: .seconds(60)).firedCount == 1)
        restored.close()
        #expect(try StoreAudit.problems(in: path) == [])
    }

    @Test("A store gives way only where it is to be replaced, and is kept beside the new one")
    func replacing() async throws {
        let backup = try await backup()
        let other = try TestStore(in: target)
        try await other.authorize()
        for number in 0..<100 { try await other.add(.titled("old \(number)")) }
        other.close()
        let old = try Data(contentsOf: URL(filePath: target.path + "/data.mdb"))
        let error = #expect(throws: StoreError.self) { try restore(backup.path, to: target.path) }
        guard case .exists(let directory) = error else {
            Issue.record("refused for another reason: \(String(describing: error))")
            return
        }
        #expect(directory == target.path)
        #expect(try Data(contentsOf: URL(filePath: target.path + "/data.mdb")) == old)

        var kept: Set<String> = []
        for _ in 0..<2 {
            let report = try restore(backup.path, to: target.path, replacing: true)
            let path = try #require(report.replacedPath)
            #expect(path.wholeMatch(of: /.*\/data\.mdb\.\d{8}T\d{6}Z(-2)?/) != nil)
            kept.insert(path)
        }
        #expect(kept.count == 2)
        // The file has all, also the changes that were in the log.
        let records = try kept.map { path in
            try StoreFile.read(file: path) { try $0.rows(of: .records).count }
        }
        #expect(records.contains(100))
        // The lock file of LMDB is that of the old store.
        #expect(try files(target.path).contains("lock.mdb"))
        try other.reopen()
        #expect(try await other.delivered().map(\.request.identifier) == ["now"])
        try await other.add(.titled("goes on"))
        #expect(try await other.advance(by: .seconds(60)).firedCount == 1)
        other.close()
        #expect(try StoreAudit.problems(in: target.path) == [])
    }

    @Test("A directory that a server holds is refused, and its store goes on")
    func inUse() async throws {
        let backup = try await backup()
        let error = #expect(throws: StoreError.self) {
            try restore(backup.path, to: test.directory.path, replacing: true)
        }
        guard case .inUse = error else {
            Issue.record("refused for another reason: \(String(describing: error))")
            return
        }
        try await test.add(.titled("still here"))
    }

    @Test("A backup that is damaged, no store or not there changes nothing", arguments: 0..<4)
    func unfit(kind: Int) async throws {
        let backup = try await backup()
        let old = try TestStore(in: target)
        try await old.authorize()
        old.close()
        let bytes = try Data(contentsOf: URL(filePath: target.path + "/data.mdb"))
        let directory = try ScratchDirectory()
        let path = directory.path + "/data.mdb"
        if kind < 2 { try FileManager.default.copyItem(atPath: backup.path, toPath: path) }
        switch kind {
        case 0:
            try StoreFile.change(in: directory.path) { file in
                try file.put([7], forKey: RequestNumber(rawValue: 1).bytes, in: .records)
            }
        case 1:
            try StoreFile.change(in: directory.path) { file in
                let row = FormatRow(version: StoreState.format + 1)
                try file.put(row.bytes, forKey: MetaKey.format.bytes, in: .meta)
            }
        case 2: try Data(repeating: 0x41, count: 10_000).write(to: URL(filePath: path))
        default: break
        }
        let error = #expect(throws: StoreError.self) {
            try restore(path, to: target.path, replacing: true)
        }
        switch error {
        case .damaged(_, let count) where kind == 0: #expect(count == 1)
        case .format(StoreState.format + 1, _) where kind == 1: break
        case .notAStore where kind == 2: break
        case .missing where kind == 3: break
        default: Issue.record("refused for another reason: \(String(describing: error))")
        }
        #expect(error?.description.isEmpty == false)
        #expect(try Data(contentsOf: URL(filePath: target.path + "/data.mdb")) == bytes)
        #expect(try files(target.path).filter { $0.hasPrefix("data.mdb") } == ["data.mdb"])
    }

    @Test("What a crash left of a restore gives way to the next one")
    func leftovers() async throws {
        let backup = try await backup()
        let part = target.path + "/data.mdb.unfinished"
        try Data([1, 2, 3]).write(to: URL(filePath: part))
        try restore(backup.path, to: target.path)
        #expect(!FileManager.default.fileExists(atPath: part))
        #expect(try StoreAudit.problems(in: target.path) == [])
    }

    @Test("From its first step on it shows in the directory, so that a kill leaves a trace")
    func killed() async throws {
        let backup = try await backup()
        let part = target.path + "/data.mdb.unfinished"
        var isThere: [Bool] = []
        _ = try StoreRestore.restore(
            backup.path,
            to: target.path,
            replacing: false,
            onProblem: { _ in },
            onProgress: { _ in isThere.append(FileManager.default.fileExists(atPath: part)) }
        )
        #expect(!isThere.isEmpty)
        #expect(!isThere.contains(false))
        #expect(try files(target.path) == ["data.mdb", "lock"])
    }

    @Test("A full disk leaves the store that was there")
    func fullDisk() async throws {
        await #expect(processExitsWith: .success) {
            let tests = try RestoreTests()
            let backup = try await tests.backup()
            let path = tests.target.path
            try tests.restore(backup.path, to: path)
            let bytes = try Data(contentsOf: URL(filePath: path + "/data.mdb"))
            signal(SIGXFSZ, SIG_IGN)
            try limitFileSize(to: 20_000)
            let error = #expect(throws: StoreError.self) {
                try tests.restore(backup.path, to: path, replacing: true)
            }
            try limitFileSize(to: nil)
            guard case .failed(let cause) = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
            #expect(cause.isOutOfSpace)
            #expect(try tests.files(path) == ["data.mdb", "lock"])
            #expect(try Data(contentsOf: URL(filePath: path + "/data.mdb")) == bytes)
        }
    }
}
