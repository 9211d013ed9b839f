internal import Dispatch
internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("The files of attachments in backups")
struct AttachmentBackupTests {
    let test: TestStore
    let files: TestAttachments

    init() throws {
        test = try TestStore()
        files = TestAttachments(test: test)
    }

    private func png(_ count: Int) -> [UInt8] {
        SampleFiles.png(bytes: count)
    }

    private func names(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }

    private func problems(in path: String) throws -> [String] {
        var problems: [String] = []
        _ = try StoreCheck.check(file: path, onProblem: { problems.append($0.description) })
        return problems
    }

    @Test("A backup has the files that its rows name, and a store without any has none")
    func backup() async throws {
        let empty = try await test.backup()
        #expect(empty.attachments == nil)
        let stored = try await files.put(png(100))
        try await files.put(png(200))
        let backup = try await test.backup()
        let attachments = try #require(backup.attachments)
        #expect(attachments.path == String(backup.path.dropLast(4)) + ".attachments")
        #expect(attachments.count == 2)
        #expect(attachments.byteCount == 300)
        #expect(names(attachments.path) == (await files.names()))
        try await test.advance(by: .seconds(86_400))
        #expect(await files.names() == [])
        #expect(names(attachments.path).count == 2)
        #expect(try problems(in: backup.path) == [])

        let target = try ScratchDirectory()
        let report = try StoreRestore.restore(
            backup.path,
            to: target.path,
            replacing: false,
            onProblem: { _ in }
        )
        #expect(report.byteCount == backup.byteCount)
        let other = TestAttachments(test: try TestStore(in: target))
        #expect(try await other.get(stored.identifier) == png(100))
        other.test.close()
        #expect(try StoreAudit.problems(in: target.path) == [])
    }

    @Test("A file that loses its row while a backup is made is in the backup, then it goes")
    func removedMeanwhile() async throws {
        try await files.put(png(100))
        let begun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let backup = Pending<Backup>()
        // The first progress is told before the copy; a file of before the copy may go then.
        _ = try test.store.backup(
            progress: { _ in
                begun.signal()
                goesOn.wait()
            },
            completion: backup.complete
        )
        begun.wait()
        try await test.advance(by: .seconds(86_400))
        #expect(await files.names().count == 1)
        goesOn.signal()
        // Its row went before the copy was begun.
        #expect(try await backup.value.get().attachments == nil)
        #expect(await files.names() == [])
    }

    @Test("The files of a backup that has its copy stay until they have their names in it")
    func removedAfterCopy() async throws {
        try await files.put(png(100))
        // Three megabytes of requests, so that progress is told after the copy was begun.
        try await test.authorize()
        let body = String(repeating: "b", count: 60_000)
        for number in 0..<100 {
            try await test.add(.titled("\(number)", in: .seconds(1_000_000)) { $0.body = body })
        }
        let begun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let backup = Pending<Backup>()
        _ = try test.store.backup(
            progress: { progress in
                guard progress.copiedBytes > 0 else { return }
                begun.signal()
                goesOn.wait()
            },
            completion: backup.complete
        )
        begun.wait()
        try await test.advance(by: .seconds(86_400))
        goesOn.signal()
        let made = try await backup.value.get()
        #expect(made.attachments?.count == 1)
        #expect(try problems(in: made.path) == [])
        #expect(await files.names() == [])
    }

    @Test("A store that gives way keeps its files beside it, and can be put back")
    func replaced() async throws {
        let other = TestAttachments(test: try TestStore())
        let stored = try await other.put(png(300))
        let backup = try await other.test.backup()
        let old = try await files.put(png(100))
        let directory = test.directory.path
        test.close()
        func restore(_ path: String) throws -> StoreRestore.Report {
            try StoreRestore.restore(path, to: directory, replacing: true, onProblem: { _ in })
        }
        let kept = try #require(try restore(backup.path).replacedPath)
        try test.reopen()
        #expect(try await files.get(stored.identifier) == png(300))
        #expect(await files.names().count == 1)
        #expect(names(kept + ".attachments").count == 1)
        test.close()
        #expect(try problems(in: kept) == [])
        _ = try restore(kept)
        try test.reopen()
        #expect(try await files.get(old.identifier) == png(100))
        #expect(await files.names().count == 1)
    }

    @Test("A backup without its files is told by the check, and not restored")
    func incomplete() async throws {
        let stored = try await files.put(png(100))
        let backup = try await test.backup()
        let attachments = try #require(backup.attachments)
        let name = names(attachments.path)[0]
        try FileManager.default.removeItem(atPath: attachments.path + "/" + name)
        let row = "attachments \(stored.identifier) of org.example.app"
        #expect(try problems(in: backup.path) == ["\(row): its file \(name) is gone"])
        let target = try ScratchDirectory()
        let error = #expect(throws: StoreError.self) {
            try StoreRestore.restore(
                backup.path,
                to: target.path,
                replacing: false,
                onProblem: { _ in }
            )
        }
        guard case .damaged = error else {
            Issue.record("refused for another reason: \(String(describing: error))")
            return
        }
        try Data([1]).write(to: URL(filePath: attachments.path + "/" + name))
        #expect(
            try problems(in: backup.path) == ["\(row): its file \(name) has 1 bytes of 100"]
        )
    }

    @Test("What a crash left of a backup is gone at the next start, and whole ones are not")
    func leftovers() async throws {
        try await files.put(png(100))
        let backup = try await test.backup()
        test.close()
        let backups = test.directory.path + "/backups"
        let part = backups + "/unfinished"
        for path in [part + ".attachments", backups + "/20250101T000000Z.attachments"] {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false
            )
            try Data([1]).write(to: URL(filePath: path + "/x"))
        }
        try Data([1]).write(to: URL(filePath: part))
        try test.reopen()
        let name = String(backup.name.dropLast(4))
        #expect(names(backups) == [name + ".attachments", name + ".mdb"])
    }
}
