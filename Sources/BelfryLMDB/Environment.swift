internal import BelfryLocking
internal import CBelfryLMDB
internal import Faults
internal import Glibc

/// A directory with an LMDB file: tables, one writer at a time and many readers.
///
/// A write transaction is on disk when ``write(_:)`` returns: each commit syncs. Readers never wait
/// for the writer nor the writer for readers.
///
/// An environment may be used from any thread. Transactions are closures, so that one begins and
/// ends on the same thread, as LMDB's write lock demands; there is no `await` inside. A directory
/// is open once in a process; a second environment on it is refused, because closing one of them
/// would drop the file locks of the other. It must not be used after `fork`.
@usableFromInline
package final class Environment: Sendable {
    /// Limits and modes that hold while the environment is open.
    package struct Options: Sendable {
        /// The most bytes that the file can grow to, a multiple of 4,096.
        ///
        /// As much address space is reserved; nothing is allocated ahead. The size is halved as
        /// long as the system refuses it, down to ``mapSizeFloor`` if it is more.
        package var mapSize = 1 << 40
        /// The most read transactions open at a time, those of other processes included.
        package var maximumReaders = 512
        package var maximumTables = 96
        /// The permissions of new files; a user who may read the files may also search a new
        /// directory.
        package var fileMode: UInt32 = 0o600

        /// The reservation below which it is better to fail: 1 GiB.
        package static let mapSizeFloor = 1 << 30

        package init() {}
    }

    let handle: Handle
    let fileMode: UInt32
    let writer = WriterState()
    /// The open directory; nil for a file that is only read.
    private let identity: OpenDirectories.Identity?
    private let idleReaders = Guarded<[Handle]>([])
    private let keeper = Guarded<(any StateKeeper)?>(nil)
    /// The names of the tables that were opened, by their numbers.
    private let names = Guarded<[UInt32: [UInt8]]>([:])
    /// Checks the pages that read transactions follow, from ``checkPages()`` on.
    private let pages = Guarded<PageMap?>(nil)

    /// How much a file can grow that is opened by itself: 4 GiB.
    private static let changedFileGrowth = 4 << 30
    /// How many read transactions stay ready for use again, each in a reader slot.
    private static let idleReaderLimit = 8
    /// How often a reader begins again because the keeper has forgotten its state: each time it
    /// has the newest state, so that once is nearly always enough.
    private static let beginningLimit = 1_000

    /// Opens the environment in a directory, creating both where absent.
    ///
    /// The names of new files are on disk when it returns. Reader slots of processes that died are
    /// cleared.
    ///
    /// - Parameters:
    ///   - directory: A path on a local file system; its parent must exist.
    ///   - options: Limits and modes.
    /// - Throws: An ``LMDBError``: `EBUSY` if this process has the directory open,
    ///   ``LMDBError/truncated`` if the file was cut short, ``LMDBError/incompatible`` if the pages
    ///   of the file are not 4,096 bytes, ``LMDBError/invalid`` or ``LMDBError/versionMismatch``
    ///   for another file, or an `errno`.
    package init(directory: String, options: Options = Options()) throws(LMDBError) {
        let mode = options.fileMode
        if unsafe mkdir(directory, mode | (mode & 0o444) >> 2) != 0, errno != EEXIST {
            throw LMDBError(code: errno, operation: "mkdir")
        }
        let identity = try OpenDirectories.insert(directory)
        do throws(LMDBError) {
            handle = try Self.openHandle(directory, options)
        } catch {
            OpenDirectories.remove(identity)
            throw error
        }
        self.identity = identity
        fileMode = mode
        // An error thrown after this line runs deinit, since every property has its value.
        try requirePageSize()
        if !Fault.cutFileNotNoticed.isPlanted { try requireWhole(directory + "/data.mdb") }
        try syncDirectory(directory)
        try syncDirectory(directory + "/..", unreadableIsAllowed: true)
        _ = try clearStaleReaders()
    }

    /// Opens one file for reading only; no process may write the file meanwhile.
    ///
    /// For a copy, or for a directory's `data.mdb` while the caller keeps all other users out. No
    /// lock file is made or looked at, and nothing is changed, so ``write(_:)`` throws `EACCES`.
    ///
    /// - Parameter path: The data file.
    /// - Throws: An ``LMDBError``: ``LMDBError/truncated`` if the file was cut short,
    ///   ``LMDBError/invalid`` or ``LMDBError/versionMismatch`` for another file,
    ///   ``LMDBError/incompatible`` if its pages are not 4,096 bytes, or an `errno`.
    package init(readingFile path: String) throws(LMDBError) {
        handle = try Self.openHandle(file: path, growingBy: 0, flags: UInt32(MDB_RDONLY))
        identity = nil
        fileMode = 0
        try requirePageSize()
        try requireWhole(path)
    }

    /// Opens one file to change it, such as a copy that nobody else has open; no lock file is made.
    ///
    /// - Parameter path: The data file, which must exist.
    /// - Throws: As ``init(readingFile:)``.
    package init(changingFile path: String) throws(LMDBError) {
        handle = try Self.openHandle(file: path, growingBy: Self.changedFileGrowth, flags: 0)
        identity = nil
        fileMode = 0
        try requirePageSize()
    }

    deinit {
        for reader in idleReaders.withLock({ $0 }) { unsafe mdb_txn_abort(reader.pointer) }
        unsafe mdb_env_close(handle.pointer)
        if let identity { OpenDirectories.remove(identity) }
    }

    /// Opens a table, creating it where absent.
    ///
    /// Opening is a write transaction of its own: open every table at start, before other
    /// transactions. In an environment that is only read, the table has to exist.
    ///
    /// - Parameter name: The table's name; the same name gives the same table.
    /// - Returns: The table, valid as long as the environment.
    /// - Throws: `MDB_DBS_FULL`, ``LMDBError/notFound`` where a table cannot be created,
    ///   or as ``write(_:)``.
    package func table(_ name: String) throws(LMDBError) -> Table {
        if identity == nil {
            if let table = try existingTable(name) { return table }
            throw LMDBError(code: LMDBError.notFound, operation: "open the table \(name)")
        }
        return try write { transaction throws(LMDBError) in try open(name, in: transaction) }
    }

    /// Creates the tables that are absent, with one sync; before other transactions, as
    /// ``table(_:)``.
    ///
    /// In an environment that is only read, nothing is created.
    ///
    /// - Throws: `MDB_DBS_FULL`, or as ``write(_:)``.
    package func createTables(_ names: [String]) throws(LMDBError) {
        guard identity != nil else { return }
        try write { transaction throws(LMDBError) in
            for name in names { _ = try open(name, in: transaction) }
        }
    }

    /// Opens tables that have to be there, as a store that was served has them.
    ///
    /// - Throws: ``LMDBError/corrupted`` where one is not.
    package func requireTables(_ names: [String]) throws(LMDBError) {
        for name in names where try existingTable(name) == nil {
            throw LMDBError(code: LMDBError.corrupted, operation: "the table \(name) is gone")
        }
    }

    private func open(
        _ name: String,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Table {
        var identifier: UInt32 = 0
        let code = unsafe mdb_dbi_open(
            transaction.handle.pointer,
            name,
            UInt32(MDB_CREATE),
            &identifier
        )
        try check(code, "mdb_dbi_open")
        names.withLock { $0[identifier] = Array(name.utf8) }
        return Table(identifier: identifier)
    }

    /// Opens a table if it exists, and changes nothing; before other transactions, as
    /// ``table(_:)``.
    ///
    /// - Throws: `MDB_DBS_FULL`, or an ``LMDBError`` for a damaged file.
    package func existingTable(_ name: String) throws(LMDBError) -> Table? {
        let transaction = unsafe try begin(UInt32(MDB_RDONLY))
        var identifier: UInt32 = 0
        let code = unsafe mdb_dbi_open(transaction, name, 0, &identifier)
        guard code == MDB_SUCCESS else {
            unsafe mdb_txn_abort(transaction)
            if code == MDB_NOTFOUND { return nil }
            throw LMDBError(code: code, operation: "mdb_dbi_open")
        }
        // Commit: the end of the transaction that opened a table decides whether it stays open.
        try unsafe check(mdb_txn_commit(transaction), "mdb_txn_commit")
        names.withLock { $0[identifier] = Array(name.utf8) }
        return Table(identifier: identifier)
    }

    /// Runs `body` with a view of the last committed state.
    ///
    /// `body` reads; it may call ``write(_:)``, whose changes it does not see.
    ///
    /// - Throws: `MDB_READERS_FULL`, `MDB_PANIC` after a failed commit, or what `body` threw.
    /// - Complexity: Allocates only when more threads read at a time than before.
    @inlinable
    package func read<R: ~Copyable>(
        _ body: (borrowing ReadTransaction) throws(LMDBError) -> R
    ) throws(LMDBError) -> R {
        let transaction = try beginReading()
        let result: R
        do throws(LMDBError) {
            result = try body(transaction)
        } catch {
            end(transaction)
            throw error
        }
        end(transaction)
        return result
    }

    /// Runs `body` with the write transaction, and commits what it changed when it returns.
    ///
    /// Waits for the write transaction of another thread or process. The commit syncs once,
    /// whatever the number of changes: write in batches.
    ///
    /// `body` reads and writes. It must not call ``write(_:)``, ``table(_:)`` or
    /// ``copy(toFile:compacting:)`` of this environment: that traps.
    ///
    /// - Throws: What `body` threw, and then nothing was changed. An ``LMDBError`` whose operation
    ///   is `mdb_txn_commit` if the commit failed; later transactions then do not see the changes.
    ///   After a failed sync, as opposed to ``LMDBError/isOutOfSpace``, it is unknown whether the
    ///   changes exist after a restart: stop using the environment.
    @inlinable
    package func write<R: ~Copyable>(
        _ body: (borrowing WriteTransaction) throws(LMDBError) -> R
    ) throws(LMDBError) -> R {
        let transaction = try beginWriting()
        let result = try body(transaction)
        try transaction.commit()
        return result
    }

    /// Begins the write transaction, for an object that keeps it.
    ///
    /// Waits as ``write(_:)`` does. The transaction must be used and ended on this thread. It
    /// changes nothing unless ``WriteTransaction/commit()`` returns, and ends at the latest when it
    /// is released.
    ///
    /// - Throws: `MDB_PANIC` after a failed commit, or what LMDB reports.
    @usableFromInline
    package func beginWriting() throws(LMDBError) -> WriteTransaction {
        writer.requireNoWriteOnThisThread()
        let pointer = unsafe try begin(0)
        return unsafe WriteTransaction(handle: TransactionHandle(writing: pointer, writer))
    }

    /// Checks the pages that read transactions follow from now on; after the tables are opened, and
    /// before all other transactions.
    ///
    /// - Throws: ``LMDBError/corrupted`` where the first pages are damaged.
    package func checkPages() throws(LMDBError) {
        let transaction = unsafe try begin(UInt32(MDB_RDONLY))
        defer { unsafe mdb_txn_abort(transaction) }
        let names = names.withLock { $0 }
        let map = unsafe try PageMap(transaction, names: names)
        pages.withLock { $0 = map }
    }

    /// Keeps an object beside each state from now on; before all other transactions.
    package func keepStates(by keeper: any StateKeeper) {
        self.keeper.withLock { $0 = keeper }
    }

    /// Begins a read transaction, for an object that keeps it and gives it to ``end(_:)``.
    ///
    /// `checksPages` is whether the pages that it follows are checked.
    ///
    /// - Throws: As ``read(_:)``.
    @usableFromInline
    package func beginReading(checksPages: Bool = true) throws(LMDBError) -> ReadTransaction {
        let keeper = keeper.withLock { $0 }
        let pages = checksPages ? pages.withLock { $0 } : nil
        let pointer: OpaquePointer
        if let idle = idleReaders.withLock({ $0.popLast() }) {
            unsafe pointer = try renewed(idle).pointer
        } else {
            unsafe pointer = try begin(UInt32(MDB_RDONLY))
        }
        guard let keeper else {
            return unsafe ReadTransaction(
                handle: TransactionHandle(reading: pointer, pages),
                companion: nil
            )
        }
        for _ in 0..<Self.beginningLimit {
            if let companion = unsafe keeper.companion(ofState: mdb_txn_id(pointer)) {
                return unsafe ReadTransaction(
                    handle: TransactionHandle(reading: pointer, pages),
                    companion: companion
                )
            }
            unsafe mdb_txn_reset(pointer)
            _ = unsafe try renewed(Handle(pointer))
        }
        unsafe mdb_txn_abort(pointer)
        throw LMDBError(code: EAGAIN, operation: "begin reading beside a busy writer")
    }

    /// Begins an ended read transaction again, with the newest state.
    private func renewed(_ reader: Handle) throws(LMDBError) -> Handle {
        let code = unsafe mdb_txn_renew(reader.pointer)
        guard code == MDB_SUCCESS else {
            unsafe mdb_txn_abort(reader.pointer)
            throw LMDBError(code: code, operation: "mdb_txn_renew")
        }
        return reader
    }

    /// Ends a read transaction, keeping its reader slot for the next one where that is useful; no
    /// later use of it is allowed.
    @usableFromInline
    package func end(_ transaction: borrowing ReadTransaction) {
        let reader = unsafe Handle(transaction.handle.pointer)
        unsafe mdb_txn_reset(reader.pointer)
        SharedUse.end()
        let isKept = idleReaders.withLock { idle in
            if idle.count == Self.idleReaderLimit { return false }
            idle.append(reader)
            return true
        }
        if !isKept { unsafe mdb_txn_abort(reader.pointer) }
    }

    private func begin(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
        var pointer: OpaquePointer?
        let code = unsafe mdb_txn_begin(handle.pointer, nil, flags, &pointer)
        guard code == MDB_SUCCESS, let pointer = unsafe pointer else {
            throw LMDBError(code: code, operation: "mdb_txn_begin")
        }
        return unsafe pointer
    }
}
