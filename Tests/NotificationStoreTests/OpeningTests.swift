internal import BelfryLMDB
internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Opening (ST-1)")
struct OpeningTests {
    let directory: ScratchDirectory

    init() throws {
        directory = try ScratchDirectory()
    }

    private func open(_ path: String) throws(StoreError) -> Store {
        try Store(Store.Options(directory: path)) { _ in }
    }

    @Test("A missing directory is made, with those above it, for its owner alone")
    func makesDirectory() throws {
        let path = directory.path + "/a/b"
        let store = try open(path)
        defer { store.stop() }
        for made in [directory.path + "/a", path] {
            let attributes = try FileManager.default.attributesOfItem(atPath: made)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        for file in ["data.mdb", "lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(file)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("A directory that cannot be made is named")
    func notADirectory() throws {
        let path = directory.path + "/file"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let error = #expect(throws: StoreError.self) { try open(path + "/data") }
        #expect(error?.description.contains(path) == true)
        #expect(error?.description.contains("Not a directory") == true)
    }

    @Test("A second store on a directory is refused, and the first one goes on")
    func openTwice() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        let link = directory.path + "-link"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: directory.path
        )
        defer { try? FileManager.default.removeItem(atPath: link) }
        for path in [directory.path, directory.path + "/.", link] {
            let error = #expect(throws: StoreError.self) { try open(path) }
            guard case .inUse(let named, let holder) = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                continue
            }
            #expect(named == path)
            #expect(holder == ProcessInfo.processInfo.processIdentifier)
            try await test.add(.titled("still here"))
        }
        test.close()
        try open(directory.path).stop()
    }

    @Test("A stopped store frees its directory, also while a child has a copy of its descriptors")
    func copiedDescriptor() throws {
        var store: Store? = try open(directory.path)
        let files = "/proc/self/fd"
        let lock = try FileManager.default.contentsOfDirectory(atPath: files).first { file in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(files)/\(file)"
            )
            return target == directory.path + "/lock"
        }
        // Do as a child does between fork and exec.
        let copy = dup(try #require(lock.flatMap { Int32($0) }))
        defer { close(copy) }
        store?.stop()
        store = nil
        try open(directory.path).stop()
    }

    @Test("A store in another process is refused, and its process is named")
    func openInAnotherProcess() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        let path = directory.path
        let holder = ProcessInfo.processInfo.processIdentifier
        await #expect(processExitsWith: .success) {
            [path = path as String, holder = holder as Int32] in
            let error = #expect(throws: StoreError.self) {
                try Store(Store.Options(directory: path)) { _ in }
            }
            #expect(error?.description.contains("(process \(holder))") == true)
        }
        try await test.add(.titled("still here"))
    }

    @Test(
        "A file of another format is refused, and left as it is",
        arguments: [0, StoreState.format + 1, .max]
    )
    func otherFormat(format: UInt32) throws {
        try open(directory.path).stop()
        try StoreFile.change(in: directory.path) { file in
            try file.put(FormatRow(version: format).bytes, forKey: MetaKey.format.bytes, in: .meta)
            // Rows of another format are not looked at.
            try file.put([1, 2, 3], forKey: MetaKey.state.bytes, in: .meta)
        }
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try open(directory.path) }
            guard case .format(let found, let known) = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
            #expect(found == format)
            #expect(known == StoreState.format)
            #expect(error?.isLasting == true)
        }
        try StoreFile.change(in: directory.path) { file in
            try file.put(
                FormatRow(version: StoreState.format).bytes,
                forKey: MetaKey.format.bytes,
                in: .meta
            )
            try file.put(Self.emptyState.bytes, forKey: MetaKey.state.bytes, in: .meta)
        }
        try open(directory.path).stop()
    }

    @Test(
        "ST-5: A store from before the first release is refused by name, and left as it is",
        arguments: 0...5 as ClosedRange<UInt8>
    )
    func unreleased(format: UInt8) throws {
        try open(directory.path).stop()
        try StoreFile.change(in: directory.path) { file in
            try file.put([0, 0, 0, format], forKey: MetaKey.format.bytes, in: .meta)
            try file.put([1, 2, 3], forKey: MetaKey.state.bytes, in: .meta)
        }
        let path = directory.path + "/data.mdb"
        let bytes = try Data(contentsOf: URL(filePath: path))
        let refusals: [() throws -> Void] = [
            { _ = try open(directory.path) },
            { _ = try StoreCheck.check(directory: directory.path, onProblem: { _ in }) },
            { _ = try StoreRepair.repair(directory: directory.path, onProblem: { _ in }) },
        ]
        for refusal in refusals {
            let error = #expect(throws: StoreError.self) { try refusal() }
            guard case .format(nil, StoreState.format) = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
            #expect(error?.isDamage == false)
            #expect(error?.description.hasPrefix("the store was written before the first") == true)
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        }
    }

    @Test(
        "A row of the format that nobody wrote is damage",
        arguments: [[], [1], [0x62, 0, 0, 0, 1]]
    )
    func formatRow(bytes: [UInt8]) throws {
        #expect(throws: RowProblem.undecodable) { _ = try FormatRow(bytes) }
        let row = FormatRow(version: 7).bytes
        #expect(try FormatRow(row).version == 7)
        #expect(throws: RowProblem.undecodable) { _ = try FormatRow(row + [0]) }
    }

    @Test(
        "ST-4: A file that was emptied, and one that is gone, are refused by a start and a check",
        arguments: ["emptied", "lost", "lost with its lock file", "of another program"]
    )
    func loss(kind: String) async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        try await test.backup()
        test.close()
        let (manager, store) = (FileManager.default, directory.path + "/data.mdb")
        let other = try ScratchDirectory()
        switch kind {
        case "emptied": try Data().write(to: URL(filePath: store))
        case "of another program":
            do { _ = try Environment(directory: other.path).table("theirs") }
            try manager.removeItem(atPath: store)
            try manager.copyItem(atPath: other.path + "/data.mdb", toPath: store)
        default:
            try manager.removeItem(atPath: store)
            if kind != "lost" { try manager.removeItem(atPath: directory.path + "/lock.mdb") }
        }
        for _ in 0..<2 {
            let refused = #expect(throws: StoreError.self) { try open(directory.path) }
            #expect(refused?.isDamage == true)
            let checked = #expect(throws: StoreError.self) {
                try StoreCheck.check(directory: directory.path) { _ in }
            }
            #expect(checked?.description == refused?.description)
        }
    }

    @Test(
        "ST-4: What the program leaves in a directory shows that there was a store, also alone",
        arguments: DataDirectoryEntry.allCases
    )
    func trace(entry: DataDirectoryEntry) async throws {
        let test = try TestStore()
        try await test.authorize()
        let backup = try await test.backup()
        let (manager, path) = (FileManager.default, directory.path)
        let name = entry.rawValue + (entry.goesOn ? "20260101T000000Z" : "")
        if entry == .store {
            try manager.createSymbolicLink(
                atPath: path + "/" + name,
                withDestinationPath: "/nowhere/data.mdb"
            )
        } else {
            try Data("x".utf8).write(to: URL(filePath: path + "/" + name))
        }
        let before = try manager.contentsOfDirectory(atPath: path)
        guard !entry.comesBeforeStore else {
            if entry == .firstStart {
                try manager.removeItem(atPath: path + "/" + name)
                try manager.createDirectory(
                    atPath: path + "/" + name,
                    withIntermediateDirectories: false
                )
            }
            try open(path).stop()
            return
        }
        for _ in 0..<2 {
            let refused = #expect(throws: StoreError.self) { try open(path) }
            #expect(refused?.isLasting == true)
            #expect(refused?.description.contains("belfry restore") == true)
            let checked = #expect(throws: StoreError.self) {
                try StoreCheck.check(directory: path) { _ in }
            }
            #expect(checked?.description == refused?.description)
            let after = Set(try manager.contentsOfDirectory(atPath: path))
            #expect(after.subtracting(["lock"]) == Set(before))
        }
        guard ![.attachments, .backups, .log, .readers].contains(entry) else { return }
        // Nothing has to be replaced: there is no store.
        _ = try StoreRestore.restore(backup.path, to: path, replacing: false) { _ in }
        try open(path).stop()
    }

    @Test("ST-4: All that a store's life leaves in its directory is listed")
    func entries() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        _ = try await TestAttachments(test: test).put(SampleFiles.png())
        let backup = try await test.backup()
        let path = directory.path
        let names = { try FileManager.default.contentsOfDirectory(atPath: path) }
        try Data().write(to: URL(filePath: Store.crashNote(in: path)))
        var found = Set(try names())
        test.close()
        _ = try StoreRestore.restore(
            backup.path,
            to: path,
            replacing: true,
            onProblem: { _ in },
            onProgress: { _ in found.formUnion((try? names()) ?? []) }
        )
        try StoreFile.change(in: path) { file in
            try file.put([7], forKey: RequestNumber(rawValue: 1).bytes, in: .records)
        }
        _ = try StoreRepair.repair(directory: path) { _ in }
        found.formUnion(try names())
        let entries = found.map { DataDirectoryEntry(name: $0) }
        #expect(!entries.contains(nil), "\(found.sorted()): list what is new")
        // The first start's directory is gone when the store is there, and a trial is there where
        // a write failed.
        let expected = DataDirectoryEntry.allCases.filter { $0 != .firstStart && $0 != .roomTrial }
        #expect(Set(entries.compactMap(\.self)) == Set(expected), "\(found.sorted())")
    }

    @Test("A directory or a device in the place of the store's file is no store")
    func noFile() throws {
        let (manager, path) = (FileManager.default, directory.path + "/data.mdb")
        let makers: [() throws -> Void] = [
            { try manager.createDirectory(atPath: path, withIntermediateDirectories: false) },
            { try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/tty") },
            { try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null") },
        ]
        for make in makers {
            try make()
            let refusals: [() throws -> Void] = [
                { _ = try open(directory.path) },
                { _ = try StoreCheck.check(directory: directory.path) { _ in } },
                { _ = try StoreCheck.check(file: path) { _ in } },
                { _ = try StoreRepair.repair(directory: directory.path) { _ in } },
                {
                    _ = try StoreRestore.restore(path, to: directory.path, replacing: true) { _ in }
                },
            ]
            for refusal in refusals {
                let error = #expect(throws: StoreError.self) { try refusal() }
                guard case .notAStore(let named) = error, named == path else {
                    Issue.record("refused for another reason: \(String(describing: error))")
                    continue
                }
                #expect(error?.isLasting == true)
            }
            try manager.removeItem(atPath: path)
        }
    }

    @Test("A first start that was killed, wherever it was, is made again")
    func killedFirstStart() throws {
        let (manager, path) = (FileManager.default, directory.path)
        try open(path).stop()
        let whole = try Data(contentsOf: URL(filePath: path + "/data.mdb"))
        for kept in [0, 1, 4_096, 8_192, whole.count] {
            try manager.removeItem(atPath: path)
            try manager.createDirectory(atPath: path + "/new", withIntermediateDirectories: true)
            for name in ["/lock", "/new/lock.mdb"] {
                #expect(manager.createFile(atPath: path + name, contents: nil))
            }
            try whole.prefix(kept).write(to: URL(filePath: path + "/new/data.mdb"))
            try open(path).stop()
            #expect(!manager.fileExists(atPath: path + "/new"))
            try open(path).stop()
        }
    }

    @Test("ST-4: After a signal ended a server the next start checks all pages")
    func crashNote() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        for part in 0..<5 {
            try await test.addAll(
                (0..<200).map { number in
                    try .titled("\(part)/\(number)", in: .seconds(60)) { $0.body = "here" }
                }
            )
        }
        test.close()
        let note = Store.crashNote(in: directory.path)
        let file = URL(filePath: directory.path + "/data.mdb")
        #expect(FileManager.default.createFile(atPath: note, contents: nil))
        // A sound file is served.
        try open(directory.path).stop()
        #expect(!FileManager.default.fileExists(atPath: note))
        var bytes = try Data(contentsOf: file)
        // A page in the middle of the records, which no start looks at.
        let page = try #require(
            (2..<bytes.count / 4_096).last { page in
                let part = bytes[page * 4_096..<(page + 1) * 4_096]
                return part.range(of: Data("2/77".utf8)) != nil && part[part.startIndex + 10] == 2
            }
        )
        bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
        try bytes.write(to: file)
        #expect(FileManager.default.createFile(atPath: note, contents: nil))
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try open(directory.path) }
            #expect(error?.isDamage == true)
            #expect(error?.description.contains("page \(page) ") == true)
        }
    }

    @Test("ST-4: A bit of the name or of the record of a table is a damage, and no new table")
    func damagedTables() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        test.close()
        let file = URL(filePath: directory.path + "/data.mdb")
        let whole = try Data(contentsOf: file)
        // All states of the file that are left have the name, and the record behind it: its depth,
        // its pages, its entries and its root begin there.
        for (name, offset, mask) in [
            ("string_tables", 5, 0x20), ("centers", 0, 0x02), ("prompts", 7 + 6, 0x40),
            ("apps", 4 + 8, 0x01), ("apps", 4 + 16 + 6, 0x80), ("prompts", 7 + 40, 0x10),
            ("apps", 4 + 32 + 7, 0x40),
        ] as [(String, Int, UInt8)] {
            var bytes = whole
            var start = bytes.startIndex
            // A node's head ends with the size of its key.
            let key = Data([UInt8(name.utf8.count), 0] + Array(name.utf8))
            while let found = bytes.range(of: key, in: start..<bytes.endIndex) {
                bytes[found.lowerBound + 2 + offset] ^= mask
                start = found.upperBound
            }
            try bytes.write(to: file)
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self, "\(name) \(offset)") {
                    try open(directory.path).stop()
                }
                #expect(error?.isDamage == true, "\(name) \(offset): \(String(describing: error))")
            }
            var problemCount = 0
            do {
                _ = try StoreCheck.check(file: file.path, onProblem: { _ in problemCount += 1 })
            } catch {
                #expect(error.isDamage, "\(name) \(offset): \(error)")
                problemCount += 1
            }
            #expect(problemCount > 0, "\(name) \(offset)")
        }
        try whole.write(to: file)
        try open(directory.path).stop()
    }

    @Test("A file of a newer format is refused before anything is written")
    func newerFormat() throws {
        do {
            let environment = try Environment(directory: directory.path)
            let meta = try environment.table("meta")
            _ = try environment.table("of_a_later_version")
            try environment.write { transaction throws(LMDBError) in
                let row = FormatRow(version: StoreState.format + 1)
                try transaction.put(row.bytes, forKey: MetaKey.format.bytes, in: meta)
            }
        }
        let path = directory.path + "/data.mdb"
        let bytes = try Data(contentsOf: URL(filePath: path))
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try open(directory.path) }
            guard case .format(StoreState.format + 1, StoreState.format) = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        }
    }

    private static let emptyState = StoreState(
        now: Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: .newYear),
        bootNanoseconds: 0,
        bootIdentifier: "",
        localZone: "UTC"
    )

    @Test("A damaged state is refused, and the directory is free again", arguments: 0..<2)
    func damagedState(kind: Int) throws {
        try open(directory.path).stop()
        try StoreFile.change(in: directory.path) { file in
            if kind == 0 {
                try file.put([1, 2, 3], forKey: MetaKey.state.bytes, in: .meta)
            } else {
                try file.delete(MetaKey.state.bytes, in: .meta)
            }
        }
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try open(directory.path) }
            guard case .failed(let cause) = error else {
                Issue.record("refused for another reason: \(String(describing: error))")
                return
            }
            #expect(cause.row != nil)
        }
    }

    @Test("A file that is not a store is refused, and left as it is")
    func notAStore() throws {
        let bytes = Data(repeating: 0x41, count: 10_000)
        let path = directory.path + "/data.mdb"
        try bytes.write(to: URL(filePath: path))
        let error = #expect(throws: StoreError.self) { try open(directory.path) }
        guard case .failed(let cause) = error else {
            Issue.record("refused for another reason: \(String(describing: error))")
            return
        }
        guard case .lmdb(let reported) = cause else {
            Issue.record("\(cause)")
            return
        }
        #expect(reported.code == LMDBError.invalid)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test("A stopped store refuses commands and lists")
    func stopped() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        let store = test.store
        store.stop()
        await #expect(throws: Refusal.stopping) { try await test.add(.titled("a")) }
        await #expect(throws: Refusal.stopping) { try await test.advance(by: .seconds(1)) }
        await #expect(throws: Refusal.stopping) { try await test.pendingPage() }
        await #expect(throws: Refusal.stopping) { try await test.deliveredPage() }
    }

    @Test("A stop finishes what was accepted; what takes many steps is StopTests'")
    func stopFinishes() async throws {
        let test = try TestStore(in: directory)
        try await test.authorize()
        let added = (0..<3).map { _ in Pending<AddReply>() }
        let closed = Pending<Bool>()
        try await test.whileWriterRests {
            for (index, pending) in added.enumerated() {
                let request = try NotificationRequest.titled("\(index)", in: .seconds(60))
                test.store.add(request, to: test.center, completion: pending.complete)
            }
            Thread.detachNewThread {
                test.close()
                closed.complete(.success(true))
            }
        }
        for pending in added { _ = try await pending.value.get() }
        _ = await closed.value
        try test.reopen()
        #expect(try test.state().pendingCount == 3)
    }
}
