/// The one transaction of an environment that may write, lent by ``Environment/write(_:)`` or begun
/// by ``Environment/beginWriting()``.
///
/// The transaction reads its own changes. Other transactions see none of them before the commit,
/// and all of them after it.
///
/// After a mutation that throws, the transaction can only be aborted: let the error through. A
/// closure that catches the error and returns gets `MDB_BAD_TXN` from the commit.
@usableFromInline
package struct WriteTransaction: ~Copyable, Transaction {
    @usableFromInline
    package let handle: TransactionHandle
    /// None: it writes the tables themselves.
    @usableFromInline
    package var companion: AnyObject? { nil }

    // Abort a transaction that was not committed.
    deinit { handle.abortIfOpen() }

    /// Makes the changes durable and ends the transaction: any later use of it traps.
    ///
    /// - Throws: An ``LMDBError`` whose operation is `mdb_txn_commit`; ``Environment/write(_:)``
    ///   says what is known after it.
    /// - Complexity: One sync, and a write of each page that changed.
    @usableFromInline
    package func commit() throws(LMDBError) {
        try handle.commit()
    }

    /// Stores a value in place of the key's value.
    ///
    /// - Parameters:
    ///   - value: Any number of bytes, also none; copied.
    ///   - key: From 1 to 511 bytes; copied.
    ///   - table: A table of this environment.
    /// - Throws: An ``LMDBError``; ``LMDBError/isOutOfSpace`` tells whether the map is full.
    /// - Complexity: O(log *n*); the first change of a page in a transaction copies the page.
    @inlinable
    package func put(
        _ value: some ByteView & ~Escapable,
        forKey key: some ByteView & ~Escapable,
        in table: Table
    ) throws(LMDBError) {
        let code = unsafe key.withView { key in
            unsafe value.withView { value in unsafe handle.store(value, forKey: key, in: table) }
        }
        try handle.require(code, "mdb_put")
    }

    /// Removes the entry of a key, which has from 1 to 511 bytes.
    ///
    /// Removing needs pages too: each changed page is a new one until the commit after next.
    ///
    /// - Returns: Whether there was an entry.
    /// - Complexity: O(log *n*).
    @inlinable
    @discardableResult
    package func delete(
        key: some ByteView & ~Escapable,
        in table: Table
    ) throws(LMDBError) -> Bool {
        let code = unsafe key.withView { key in unsafe handle.remove(key, in: table) }
        if code == LMDBError.notFound { return false }
        try handle.require(code, "mdb_del")
        return true
    }
}
