public import BelfryLMDB

// Loops over a table: every loop over rows uses one of these functions.

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Calls `body` for the entries whose keys begin with `prefix`, in the order of the keys.
    ///
    /// `prefix` is the prefix of the keys; empty is every entry. `start` is the key from which the
    /// loop begins; nil is the first key with the prefix. `body` takes an entry, and returns
    /// whether to go on with the next entry; without `readsValues` it gets no bytes as the values
    /// of the tree.
    ///
    /// - Throws: What LMDB reports, or what `body` threw.
    /// - Complexity: O(log *n* + *k*) in the entries that `body` takes.
    @inlinable
    package func scan(
        bytesOf table: StoreTable,
        _ prefix: [UInt8] = [],
        from start: [UInt8]? = nil,
        readsValues: Bool = true,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        if let found = layers(of: table, prefix, from: start) {
            return try merge(
                found.layers,
                table,
                from: found.start,
                frontOf: start == nil ? prefix : nil,
                readsValues: readsValues
            ) { key, value throws(StoreFailure) in
                guard KeyOrder.isPrefix(prefix, of: key) else { return false }
                return try body(key, value)
            }
        }
        // A cursor's loop throws LMDB's errors alone, so an error of `body` leaves it as a value.
        let failure = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withCursor(in: table.tree) { cursor throws(LMDBError) -> StoreFailure? in
                var found = try cursor.seek(from: start ?? prefix)
                while found {
                    let (key, value) = try readsValues ? cursor.entry() : (cursor.key(), [])
                    guard KeyOrder.isPrefix(prefix, of: key) else { return nil }
                    do throws(StoreFailure) {
                        guard try body(key, value) else { return nil }
                    } catch {
                        return error
                    }
                    found = try cursor.move(to: .next)
                }
                return nil
            }
        }
        if let failure { throw failure }
    }

    /// Calls `body` for the rows whose keys begin with `prefix`, in the order of the keys.
    ///
    /// `start` is the key from which the loop begins; nil is the first key with the prefix. `body`
    /// takes a row, and returns whether to go on with the next row.
    ///
    /// - Throws: What the store reports, or what `body` threw.
    /// - Complexity: O(log *n* + *k*) in the rows that `body` takes.
    @inlinable
    package func scan<Key, Row>(
        _ table: TypedTable<Key, Row>,
        _ prefix: KeyPrefix<Key> = .all,
        from start: Key? = nil,
        _ body: (_ key: Key, _ row: Row) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        try scan(bytesOf: table.raw, prefix.bytes, from: start?.bytes) {
            key,
            value throws(StoreFailure) in
            try body(try table.key(key), try table.row(value, at: key))
        }
    }

    /// Reads the rows whose keys begin with `prefix`: all rows, or the rows behind the key
    /// `position`.
    ///
    /// - Complexity: O(log *n* + *k*) in the returned rows.
    @inlinable
    package func rows<Key, Row>(
        in table: TypedTable<Key, Row>,
        _ prefix: KeyPrefix<Key> = .all,
        after position: Key? = nil,
        atMost limit: Int = .max
    ) throws(StoreFailure) -> [(key: Key, row: Row)] {
        var rows: [(key: Key, row: Row)] = []
        guard limit > 0 else { return rows }
        let start = position.map { keyBehind($0.bytes) }
        try scan(bytesOf: table.raw, prefix.bytes, from: start) { key, value throws(StoreFailure) in
            rows.append((try table.key(key), try table.row(value, at: key)))
            return rows.count < limit
        }
        return rows
    }

    /// Reads the keys that begin with `prefix`: all keys, or the keys behind the key `position`.
    ///
    /// - Complexity: O(log *n* + *k*) in the returned keys.
    @inlinable
    package func keys<Key, Row>(
        in table: TypedTable<Key, Row>,
        _ prefix: KeyPrefix<Key> = .all,
        after position: Key? = nil,
        atMost limit: Int = .max
    ) throws(StoreFailure) -> [Key] {
        let start = position.map { keyBehind($0.bytes) }
        let found = try keys(bytesOf: table.raw, prefix.bytes, from: start, atMost: limit)
        var keys: [Key] = []
        keys.reserveCapacity(found.count)
        for key in found { keys.append(try table.key(key)) }
        return keys
    }

    /// Reads the last rows whose keys begin with `prefix`, the last first: all rows, or the rows
    /// before the key `position`.
    ///
    /// - Complexity: O(log *n* + *k*) in the returned rows.
    @inlinable
    package func lastRows<Key, Row>(
        in table: TypedTable<Key, Row>,
        _ prefix: KeyPrefix<Key>,
        before position: Key? = nil,
        atMost limit: Int
    ) throws(StoreFailure) -> [(key: Key, row: Row)] {
        // The longest key with the prefix: none is behind it.
        let end = position?.bytes ?? prefix.bytes + longestRest(of: prefix.bytes)
        let found = try entries(bytesOf: table.raw, prefix.bytes, before: end, atMost: limit)
        var rows: [(key: Key, row: Row)] = []
        rows.reserveCapacity(found.count)
        for (key, value) in found {
            rows.append((try table.key(key), try table.row(value, at: key)))
        }
        return rows
    }

    /// Reads the last entries whose keys begin with `prefix` and are less than `end`, the last
    /// first.
    @usableFromInline
    package func entries(
        bytesOf table: StoreTable,
        _ prefix: [UInt8],
        before end: [UInt8],
        atMost limit: Int
    ) throws(StoreFailure) -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        guard limit > 0 else { return entries }
        if let layers = layers(of: table, before: end) {
            try merge(layers, table, from: end) { key, value in
                guard KeyOrder.isPrefix(prefix, of: key) else { return false }
                entries.append((key, value))
                return entries.count < limit
            }
            return entries
        }
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withCursor(in: table.tree) { cursor throws(LMDBError) in
                _ = try cursor.seek(atOrAfter: end)
                while entries.count < limit, try cursor.move(to: .previous) {
                    let entry = try cursor.entry()
                    guard KeyOrder.isPrefix(prefix, of: entry.key) else { break }
                    entries.append(entry)
                }
            }
        }
        return entries
    }

    /// Reads the keys of the entries whose keys begin with `prefix`, without the values.
    ///
    /// - Complexity: O(log *n* + *k*) in the returned keys.
    @usableFromInline
    package func keys(
        bytesOf table: StoreTable,
        _ prefix: [UInt8] = [],
        from start: [UInt8]? = nil,
        atMost limit: Int = .max
    ) throws(StoreFailure) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        guard limit > 0 else { return keys }
        try scan(bytesOf: table, prefix, from: start, readsValues: false) { key, _ in
            keys.append(key)
            return keys.count < limit
        }
        return keys
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// The first key of a table, or nil where the table is empty.
    ///
    /// - Complexity: O(1) in a batch where it is known from earlier batches, else O(log *n*).
    package func firstKey(in table: StoreTable) throws(StoreFailure) -> [UInt8]? {
        guard let index = table.index, let changes = companion as? StateChanges else {
            return try keys(bytesOf: table, atMost: 1).first
        }
        return try changes.firstKey(of: index) { () throws(StoreFailure) in
            try keys(bytesOf: table, atMost: 1).first
        }
    }
}

/// Bytes of the longest key that LMDB takes.
private let keyByteLimit = 511

/// The rest of the greatest key that begins with `prefix`.
@usableFromInline
package func longestRest(of prefix: [UInt8]) -> [UInt8] {
    [UInt8](repeating: .max, count: keyByteLimit - prefix.count)
}

/// The least key that is greater than another key.
@inlinable
package func keyBehind(_ key: [UInt8]) -> [UInt8] { key + [0] }

extension Cursor {
    /// Moves to the first entry whose key is `key` or greater; no bytes are before every key.
    @inlinable
    package mutating func seek(from key: [UInt8]) throws(LMDBError) -> Bool {
        try key.isEmpty ? move(to: .first) : seek(atOrAfter: key)
    }

    /// A copy of the entry under the cursor.
    @inlinable
    package func entry() throws(LMDBError) -> (key: [UInt8], value: [UInt8]) {
        try withEntry { key, value in ([UInt8](copying: key), [UInt8](copying: value)) }
    }

    /// A copy of the key under the cursor.
    @inlinable
    package func key() throws(LMDBError) -> [UInt8] {
        try withEntry { key, _ in [UInt8](copying: key) }
    }
}
