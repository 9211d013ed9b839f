internal import BelfryLocking
package import NotificationCore
internal import NotificationRecords

/// A finished backup: a copy of a store, on disk.
package struct Backup: Hashable, Sendable {
    package struct Attachments: Hashable, Sendable {
        /// The directory of the files, from the root: the backup's path with `.attachments` in
        /// place of `.mdb`.
        package var path: String
        package var count: Int
        /// The size of all files together, in bytes.
        package var byteCount: Int
    }

    /// The file's name in the directory `backups` of the data directory.
    package var name: String
    /// Where the file is, from the root.
    package var path: String
    /// The size of the file in bytes.
    package var byteCount: Int
    /// The SHA-256 of the file in hexadecimal, as `sha256sum` prints it.
    package var checksum: String
    /// The attachments of the backup; nil where it has none.
    package var attachments: Attachments?
    /// The wall clock at the newest change in the backup.
    package var asOf: WallInstant
}

package struct BackupProgress: Hashable, Sendable {
    package var copiedBytes: Int
    /// About how many bytes the copy will have.
    package var totalBytes: Int
}

/// A backup that is under way.
package final class BackupRun: Sendable {
    private let end = Guarded<Refusal?>(nil)

    /// Cancels the backup and removes the written bytes; does nothing after its end.
    ///
    /// From any thread. The backup's completion is told `BACKUP_CANCELLED`.
    package func cancel() { cancel(.backupCancelled) }

    func cancel(_ refusal: Refusal) {
        end.withLock { end in end = end ?? refusal }
    }

    /// Throws the reason why the backup is not to go on, if there is one.
    func requireWanted() throws(Refusal) {
        if let refusal = end.withLock({ $0 }) { throw refusal }
    }
}

/// Makes the backups of a store, one at a time, on a thread of their own: a copy takes as long as
/// the disk needs for the whole store, and must not delay lists and subscribers.
final class Backups: Sendable {
    private struct State {
        var running: BackupRun?
        var isStopped = false
    }

    private let context: StoreContext
    private let directory: String
    private let thread = ReaderPool(threadCount: 1)
    private let state = Guarded(State())

    /// Removes the parts of an unfinished backup, which a crash may have left.
    init(_ context: StoreContext) {
        self.context = context
        directory = DataDirectoryEntry.backups.path(in: context.directory)
        // Leave it to the next backup, which tries the removal again and reports a failure.
        try? BackupCopy.removePart(in: directory)
    }

    func start(
        _ progress: @escaping @Sendable (BackupProgress) -> Void,
        _ completion: @escaping Completion<Backup>
    ) throws(Refusal) -> BackupRun {
        let run = BackupRun()
        let refusal = state.withLock { state -> Refusal? in
            if state.isStopped { return .stopping }
            if state.running != nil { return .backupRunning }
            state.running = run
            return nil
        }
        if let refusal { throw refusal }
        let copy = BackupCopy(
            context: context,
            directory: directory,
            run: run,
            progress: progress
        )
        let isTaken = thread.submit { [self] in
            let result = Result { () throws(Refusal) in
                try copy.make(at: context.clock.now().wall)
            }
            // End the run before the completion is called, so that the caller can begin the next
            // backup.
            state.withLock { $0.running = nil }
            completion(result)
        }
        if !isTaken { throw .stopping }
        return run
    }

    /// Cancels the backup that is under way, and accepts no more.
    func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running
        }
        running?.cancel(.stopping)
        thread.stop()
    }
}

extension Store {
    /// Copies the store to a new file in the directory `backups` of the data directory, while the
    /// store serves.
    ///
    /// The copy is one state of the store: it has every change whose completion was called before,
    /// and no part of a later batch. It is compact. The files of the attachments are beside the
    /// copy, in a directory of their own; they never change, so most file systems store them once.
    /// The file gets its name only when the whole backup is on disk; then the oldest backups beyond
    /// ``StoreLimits/keptBackups`` are removed. During the backup the store's own file cannot use
    /// freed pages again, so it grows by what is written.
    ///
    /// - Parameters:
    ///   - progress: Told the progress every 4 MiB and at least once, on the backup's thread, which
    ///     waits for the call.
    ///   - completion: Told the backup, or why there is none: `STORE_FULL` where the disk has no
    ///     room, `BACKUP_FAILED` for another failure of the disk. The written bytes are then
    ///     removed.
    /// - Returns: The run, which can be cancelled.
    /// - Throws: `BACKUP_RUNNING` during another backup, or `STOPPING`.
    package func backup(
        progress: @escaping @Sendable (BackupProgress) -> Void = { _ in },
        completion: @escaping Completion<Backup>
    ) throws(Refusal) -> BackupRun {
        try backups.start(progress, completion)
    }
}

extension Refusal {
    /// Another backup is under way: nothing happened, and a retry helps when that backup has ended.
    static let backupRunning = Refusal(
        .resourceExhausted,
        reason: .backupRunning,
        message: "a backup is under way, and there is one at a time: retry when it has ended",
        retryAfterNanoseconds: 1_000_000_000
    )

    static let backupCancelled = Refusal(
        .failedPrecondition,
        reason: .backupCancelled,
        message: "the backup was cancelled, and what was written is removed"
    )

    /// The backup would take the room that the store needs.
    static func backupHasNoRoom(_ byteCount: Int, free: Int, kept: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .storeFull,
            message: """
                the backup takes about \(byteCount) bytes, and of the disk's \(free) free ones \
                \(kept) are for the store: free some disk, or move older backups elsewhere
                """
        )
    }

    /// The disk does not accept the backup; the store itself is unchanged.
    static func backupFailed(_ error: StoreFailure) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: .backupFailed,
            message: "the backup could not be made, and what was written is removed: \(error)"
        )
    }
}
