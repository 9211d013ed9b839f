internal import BelfryHashing
internal import BelfryLMDB
internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The making of one backup: LMDB copies through a pipe into a file, which gets its name last.
///
/// Through the pipe the copy can be counted, hashed and cancelled: LMDB writes the whole copy in
/// one call, on a thread of its own, and stops when the pipe is closed.
struct BackupCopy: Sendable {
    let context: StoreContext
    let directory: String
    let run: BackupRun
    let progress: @Sendable (BackupProgress) -> Void

    private var environment: Environment { context.environment }
    private var keeper: ChangeKeeper { context.tables.keeper }
    private var files: AttachmentFiles { context.files }

    private static let chunkByteCount = 256 << 10
    /// How many bytes are written between two syncs: the store's own syncs, and a stop, wait for at
    /// most one part.
    private static let syncByteCount = 4 << 20

    /// The path of an unfinished backup.
    ///
    /// There is one backup at a time, so the path is always the same.
    static func part(in directory: String) -> String { directory + "/unfinished" }

    /// Makes the backup, named by the wall clock; a failed backup leaves nothing behind.
    func make(at now: WallInstant) throws(Refusal) -> Backup {
        do {
            return try makeFile(at: now)
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as StoreFailure {
            throw error.isOutOfSpace ? .storeFull : .backupFailed(error)
        } catch let error as LMDBError {
            throw error.isOutOfSpace ? .storeFull : .backupFailed(.lmdb(error))
        } catch {
            preconditionFailure("an unknown error came from a backup: \(error)")
        }
    }

    private func makeFile(at now: WallInstant) throws -> Backup {
        try Files.makeDirectory(directory)
        let part = Self.part(in: directory)
        // Remove the parts of an earlier backup whose removal failed.
        try Self.removePart(in: directory)
        // Hold the files from before the copy until the backup has names of its own for them.
        files.hold()
        defer { files.endHold() }
        let total = try requireRoom()
        progress(BackupProgress(copiedBytes: 0, totalBytes: total))
        do {
            let unmerged = try copy(to: part, about: total)
            try complete(part, unmerged)
            let (byteCount, checksum) = try sum(of: part)
            let copied = try contents(of: part)
            let attachments = try share(copied.files)
            try run.requireWanted()
            let path = try name(at: now, with: attachments != nil)
            // Leave a backup that cannot be removed to the next backup.
            if !Fault.backupsWithoutNumber.isPlanted {
                try? OldBackups.remove(in: directory, keeping: context.limits.keptBackups)
            }
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
            // Leave a part that cannot be removed to the next backup or the next start.
            try? Self.removePart(in: directory)
            throw error
        }
    }

    /// Gives the parts their names, the store's file last, and returns that file's path.
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

    /// Removes the parts of an unfinished backup.
    ///
    /// Until the store's file of a backup has its name, a directory of attachments without such a
    /// file is part of the unfinished backup.
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

    /// The directory of an unfinished backup's attachments.
    private static func sharedPart(in directory: String) -> String {
        AttachmentFiles.directory(beside: part(in: directory))
    }

    /// Gives the attachments' files second names in the backup; returns their number and their
    /// bytes, or nil where there are none.
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

    /// Refuses a backup for which the disk has no room, before it takes the room that the store
    /// needs.
    private func requireRoom() throws -> Int {
        let statistics = environment.statistics
        let free = try environment.reading { transaction throws(StoreFailure) in
            try StoreFailure.ofLMDB(try transaction.freePageCount())
        }
        let total =
            statistics.usedByteCount - free * statistics.pageByteCount
            + keeper.expectedTreeBytes
        // The store takes what is in its log, and needs its reserve then.
        let kept = context.space.reservedDiskBytes + keeper.expectedDiskBytes
        if let disk = DiskSpace(ofFile: directory), disk.freeBytes - total < kept {
            throw Refusal.backupHasNoRoom(total, free: disk.freeBytes, kept: kept)
        }
        return total
    }

    /// Writes the copy and syncs it; returns the changes that it lacks.
    private func copy(to path: String, about total: Int) throws -> UnmergedChanges {
        let (outlet, inlet) = try FileDescriptor.pipe()
        let failure = Guarded<LMDBError?>(nil)
        // Merge nothing until the first bytes show which state is copied.
        let (copier, first, unmerged) = try keeper.withoutMerges { unmerged in
            let copier = SystemThread(named: "backup") { [environment] in
                do throws(LMDBError) {
                    try environment.copy(toDescriptor: inlet.number, compacting: true)
                } catch {
                    failure.withLock { $0 = error }
                }
                inlet.close()
            }
            return (copier, Result { try read(from: outlet) }, unmerged)
        }
        let written = Result { try pump(try first.get(), from: outlet, to: path, about: total) }
        outlet.close()
        copier.join()
        try written.get()
        // Ask for the failure: to the reader of the pipe, a failure of LMDB looks like the end of
        // the copy.
        if let error = failure.withLock({ $0 }) { throw error }
        return unmerged
    }

    private func read(from outlet: FileDescriptor) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Self.chunkByteCount)
        let count = try outlet.read(into: &buffer)
        return Array(buffer[..<count])
    }

    private func pump(
        _ first: [UInt8],
        from outlet: FileDescriptor,
        to path: String,
        about total: Int
    ) throws {
        let file = try FileDescriptor(making: path)
        var bytes = first
        var byteCount = 0
        var syncedCount = 0
        while !bytes.isEmpty {
            try run.requireWanted()
            try file.write(bytes[...])
            byteCount += bytes.count
            if byteCount - syncedCount >= Self.syncByteCount {
                try file.sync()
                syncedCount = byteCount
                progress(BackupProgress(copiedBytes: byteCount, totalBytes: total))
            }
            bytes = try read(from: outlet)
        }
        try file.sync()
    }

    /// Writes the changes into the copy that were not in the trees yet.
    private func complete(_ path: String, _ unmerged: UnmergedChanges) throws {
        try run.requireWanted()
        do {
            try unmerged.complete(try Environment(changingFile: path))
        } catch let error as StoreFailure where error.isInputOutputError {
            if Fault.cutBackupNotAsked.isPlanted { throw error }
            // LMDB reports a write that was cut short as EIO: a write of one's own says why it was.
            let file = try FileDescriptor(appendingTo: path)
            try file.write([UInt8](repeating: 0, count: Self.chunkByteCount)[...])
            throw error
        }
    }

    /// The size and the checksum of the copy.
    private func sum(of path: String) throws -> (Int, String) {
        let file = try FileDescriptor(reading: path)
        let checksum = SHA256()
        var buffer = [UInt8](repeating: 0, count: Self.chunkByteCount)
        var byteCount = 0
        while true {
            try run.requireWanted()
            let count = try file.read(into: &buffer)
            if count == 0 { return (byteCount, checksum.finish().hexadecimal) }
            checksum.update(buffer.span.extracting(first: count))
            byteCount += count
        }
    }

    /// Opens the copy, as a test that it can be opened; returns the instant of its newest change
    /// and the attachments that it names.
    private func contents(
        of path: String
    ) throws -> (asOf: WallInstant, files: [AttachmentRecord]) {
        let copy = try Environment(readingFile: path)
        let tables = try Tables(copy, log: nil)
        let asOf = try copy.reading { transaction throws(StoreFailure) in
            try transaction.state(tables).now.wall
        }
        var files: [AttachmentRecord] = []
        let reader = StoreReader(
            environment: copy,
            tables: tables,
            limits: StoreLimits(),
            profile: .server,
            damage: DamageReport(),
            board: PresentationBoard()
        )
        try reader.forEachAttachment { _, record in files.append(record) }
        return (asOf, files)
    }
}
