internal import CBelfryLMDB
internal import Glibc

/// The C transaction inside a ``ReadTransaction`` or a ``WriteTransaction``.
///
/// Other targets see the type only because ``Transaction`` names it, and cannot make a handle.
/// The handle of a read transaction is only lent, so that its uses end with their closure; the
/// handle of a write transaction traps where it is used after the end.
@safe
@usableFromInline
package struct TransactionHandle: ~Copyable {
    /// The sizes that a key may have, in bytes; LMDB is compiled for at most 511.
    static let keySizes = 1...511

    let pointer: OpaquePointer

    /// The state of the writer; nil in a read transaction.
    let writer: WriterState?

    /// Checks the pages that are read; nil in a write transaction, which reads what it wrote.
    let pages: PageMap?

    /// The number of the write transaction; 0 in a read transaction.
    private let number: Int

    /// The handle of a read transaction.
    init(reading pointer: OpaquePointer, _ pages: PageMap?) {
        unsafe self.pointer = unsafe pointer
        self.pages = pages
        writer = nil
        number = 0
    }

    /// The handle of the write transaction that this thread just began.
    init(writing pointer: OpaquePointer, _ writer: WriterState) {
        unsafe self.pointer = unsafe pointer
        self.writer = writer
        pages = nil
        number = writer.begin()
    }

    /// Traps where a write transaction has ended.
    @inline(__always)
    func requireOpen() { writer?.requireOpen(number) }

    /// Commits a write transaction, which ends it whatever LMDB returns.
    func commit() throws(LMDBError) {
        requireOpen()
        writer?.requireNoBorrow()
        writer?.requireNoCursor()
        writer?.end()
        try unsafe check(mdb_txn_commit(pointer), "mdb_txn_commit")
    }

    /// Ends a write transaction without its changes, if it has not ended.
    func abortIfOpen() {
        guard let writer, writer.isOpen(number) else { return }
        writer.requireNoCursor()
        writer.end()
        unsafe mdb_txn_abort(pointer)
    }

    /// The bytes of a value, valid until the transaction writes or ends; nil if the key is absent.
    @usableFromInline
    func find(
        _ key: UnsafeRawBufferPointer,
        in table: Table
    ) -> Result<UnsafeRawBufferPointer?, LMDBError> {
        requireOpen()
        unsafe requireKeySize(key)
        if let pages {
            do throws(LMDBError) {
                unsafe try pages.checkWay(to: key, in: table, pointer)
            } catch {
                return unsafe .failure(error)
            }
        }
        var key = unsafe MDB_val(key)
        var value = unsafe MDB_val()
        let code = unsafe mdb_get(pointer, table.identifier, &key, &value)
        if code == MDB_SUCCESS { return unsafe .success(value.bytes) }
        if code == MDB_NOTFOUND { return unsafe .success(nil) }
        return unsafe .failure(failure(code, "mdb_get"))
    }

    /// Stores an entry, in place of the key's, and gives LMDB's code.
    @usableFromInline
    func store(
        _ value: UnsafeRawBufferPointer,
        forKey key: UnsafeRawBufferPointer,
        in table: Table
    ) -> Int32 {
        requireOpen()
        unsafe requireKeySize(key)
        writer?.requireNoBorrow()
        var key = unsafe MDB_val(key)
        var value = unsafe MDB_val(value)
        return unsafe mdb_put(pointer, table.identifier, &key, &value, 0)
    }

    /// Removes an entry and gives LMDB's code.
    @usableFromInline
    func remove(_ key: UnsafeRawBufferPointer, in table: Table) -> Int32 {
        requireOpen()
        unsafe requireKeySize(key)
        writer?.requireNoBorrow()
        var key = unsafe MDB_val(key)
        return unsafe mdb_del(pointer, table.identifier, &key, nil)
    }

    /// Notes that bytes of a write transaction are in use; does nothing in a read transaction.
    @usableFromInline
    func beginBorrow() { writer?.beginBorrow() }

    /// Ends what ``beginBorrow()`` began.
    @usableFromInline
    func endBorrow() { writer?.endBorrow() }

    /// Throws the error for a code other than success.
    @usableFromInline
    func require(_ code: Int32, _ operation: String) throws(LMDBError) {
        if code != MDB_SUCCESS { throw failure(code, operation) }
    }

    /// The error for a code, except for codes that can only come from a mistake in the program.
    func failure(_ code: Int32, _ operation: String) -> LMDBError {
        precondition(
            code != EINVAL && code != MDB_BAD_DBI,
            "\(operation): the table does not belong to this transaction's environment"
        )
        return LMDBError(code: code, operation: operation)
    }
}

/// Traps on a key that LMDB does not store.
@inline(__always)
func requireKeySize(_ key: UnsafeRawBufferPointer) {
    precondition(TransactionHandle.keySizes.contains(key.count), "a key has from 1 to 511 bytes")
}

extension MDB_val {
    /// A view of `bytes` for the length of one C call, which does not write the bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(
            mv_size: bytes.count,
            mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        )
    }

    /// The bytes that a C call gave.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}
