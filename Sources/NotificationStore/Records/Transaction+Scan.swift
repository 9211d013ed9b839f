internal import BelfryLMDB

// Loops over a table: every loop over rows uses one of these functions.

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Calls `body` for the rows whose keys begin with `prefix`, in the order of the keys.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - prefix: The prefix of the keys; empty is every row.
    ///   - start: The key from which the loop begins; nil is the first key with the prefix.
    ///   - body: Takes a row, and returns whether to go on with the next row.
    /// - Throws: What the store reports, or what `body` threw.
    /// - Complexity: O(log *n* + *k*) in the rows that `body` takes.
    @inline(__always)
    func scan(
        _ table: Table,
        _ prefix: [UInt8],
        from start: [UInt8]? = nil,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) -> Bool
    ) throws(LMDBError) {
        try withCursor(in: table) { cursor throws(LMDBError) in
            let first = start ?? prefix
            var found = try first.isEmpty ? cursor.move(to: .first) : cursor.seek(atOrAfter: first)
            while found {
                let (key, value) = try cursor.entry()
                guard key.starts(with: prefix), try body(key, value) else { return }
                found = try cursor.move(to: .next)
            }
        }
    }

    /// Reads the rows whose keys begin with `prefix`: all rows, or the rows behind the key
    /// `position`.
    ///
    /// - Complexity: O(log *n* + *k*) in the returned rows.
    func rows(
        in table: Table,
        _ prefix: [UInt8],
        after position: [UInt8]? = nil,
        atMost limit: Int = .max
    ) throws(LMDBError) -> [(key: [UInt8], value: [UInt8])] {
        var rows: [(key: [UInt8], value: [UInt8])] = []
        guard limit > 0 else { return rows }
        try scan(table, prefix, from: position.map(Key.next)) { key, value in
            rows.append((key, value))
            return rows.count < limit
        }
        return rows
    }

    /// Reads the keys that begin with `prefix`: all keys, or the keys behind the key `position`.
    ///
    /// - Complexity: O(log *n* + *k*) in the returned keys.
    func keys(
        in table: Table,
        _ prefix: [UInt8],
        after position: [UInt8]? = nil,
        atMost limit: Int = .max
    ) throws(LMDBError) -> [[UInt8]] {
        guard limit > 0 else { return [] }
        return try withCursor(in: table) { cursor throws(LMDBError) in
            var keys: [[UInt8]] = []
            let first = position.map(Key.next) ?? prefix
            var found = try first.isEmpty ? cursor.move(to: .first) : cursor.seek(atOrAfter: first)
            while found, keys.count < limit {
                let key = try cursor.key()
                guard key.starts(with: prefix) else { break }
                keys.append(key)
                found = try cursor.move(to: .next)
            }
            return keys
        }
    }
}

extension Key {
    /// The least key that is greater than another key.
    static func next(_ key: [UInt8]) -> [UInt8] { key + [0] }
}
