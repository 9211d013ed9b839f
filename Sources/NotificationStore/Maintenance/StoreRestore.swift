internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// Replaces a data directory's store by a backup; no server may hold the directory.
///
/// At every instant the directory holds the whole old store or the whole new store, with its
/// attachments. A crash leaves at most a file beside the store, which the next restore removes, and
/// attachments that no row names, which the next start removes.
package struct StoreRestore {
    /// The restored store.
    package struct Report: Hashable, Sendable {
        /// The size of the store's file in bytes.
        package var byteCount: Int
        /// The wall clock at the newest change in the restored store.
        package var asOf: WallInstant
        /// The path of the store that was replaced, with its attachments beside it; nil where there
        /// was none.
        package var replacedPath: String?
    }

    /// Checks a backup and restores it.
    ///
    /// - Parameters:
    ///   - path: The backup, which stays as it is.
    ///   - directory: The data directory, made where it is missing and locked during the restore.
    ///   - replacing: Whether an existing store is replaced; it is kept beside the new store, under
    ///     a name with the time.
    ///   - onProblem: Told each problem of the backup, on the calling thread.
    ///   - onProgress: Told the progress of the check, on the calling thread.
    /// - Returns: The restored store.
    /// - Throws: As ``StoreCheck``; ``StoreError/exists(directory:)``, and
    ///   ``StoreError/damaged(path:problemCount:)`` after the problems were told. An existing store
    ///   is then unchanged.
    package static func restore(
        _ path: String,
        to directory: String,
        replacing: Bool,
        onProblem: @escaping (StoreProblem) -> Void,
        onProgress: @escaping (StoreCheck.Progress) -> Void = { _ in }
    ) throws(StoreError) -> Report {
        guard try StoreCreation.isThere(path) else { throw .missing(path: path) }
        let lock = try DataDirectoryLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        let store = DataDirectoryEntry.store.path(in: directory)
        let part = DataDirectoryEntry.unfinishedRestore.path(in: directory)
        let isThere = try StoreCreation.isThere(store)
        guard replacing || !isThere else { throw .exists(directory: directory) }
        if isThere { try StoreCreation.requireFile(store) }
        var isDone = false
        defer { if !isDone { try? Files.remove(part) } }
        // Make it now: while the backup is checked, too, the directory shows that a store is to
        // come, and a start makes no other one in it.
        do throws(LMDBError) {
            _ = try FileDescriptor(making: part)
        } catch {
            throw .failed(.lmdb(error))
        }
        let check = try StoreCheck.check(file: path, onProblem: onProblem, onProgress: onProgress)
        guard check.problemCount == 0 else {
            throw .damaged(path: path, problemCount: check.problemCount)
        }
        let byteCount = try copy(path, to: part)
        do throws(LMDBError) {
            let kept = isThere ? try keep(store, of: directory) : nil
            // Share the files beside the existing ones, which the next start removes: two files
            // never have the same name.
            try shareFiles(
                of: AttachmentFiles.directory(beside: path),
                with: AttachmentFiles.directory(ofData: directory)
            )
            try Files.rename(part, to: store)
            isDone = true
            try Files.sync(directory)
            // Skip a directory above that cannot be read: another user made it.
            try? Files.sync(directory + "/..")
            return Report(byteCount: byteCount, asOf: check.asOf, replacedPath: kept)
        } catch {
            throw .failed(.lmdb(error))
        }
    }

    /// Copies the file of a backup, and gives how many bytes the copy has; it needs no log, also
    /// where the backup has one beside it, as a copy of a data directory has.
    private static func copy(_ path: String, to part: String) throws(StoreError) -> Int {
        do throws(StoreFailure) {
            let byteCount = try StoreFailure.ofLMDB(try Files.copy(path, to: part))
            guard let log = LogDirectory.existing(beside: path) else { return byteCount }
            try detach(log, from: part)
            return try StoreFailure.ofLMDB(try Files.byteCount(of: part))
        } catch {
            throw .failed(error)
        }
    }

    private static func detach(
        _ log: any Disk,
        from path: String
    ) throws(StoreFailure) {
        let environment = try StoreFailure.ofLMDB(try Environment(changingFile: path))
        try Tables(environment, log: log, for: .reading).detachLog(environment)
    }

    /// Gives the old store a second name, under which it is kept, and its attachments a second
    /// directory beside it.
    private static func keep(_ store: String, of directory: String) throws(LMDBError) -> String {
        let now = WallInstant(nanoseconds: SystemTime.now().wallNanoseconds)
        let name = Files.unused(
            DataDirectoryEntry.replaced.path(in: directory) + now.fileName,
            suffixes: ["", ".attachments", ".log"]
        )
        try shareFiles(
            of: AttachmentFiles.directory(ofData: directory),
            with: AttachmentFiles.directory(beside: name)
        )
        if !isWithoutLog(store, of: directory) {
            try shareFiles(
                of: LogDirectory.path(beside: store),
                with: LogDirectory.path(beside: name)
            ) { _ in true }
        }
        try Files.link(store, to: name)
        return Files.absolute(name)
    }

    /// Takes what is in the log into the old store's file, so that the file can be put back alone;
    /// false where that does not go, since the store is damaged or of another format.
    private static func isWithoutLog(_ store: String, of directory: String) -> Bool {
        guard let log = LogDirectory.existing(beside: store) else { return true }
        do {
            let environment = try Environment(directory: directory)
            try StoreState.requireKnownFormat(in: environment)
            try Tables(environment, log: log, for: .reading).detachLog(environment)
            return true
        } catch {
            return false
        }
    }

    /// Gives the files of a directory second names in another directory, which is made where it is
    /// missing, and syncs the names to disk.
    private static func shareFiles(
        of directory: String,
        with other: String,
        where isShared: (String) -> Bool = { AttachmentFile($0) != nil }
    ) throws(LMDBError) {
        let names = try Files.names(in: directory).filter(isShared)
        guard !names.isEmpty else { return }
        try Files.makeDirectory(other)
        for name in names { try Files.share(directory + "/" + name, as: other + "/" + name) }
        try Files.sync(other)
    }
}
