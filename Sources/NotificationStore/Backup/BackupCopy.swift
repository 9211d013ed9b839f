internal import Crypto
internal import LMDB
internal import Locking
internal import NotificationCore

/// The making of one backup: LMDB's copy through a pipe into a file, which gets its name last.
///
/// The pipe is there so that the copy can be followed, summed up and ended: LMDB writes all of it
/// in one call, on a thread of its own, and stops when nobody reads any more.
struct BackupCopy: Sendable {
    let environment: Environment
    /// The directory of the backups.
    let directory: String
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
        let total = try requireRoom()
        progress(BackupProgress(copiedBytes: 0, totalBytes: total))
        do {
            let (byteCount, checksum) = try copy(to: part, about: total)
            let asOf = try instant(of: part)
            try run.requireWanted()
            let path = Files.unused(directory + "/" + now.fileName, suffix: ".mdb")
            try Files.rename(part, to: path)
            do {
                try Files.sync(directory)
            } catch {
                try? Files.remove(path)
                throw error
            }
            return Backup(
                name: String(path.dropFirst(directory.count + 1)),
                path: Files.absolute(path),
                byteCount: byteCount,
                checksum: checksum,
                asOf: asOf
            )
        } catch {
            // The next backup, or the next start, removes what cannot be removed now.
            try? Files.remove(part)
            throw error
        }
    }

    /// Refuses a backup that the disk has no room for, before it takes the room of the store.
    private func requireRoom() throws -> Int {
        let statistics = environment.statistics
        let free = try environment.read { transaction throws(LMDBError) in
            try transaction.freePageCount()
        }
        let total = statistics.usedByteCount - free * statistics.pageByteCount
        if let disk = DiskSpace(ofFile: directory), disk.freeBytes < total {
            throw Refusal.storeFull
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

    /// Opens the copy, which shows that it can be, and gives the instant of its newest change.
    private func instant(of path: String) throws -> WallInstant {
        let copy = try Environment(readingFile: path)
        let tables = try Tables(copy)
        return try copy.read { transaction throws(LMDBError) in
            try transaction.state(tables).now.wall
        }
    }
}
