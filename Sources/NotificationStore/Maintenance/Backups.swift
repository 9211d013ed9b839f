internal import BelfryLMDB
internal import BelfryLocking
public import NotificationCore

/// A copy of a store that is whole and on disk.
public struct Backup: Hashable, Sendable {
    /// The files of a backup's attachments.
    public struct Attachments: Hashable, Sendable {
        /// Their directory, from the root: that of the backup, with `.attachments` for `.mdb`.
        public var path: String
        /// How many they are.
        public var count: Int
        /// Their sizes together, in bytes.
        public var byteCount: Int
    }

    /// The file's name in the directory `backups` of the data directory.
    public var name: String
    /// Where the file is, from the root.
    public var path: String
    /// The size of the file in bytes.
    public var byteCount: Int
    /// The SHA-256 of the file in hexadecimal, as `sha256sum` prints it.
    public var checksum: String
    /// The attachments that belong to it; nil where it has none.
    public var attachments: Attachments?
    /// The wall clock at the newest change that is in it.
    public var asOf: WallInstant
}

/// How far a backup is.
public struct BackupProgress: Hashable, Sendable {
    /// The bytes that were copied.
    public var copiedBytes: Int
    /// About how many there will be.
    public var totalBytes: Int
}

/// A backup that is under way.
public final class BackupRun: Sendable {
    private let end = Guarded<Refusal?>(nil)

    /// Ends it and has what was written removed; nothing happens where it has ended.
    ///
    /// From any thread. Its completion is told `BACKUP_CANCELLED`.
    public func cancel() { cancel(.backupCancelled) }

    func cancel(_ refusal: Refusal) {
        end.withLock { end in end = end ?? refusal }
    }

    /// Throws why it is not to go on.
    func requireWanted() throws(Refusal) {
        if let refusal = end.withLock({ $0 }) { throw refusal }
    }
}

/// Makes the backups of a store, one at a time, on a thread of their own: a copy takes as long as
/// the disk needs for the whole store, and lists and subscribers are not to wait for it.
final class Backups: Sendable {
    private struct State {
        var running: BackupRun?
        var isStopped = false
    }

    private let environment: Environment
    private let directory: String
    private let clock: Clock
    private let files: AttachmentFiles
    private let keptCount: Int
    private let reservedDiskBytes: Int
    private let thread = ReaderPool(threadCount: 1)
    private let state = Guarded(State())

    /// Takes away what a crash may have left of a backup.
    init(
        environment: Environment,
        dataDirectory: String,
        clock: Clock,
        files: AttachmentFiles,
        keptCount: Int,
        reservedDiskBytes: Int
    ) {
        self.environment = environment
        self.clock = clock
        self.files = files
        self.keptCount = keptCount
        self.reservedDiskBytes = reservedDiskBytes
        directory = dataDirectory + "/backups"
        // The next backup tries it again, and says why it cannot be.
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
            environment: environment,
            directory: directory,
            files: files,
            keptCount: keptCount,
            reservedDiskBytes: reservedDiskBytes,
            run: run,
            progress: progress
        )
        let isTaken = thread.submit { [self] in
            let result = Result { () throws(Refusal) in try copy.make(at: clock.now().wall) }
            // Before it is told, so that who is told can begin the next one.
            state.withLock { $0.running = nil }
            completion(result)
        }
        if !isTaken { throw .stopping }
        return run
    }

    /// Gives up the one that is under way, and takes no more.
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
    /// Copies the store to a new file in the directory `backups` of the data directory, while it
    /// serves.
    ///
    /// The copy is one state of the store: all that was told before this was called, and nothing
    /// that a batch did in part. It is compact. The files of its attachments are beside it, in a
    /// directory of their own; they never change, so most file systems store them once. The file
    /// has its name only when all of it is whole and on disk; then the oldest backups go that are
    /// more than ``StoreLimits/keptBackups``. While it is made the store's own file
    /// cannot use again what becomes free, so it grows by what is written meanwhile.
    ///
    /// - Parameters:
    ///   - progress: Told every 4 MiB how far it is, at the least once; on the backup's
    ///     thread, which waits for it.
    ///   - completion: Told the backup, or why there is none: `STORE_FULL` where the disk has no
    ///     room, `BACKUP_FAILED` for what else the disk says. What was written is then removed.
    /// - Returns: The run, to be cancelled where nobody wants it any more.
    /// - Throws: `BACKUP_RUNNING` while there is another one, or `STOPPING`.
    public func backup(
        progress: @escaping @Sendable (BackupProgress) -> Void = { _ in },
        completion: @escaping Completion<Backup>
    ) throws(Refusal) -> BackupRun {
        try backups.start(progress, completion)
    }
}

extension Refusal {
    /// There is a backup under way: nothing happened, and a retry helps when it has ended.
    static let backupRunning = Refusal(
        .resourceExhausted,
        reason: "BACKUP_RUNNING",
        message: "a backup is under way, and there is one at a time: retry when it has ended",
        retryAfterNanoseconds: 1_000_000_000
    )

    /// Nobody wanted the backup any more.
    static let backupCancelled = Refusal(
        .failedPrecondition,
        reason: "BACKUP_CANCELLED",
        message: "the backup was cancelled, and what was written is removed"
    )

    /// The backup would take the room that the store needs to go on.
    static func backupHasNoRoom(_ byteCount: Int, free: Int, kept: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: "STORE_FULL",
            message: """
                the backup takes about \(byteCount) bytes, and of the disk's \(free) free ones \
                \(kept) are for the store: free some disk, or move older backups elsewhere
                """
        )
    }

    /// The disk does not take the backup; the store itself is as it was.
    static func backupFailed(_ error: LMDBError) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: "BACKUP_FAILED",
            message: "the backup could not be made, and what was written is removed: \(error)"
        )
    }
}
