internal import BelfryLMDB
internal import NotificationRecords

/// Makes the file of a new store beside its place, and gives it its name when it is complete.
///
/// So the file `data.mdb` is never one that a first start left half made: an empty one, and the
/// absence of it in a directory where a store was, are a loss that has to be told (ST-4).
enum StoreCreation {
    /// Makes a store in a directory that has none, and that this process has locked.
    ///
    /// - Parameters:
    ///   - directory: The data directory.
    ///   - make: Opens a new store in another directory, and writes its first state.
    /// - Throws: As ``requireStore(in:)``, what `make` threw, or what the disk reports.
    static func run(
        in directory: String,
        _ make: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try !requireStore(in: directory) else { return }
        let part = DataDirectoryEntry.firstStart.path(in: directory)
        do throws(LMDBError) {
            // Remove the part of a file that a first start left, which was killed.
            try Files.removeDirectory(part)
            try Files.makeDirectory(part)
        } catch {
            throw .failed(.lmdb(error))
        }
        try make(part)
        do throws(LMDBError) {
            try Files.rename(StoreContext.path(in: part), to: StoreContext.path(in: directory))
            try Files.sync(directory)
            try Files.removeDirectory(part)
        } catch {
            throw .failed(.lmdb(error))
        }
    }

    /// Whether a directory has a store's file, or may get one.
    ///
    /// - Returns: Whether the file is there.
    /// - Throws: ``StoreError/emptied(path:)`` where the file is empty,
    ///   ``StoreError/notAStore(path:)`` where it is no file, and ``StoreError/lost(path:trace:)``
    ///   where it is gone, ``StoreError/directory(path:problem:)`` where the system does not tell.
    @discardableResult
    static func requireStore(in directory: String) throws(StoreError) -> Bool {
        let path = StoreContext.path(in: directory)
        guard try isThere(path) else {
            let trace: String?
            do throws(LMDBError) {
                trace = try DataDirectoryEntry.trace(in: directory)
            } catch {
                throw .directory(path: directory, problem: error.text)
            }
            if let trace { throw .lost(path: path, trace: trace) }
            return false
        }
        try requireFile(path)
        let byteCount: Int
        do throws(LMDBError) {
            byteCount = try Files.byteCount(of: path)
        } catch {
            throw .failed(.lmdb(error))
        }
        guard byteCount > 0 else { throw .emptied(path: path) }
        return true
    }

    /// Whether there is something at a path that a person named.
    ///
    /// - Throws: ``StoreError/directory(path:problem:)`` where the system does not tell: a
    ///   directory that this user may not enter may have the file.
    static func isThere(_ path: String) throws(StoreError) -> Bool {
        do throws(LMDBError) {
            return try Files.isThere(path)
        } catch {
            throw .directory(path: path, problem: error.text)
        }
    }

    /// Refuses a directory, a pipe or a device in the place of a store's file, before it is opened.
    static func requireFile(_ path: String) throws(StoreError) {
        guard Files.isFile(path) else { throw .notAStore(path: path) }
    }
}
