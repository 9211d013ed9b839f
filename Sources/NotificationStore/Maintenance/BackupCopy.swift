internal import BelfryLMDB
internal import BelfryLocking
internal import Crypto
internal import NotificationCore

/// The making of one backup: LMDB's copy through a pipe into a file, which gets its name last.
///
/// The pipe is there so that the copy can be followed, summed up and ended: LMDB writes all of it
/// in one call, on a thread of its own, and stops when nobody reads any more.
struct BackupCopy: Sendable {
    let environment: Environment
    /// The directory of the backups.
    let directory: String
    /// The files of the store's attachments.
    let files: AttachmentFiles
    /// How many backups stay, this one among them.
    let keptCount: Int
    /// Bytes that it leaves free on the disk.
    let reservedDiskBytes: Int
    let run: BackupRun
    let progress: @Sendable (BackupProgress) -> Void

    private static let chunkByteCount = 256 << 10
    /// Bytes after which the file is synced: the store's own syncs, and a stop, wait for no more.
    private static let syncByteCount = 4 << 20

    /// The path of a backup that is not whole.
    ///
    /// There is one at a time, so it is always the same.
    static func part(in directory: String) -> String { directory + "/unfinished" }

    /// Makes the backup, named by the wall clock; what failed leaves nothing behind.
    func make(at now: WallInstant) throws(Refusal) -> Backup {
        do {
            return try makeFile(at: now)
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as LMDBError {
            throw error.isOutOfSpace ? .storeFull : .backupFailed(error)
        } catch {
            preconditionFailure("an unknown error came from a backup: \(error)")
        }
    }

    private func makeFile(at now: WallInstant) throws -> Backup {
        try Files.makeDirectory(directory)
        let part = Self.part(in: directory)
        // Those of an earlier one that could not be removed.
        try Self.removePart(in: directory)
        // From before the copy is begun until it has names of its own for the files that it names.
        files.hold()
        defer { files.endHold() }
        let total = try requireRoom()
        progress(BackupProgress(copiedBytes: 0, totalBytes: total))
        do {
            let (byteCount, checksum) = try copy(to: part, about: total)
            let copied = try contents(of: part)
            let attachments = try share(copied.files)
            try run.requireWanted()
            let path = try name(at: now, with: attachments != nil)
            // What cannot be removed now is removed after the next one.
            try? OldBackups.remove(in: directory, keeping: keptCount)
            return Backup(
                name: String(path.dropFirst(directory.count + 1)),
                path: Files.absolute(path),
                byteCount: byteCount,
                checksum: checksum,
                attachments: attachments.map { attachments in
                    let path = Files.absolute(AttachmentFiles.directory(beside: path))
                    return .init(path: path, count: attachments.0, byteCount: attachments.1)
                },
                asOf: copied.asOf
            )
        } catch {
            // The next backup, or the next start, removes what cannot be removed now.
            try? Self.removePart(in: directory)
            throw error
        }
    }

    /// Gives the parts their names, that of the store's file last, and the path of that.
    private func name(at now: WallInstant, with attachments: Bool) throws -> String {
        let base = Files.unused(directory + "/" + now.fileName, suffixes: [".mdb", ".attachments"])
        let path = base + ".mdb"
        let sharedPath = AttachmentFiles.directory(beside: path)
        if attachments { try Files.rename(Self.sharedPart(in: directory), to: sharedPath) }
        do {
            try Files.rename(Self.part(in: directory), to: path)
            try Files.sync(directory)
        } catch {
            try? Files.remove(path)
            try? Files.removeDirectory(sharedPath)
            throw error
        }
        return path
    }

    /// Takes away what a backup left that did not come to its end.
    ///
    /// As long as its store's file is not named, a directory beside it without one is its own.
    static func removePart(in directory: String) throws(LMDBError) {
        try Files.removeDirectory(sharedPart(in: directory))
        guard Files.exists(part(in: directory)) else { return }
        for name in try Files.names(in: directory) {
            guard let base = Files.name(name, without: ".attachments") else { continue }
            if !Files.exists("\(directory)/\(base).mdb") {
                try Files.removeDirectory(directory + "/" + name)
            }
        }
        try Files.remove(part(in: directory))
    }

    /// The directory of a backup's attachments while it is not whole.
    private static func sharedPart(in directory: String) -> String {
        AttachmentFiles.directory(beside: part(in: directory))
    }

    /// Gives the files of attachments a second name in the backup; how many they are, and their
    /// bytes; nil where there are none.
    private func share(_ copied: [AttachmentRecord]) throws -> (Int, Int)? {
        guard !copied.isEmpty else { return nil }
        let directory = Self.sharedPart(in: directory)
        try Files.makeDirectory(directory)
        for record in copied {
            try run.requireWanted()
            try Files.share(files.path(record.file), as: directory + "/" + record.file.name)
        }
        try Files.sync(directory)
        return (copied.count, copied.reduce(0) { $0 + $1.byteCount })
    }

    /// Refuses a backup that the disk has no room for, before it takes the room of the store.
    private func requireRoom() throws -> Int {
        let statistics = environment.statistics
        let free = try environment.read { transaction throws(LMDBError) in
            try transaction.freePageCount()
        }
        let total = statistics.usedByteCount - free * statistics.pageByteCount
        if let disk = DiskSpace(ofFile: directory), disk.freeBytes - total < reservedDiskBytes {
            throw Refusal.backupHasNoRoom(total, free: disk.freeBytes, kept: reservedDiskBytes)
        }
        return total
    }

    /// Writes the copy and syncs it, and gives its size and its checksum.
    private func copy(to path: String, about total: Int) throws -> (Int, String) {
        let (outlet, inlet) = try FileDescriptor.pipe()
        let failure = Guarded<LMDBError?>(nil)
        let copier = SystemThread { [environment] in
            do throws(LMDBError) {
                try environment.copy(toDescriptor: inlet.number, compacting: true)
            } catch {
                failure.withLock { $0 = error }
            }
            inlet.close()
        }
        let written = Result { try pump(from: outlet, to: path, about: total) }
        outlet.close()
        copier.join()
        let result = try written.get()
        // LMDB's failure looks like an end to who reads.
        if let error = failure.withLock({ $0 }) { throw error }
        return result
    }

    private func pump(
        from outlet: FileDescriptor,
        to path: String,
        about total: Int
    ) throws -> (Int, String) {
        let file = try FileDescriptor(making: path)
        var checksum = SHA256()
        var buffer = [UInt8](repeating: 0, count: Self.chunkByteCount)
        var byteCount = 0
        var syncedCount = 0
        while true {
            try run.requireWanted()
            let count = try outlet.read(into: &buffer)
            if count == 0 { break }
            try file.write(buffer[..<count])
            checksum.update(data: buffer[..<count])
            byteCount += count
            if byteCount - syncedCount >= Self.syncByteCount {
                try file.sync()
                syncedCount = byteCount
                progress(BackupProgress(copiedBytes: byteCount, totalBytes: total))
            }
        }
        try file.sync()
        return (byteCount, checksum.finalize().hexadecimal)
    }

    /// Opens the copy, which shows that it can be, and gives the instant of its newest change and
    /// the attachments that it names.
    private func contents(
        of path: String
    ) throws -> (asOf: WallInstant, files: [AttachmentRecord]) {
        let copy = try Environment(readingFile: path)
        let tables = try Tables(copy)
        let asOf = try copy.read { transaction throws(LMDBError) in
            try transaction.state(tables).now.wall
        }
        var files: [AttachmentRecord] = []
        let reader = StoreReader(
            environment: copy,
            tables: tables,
            limits: StoreLimits(),
            profile: .server,
            damage: DamageReport(tables)
        )
        try reader.forEachAttachment { _, record in files.append(record) }
        return (asOf, files)
    }
}
