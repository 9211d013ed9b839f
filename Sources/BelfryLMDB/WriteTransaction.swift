internal import CBelfryLMDB

/// The one transaction of an environment that may write, lent by ``Environment/write(_:)`` or begun
/// by ``Environment/beginWriting()``.
///
/// The transaction reads its own changes. Other transactions see none of them before the commit,
/// and all of them after it.
///
/// A mutation that throws ``LMDBError/keyExists`` leaves the transaction as it was. After any other
/// error the transaction can only be aborted: let the error through. A closure that catches the
/// error and returns gets ``LMDBError/badTransaction`` from the commit.
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

    /// Ends the transaction without its changes; does nothing where it has ended.
    package func abort() { handle.abortIfOpen() }

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
        let code = store(value, forKey: key, in: table, flags: 0)
        try handle.require(code, "mdb_put")
    }

    /// Stores a value behind the last entry of the table, filling pages to the end.
    ///
    /// - Parameters:
    ///   - value: Any number of bytes, also none; copied.
    ///   - key: From 1 to 511 bytes, greater than every key in the table; copied.
    ///   - table: A table of this environment.
    /// - Throws: ``LMDBError/keyExists`` if `key` is not behind the last key, which changes
    ///   nothing; otherwise as ``put(_:forKey:in:)``.
    /// - Complexity: O(log *n*) without comparing keys.
    @inlinable
    package func append(
        _ value: some ByteView & ~Escapable,
        forKey key: some ByteView & ~Escapable,
        in table: Table
    ) throws(LMDBError) {
        let code = store(value, forKey: key, in: table, flags: Self.appendFlag)
        try handle.require(code, "mdb_put")
    }

    /// Stores a value if the key is not there.
    ///
    /// - Parameters:
    ///   - value: Any number of bytes, also none; copied.
    ///   - key: From 1 to 511 bytes; copied.
    ///   - table: A table of this environment.
    /// - Returns: Whether the value was stored; false leaves the entry as it was.
    /// - Throws: As ``put(_:forKey:in:)``.
    /// - Complexity: O(log *n*).
    @inlinable
    package func insert(
        _ value: some ByteView & ~Escapable,
        forKey key: some ByteView & ~Escapable,
        in table: Table
    ) throws(LMDBError) -> Bool {
        let code = store(value, forKey: key, in: table, flags: Self.insertFlag)
        if code == LMDBError.keyExists { return false }
        try handle.require(code, "mdb_put")
        return true
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

    @usableFromInline static let appendFlag = UInt32(MDB_APPEND)
    @usableFromInline static let insertFlag = UInt32(MDB_NOOVERWRITE)

    @inlinable
    func store(
        _ value: some ByteView & ~Escapable,
        forKey key: some ByteView & ~Escapable,
        in table: Table,
        flags: UInt32
    ) -> Int32 {
        unsafe key.withView { key in
            unsafe value.withView { value in
                unsafe handle.store(value, forKey: key, in: table, flags: flags)
            }
        }
    }
}
