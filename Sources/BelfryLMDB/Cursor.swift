internal import CBelfryLMDB

/// A position in a table, lent by `withCursor(in:_:)` of a transaction.
///
/// It begins before the first entry. A move or a seek that finds no entry leaves the cursor beyond
/// that end of the table; it can move back from there.
///
/// A write transaction may write while it has cursors, which keep their places. After the entry
/// under a cursor was deleted, move the cursor before reading: the next entry is the one that
/// followed the deleted entry.
@safe
@usableFromInline
package struct Cursor: ~Copyable {
    /// A direction, or an end of the table.
    @usableFromInline
    package enum Position: Sendable {
        /// The entry with the smallest key.
        case first
        /// The entry with the greatest key.
        case last
        /// The entry after this one; the first one for a cursor that has not moved.
        case next
        /// The entry before this one; the last one for a cursor that has not moved.
        case previous
    }

    /// Where the cursor stands.
    @usableFromInline
    enum State {
        case unmoved
        case atEntry
        case beforeFirst
        case afterLast
    }

    private let pointer: OpaquePointer
    private let writer: WriterState?
    private var state = State.unmoved
    /// Checks the pages before the cursor gets there; nil in a write transaction.
    private var walk: PageWalk?
    /// Why the last move was not made.
    private var problem: LMDBError?

    /// The entry that the last move found; valid while the transaction does not write.
    private var key = unsafe MDB_val()
    private var value = unsafe MDB_val()

    @usableFromInline
    init(opening table: Table, in transaction: borrowing TransactionHandle) throws(LMDBError) {
        transaction.requireOpen()
        let walk = try transaction.pages.map { pages throws(LMDBError) in
            unsafe try PageWalk(pages, table, transaction.pointer)
        }
        var pointer: OpaquePointer?
        let code = unsafe mdb_cursor_open(transaction.pointer, table.identifier, &pointer)
        guard code == MDB_SUCCESS, let pointer = unsafe pointer else {
            throw transaction.failure(code, "mdb_cursor_open")
        }
        unsafe self.pointer = unsafe pointer
        writer = transaction.writer
        self.walk = walk
        writer?.beginCursor()
    }

    /// Tells this cursor from every other one that is open.
    @usableFromInline
    var identity: Int { unsafe Int(bitPattern: pointer) }

    /// Ends the cursor, which must be the one that was opened.
    ///
    /// An `inout` cursor could be swapped with one of another transaction and outlive its own.
    @usableFromInline
    func close(expecting identity: Int) {
        precondition(identity == self.identity, "a cursor was swapped with another one")
        writer?.endCursor()
        unsafe mdb_cursor_close(pointer)
    }

    /// Moves to an end of the table or to a neighbor.
    ///
    /// - Returns: Whether there is an entry; if not, the cursor is beyond that end of the table.
    /// - Throws: An ``LMDBError`` for a damaged file.
    /// - Complexity: O(1) for a neighbor, O(log *n*) for an end.
    @usableFromInline
    package mutating func move(to position: Position) throws(LMDBError) -> Bool {
        switch (position, state) {
        case (.first, _), (.next, .beforeFirst), (.next, .unmoved):
            try get(MDB_FIRST, off: .afterLast)
        case (.last, _), (.previous, .afterLast), (.previous, .unmoved):
            try get(MDB_LAST, off: .beforeFirst)
        case (.next, .atEntry):
            try get(MDB_NEXT, off: .afterLast)
        case (.previous, .atEntry):
            try get(MDB_PREV, off: .beforeFirst)
        case (.next, .afterLast), (.previous, .beforeFirst):
            false
        }
    }

    /// Moves to the first entry whose key is `key` or greater.
    ///
    /// - Parameter key: From 1 to 511 bytes.
    /// - Returns: Whether there is such an entry; if not, the cursor is behind the last entry.
    /// - Throws: An ``LMDBError`` for a damaged file.
    /// - Complexity: O(log *n*), less when the entry is on the same page.
    @inlinable
    package mutating func seek(
        atOrAfter key: some ByteView & ~Escapable
    ) throws(LMDBError) -> Bool {
        try settle(unsafe key.withView { key in unsafe seek(key) })
    }

    /// Lends the key and the value under the cursor to `body`.
    ///
    /// - Precondition: The last move or seek returned true.
    /// - Throws: ``LMDBError/notFound`` if a write deleted the entry and none follows on its page,
    ///   or what `body` threw.
    /// - Complexity: O(1); allocates nothing.
    @inlinable
    package func withEntry<R: ~Copyable>(
        _ body: (_ key: RawSpan, _ value: RawSpan) throws(LMDBError) -> R
    ) throws(LMDBError) -> R {
        let entry = try unsafe currentEntry()
        beginBorrow()
        defer { endBorrow() }
        return try body(unsafe entry.key.bytes, unsafe entry.value.bytes)
    }

    /// Stores a value, replacing what the key had, and moves to the entry.
    ///
    /// - Parameters:
    ///   - value: Any number of bytes, also none; copied.
    ///   - key: From 1 to 511 bytes; copied.
    /// - Precondition: The transaction writes.
    /// - Throws: An ``LMDBError``; ``LMDBError/isOutOfSpace`` tells whether the map is full.
    /// - Complexity: O(log *n*), less when the entry is on the same page.
    @inlinable
    package mutating func put(
        _ value: some ByteView & ~Escapable,
        forKey key: some ByteView & ~Escapable
    ) throws(LMDBError) {
        let code = unsafe key.withView { key in
            unsafe value.withView { value in unsafe store(value, forKey: key) }
        }
        try check(code, "mdb_cursor_put")
    }

    /// Removes the entry of a key, which has from 1 to 511 bytes, and moves to its place; behind
    /// the last entry where there was none.
    ///
    /// - Precondition: The transaction writes.
    /// - Complexity: O(log *n*), less when the entry is on the same page.
    @inlinable
    package mutating func delete(key: some ByteView & ~Escapable) throws(LMDBError) {
        let code = unsafe key.withView { key in unsafe remove(key) }
        guard try settle(code) else { return }
    }

    /// The entry under the cursor, read again in a write transaction, whose writes move entries.
    @usableFromInline
    func currentEntry() throws(LMDBError) -> (
        key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
    ) {
        precondition(state == .atEntry, "the cursor is not at an entry")
        if writer == nil { return unsafe (key.bytes, value.bytes) }
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        try unsafe check(mdb_cursor_get(pointer, &key, &value, MDB_GET_CURRENT), "mdb_cursor_get")
        return unsafe (key.bytes, value.bytes)
    }

    @usableFromInline
    func beginBorrow() { writer?.beginBorrow() }

    @usableFromInline
    func endBorrow() { writer?.endBorrow() }

    /// Stores an entry and gives LMDB's code.
    @usableFromInline
    mutating func store(
        _ value: UnsafeRawBufferPointer,
        forKey key: UnsafeRawBufferPointer
    ) -> Int32 {
        requireWriting()
        unsafe requireKeySize(key)
        var (key, value) = unsafe (MDB_val(key), MDB_val(value))
        state = .atEntry
        return unsafe mdb_cursor_put(pointer, &key, &value, 0)
    }

    /// Removes the entry under the cursor's key, and gives LMDB's code.
    @usableFromInline
    mutating func remove(_ key: UnsafeRawBufferPointer) -> Int32 {
        requireWriting()
        let code = unsafe seek(key, MDB_SET)
        return code == MDB_SUCCESS ? unsafe mdb_cursor_del(pointer, 0) : code
    }

    private func requireWriting() {
        precondition(writer != nil, "the cursor is one of a read transaction")
        writer?.requireNoBorrow()
    }

    /// Seeks and gives LMDB's code.
    @usableFromInline
    mutating func seek(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        unsafe seek(bytes, MDB_SET_RANGE)
    }

    private mutating func seek(
        _ bytes: UnsafeRawBufferPointer,
        _ operation: MDB_cursor_op
    ) -> Int32 {
        unsafe requireKeySize(bytes)
        do throws(LMDBError) {
            unsafe try walk?.seek(bytes)
        } catch {
            problem = error
            return error.code
        }
        unsafe key = MDB_val(bytes)
        return unsafe mdb_cursor_get(pointer, &key, &value, operation)
    }

    private mutating func get(
        _ operation: MDB_cursor_op,
        off end: State
    ) throws(LMDBError) -> Bool {
        try walk?.move(operation)
        return try settle(unsafe mdb_cursor_get(pointer, &key, &value, operation), off: end)
    }

    /// Turns LMDB's code for a move into the new state.
    @usableFromInline
    mutating func settle(
        _ code: Int32,
        off end: State = .afterLast
    ) throws(LMDBError) -> Bool {
        guard code == MDB_SUCCESS || code == MDB_NOTFOUND else {
            throw problem ?? LMDBError(code: code, operation: "mdb_cursor_get")
        }
        state = code == MDB_SUCCESS ? .atEntry : end
        return code == MDB_SUCCESS
    }
}
