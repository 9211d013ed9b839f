internal import CBelfryLMDB

/// The reading part of read and write transactions.
///
/// A transaction sees one state of the environment; a write transaction also sees its own changes.
/// A transaction is lent to a closure, cannot outlive the closure, and belongs to the thread that
/// runs the closure.
///
/// Bytes are lent too, straight from the map, without a copy and without an allocation. Lent bytes
/// must not be in use when a write transaction writes: that traps, because LMDB may move the bytes.
@usableFromInline
package protocol Transaction: ~Copyable {
    /// The C transaction, which other targets cannot use.
    var handle: TransactionHandle { get }
    /// The object that the environment's ``StateKeeper`` keeps for the state; nil without a keeper.
    var companion: AnyObject? { get }
}

extension Transaction where Self: ~Copyable {
    /// The number of the state that this transaction reads, or that a write transaction will make.
    ///
    /// Each committed write transaction has the number of the one before it plus one.
    package var id: Int {
        unsafe mdb_txn_id(handle.pointer)
    }

    /// Lends the value of a key to `body`, if the key is there.
    ///
    /// - Parameters:
    ///   - key: From 1 to 511 bytes.
    ///   - table: A table of this environment.
    ///   - body: Gets the value, which is valid until `body` returns.
    /// - Returns: What `body` returned, or nil if the table has no such key.
    /// - Throws: An ``LMDBError`` for a damaged file, or what `body` threw.
    /// - Complexity: O(log *n*) in the entries of the table; allocates nothing.
    @inlinable
    package func withValue<R: ~Copyable>(
        forKey key: some ByteView & ~Escapable,
        in table: Table,
        _ body: (RawSpan) throws(LMDBError) -> R
    ) throws(LMDBError) -> R? {
        let found = unsafe key.withView { key in unsafe handle.find(key, in: table) }
        guard let bytes = try unsafe found.get() else { return nil }
        handle.beginBorrow()
        defer { handle.endBorrow() }
        return try body(unsafe bytes.bytes)
    }

    /// Tells whether the table has an entry for `key`, which has from 1 to 511 bytes.
    ///
    /// - Complexity: O(log *n*) in the entries of the table; allocates nothing.
    @inlinable
    package func contains(
        key: some ByteView & ~Escapable,
        in table: Table
    ) throws(LMDBError) -> Bool {
        let found = unsafe key.withView { key in unsafe handle.find(key, in: table) }
        return try unsafe found.get() != nil
    }

    /// A copy of the value of a key, or nil if the table has no such key.
    ///
    /// - Complexity: As ``withValue(forKey:in:_:)``, and a copy.
    @inlinable
    package func value(
        forKey key: some ByteView & ~Escapable,
        in table: Table
    ) throws(LMDBError) -> [UInt8]? {
        try withValue(forKey: key, in: table) { value throws(LMDBError) in [UInt8](copying: value) }
    }

    /// Lends a cursor over the table, before its first entry, to `body`.
    ///
    /// The cursor is closed when `body` returns or throws. A write transaction may write meanwhile;
    /// ``Cursor`` says what its cursors then see.
    ///
    /// - Complexity: One allocation in C.
    @inlinable
    package func withCursor<R: ~Copyable>(
        in table: Table,
        _ body: (inout Cursor) throws(LMDBError) -> R
    ) throws(LMDBError) -> R {
        var cursor = try Cursor(opening: table, in: handle)
        let identity = cursor.identity
        defer { cursor.close(expecting: identity) }
        return try body(&cursor)
    }

    /// The number of entries in a table.
    ///
    /// - Complexity: O(1).
    @usableFromInline
    package func count(of table: Table) throws(LMDBError) -> Int {
        try statistics(of: table).entryCount
    }

    /// The size and the shape of a table.
    ///
    /// - Complexity: O(1).
    package func statistics(of table: Table) throws(LMDBError) -> TableStatistics {
        var figures = MDB_stat()
        let code = unsafe mdb_stat(handle.pointer, table.identifier, &figures)
        try handle.require(code, "mdb_stat")
        return TableStatistics(figures)
    }
}
