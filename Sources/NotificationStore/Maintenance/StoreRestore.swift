internal import BelfryLMDB
public import NotificationCore

/// Puts a backup in the place of a data directory's store, which no server may hold meanwhile.
///
/// At every instant the directory holds the old store or the whole new one, with its attachments: a
/// crash leaves a file beside it at the most, which the next restore takes away, and attachments
/// that no row names, which the next start does.
public struct StoreRestore {
    /// What was restored.
    public struct Report: Hashable, Sendable {
        /// The size of the store's file in bytes.
        public var byteCount: Int
        /// The wall clock at the newest change that is in it.
        public var asOf: WallInstant
        /// Where the store is that was there before, its attachments beside it; nil where there was
        /// none.
        public var replacedPath: String?
    }

    /// Checks a backup and restores it.
    ///
    /// - Parameters:
    ///   - path: The backup, which stays as it is.
    ///   - directory: The data directory, made where it is missing and locked meanwhile.
    ///   - replacing: Whether a store that is there gives way; it is kept beside the new one, under
    ///     a name with the time.
    ///   - onProblem: Told each problem of the backup, on the calling thread.
    ///   - onProgress: Told how far its check is, on the calling thread.
    /// - Returns: What was restored.
    /// - Throws: As ``StoreCheck``; ``StoreError/exists(directory:)``, and
    ///   ``StoreError/damaged(path:problemCount:)`` after the problems were told. A store that was
    ///   there is then still in its place.
    public static func restore(
        _ path: String,
        to directory: String,
        replacing: Bool,
        onProblem: @escaping (StoreProblem) -> Void,
        onProgress: @escaping (StoreCheck.Progress) -> Void = { _ in }
    ) throws(StoreError) -> Report {
        guard Files.exists(path) else { throw .missing(path: path) }
        let lock = try DataDirectoryLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        let store = directory + "/data.mdb"
        let isThere = Files.exists(store)
        guard replacing || !isThere else { throw .exists(directory: directory) }
        let check = try StoreCheck.check(file: path, onProblem: onProblem, onProgress: onProgress)
        guard check.problemCount == 0 else {
            throw .damaged(path: path, problemCount: check.problemCount)
        }
        do throws(LMDBError) {
            let part = directory + "/data.mdb.unfinished"
            let byteCount = try copy(path, to: part)
            let kept = isThere ? try keep(store, of: directory) : nil
            // Beside those that are there, which the next start removes: no two have one name.
            try shareFiles(
                of: AttachmentFiles.directory(beside: path),
                with: AttachmentFiles.directory(ofData: directory)
            )
            try Files.rename(part, to: store)
            try Files.sync(directory)
            // The directory may be new; one above it that may not be read was made by others.
            try? Files.sync(directory + "/..")
            return Report(byteCount: byteCount, asOf: check.asOf, replacedPath: kept)
        } catch {
            throw .lmdb(error)
        }
    }

    /// Copies a file and syncs the copy, and gives its size; what failed leaves no copy.
    private static func copy(_ path: String, to other: String) throws(LMDBError) -> Int {
        do throws(LMDBError) {
            return try Files.copy(path, to: other)
        } catch {
            try? Files.remove(other)
            throw error
        }
    }

    /// Gives the store a second name, under which it stays when it is replaced, and its attachments
    /// a second directory beside that.
    private static func keep(_ store: String, of directory: String) throws(LMDBError) -> String {
        let now = WallInstant(nanoseconds: SystemTime.now().wallNanoseconds)
        let name = Files.unused(store + "." + now.fileName, suffixes: ["", ".attachments"])
        try shareFiles(
            of: AttachmentFiles.directory(ofData: directory),
            with: AttachmentFiles.directory(beside: name)
        )
        try Files.link(store, to: name)
        return Files.absolute(name)
    }

    /// Gives the files of a directory second names in another one, which is made where it is
    /// missing, and puts them on disk.
    private static func shareFiles(of directory: String, with other: String) throws(LMDBError) {
        let names = try Files.names(in: directory).filter { AttachmentFile($0) != nil }
        guard !names.isEmpty else { return }
        try Files.makeDirectory(other)
        for name in names { try Files.share(directory + "/" + name, as: other + "/" + name) }
        try Files.sync(other)
    }
}
