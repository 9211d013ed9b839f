public import BelfryLMDB
package import NotificationCore

// The rows of typed tables. Reading copies a row; nothing points into the map.

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Reads a row, or nil where there is none; an error names the row.
    @inlinable
    package func rowIfAny<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Row? {
        try rowIfAny(at: key.bytes, in: table)
    }

    /// Reads the row at a key that was encoded before.
    @inlinable
    package func rowIfAny<Key, Row>(
        at key: [UInt8],
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Row? {
        guard let bytes = try bytes(at: key, in: table) else { return nil }
        return try table.row(bytes, at: key)
    }

    /// Reads a row that has to exist; an error names the row.
    @inlinable
    package func row<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Row {
        let key = key.bytes
        guard let row = try rowIfAny(at: key, in: table) else { throw table.error(.missing, key) }
        return row
    }

    /// Reads a part of a row that has to exist; an error names the row.
    @inlinable
    package func part<Key, Part: TableRowPart>(
        of key: Key,
        in table: TypedTable<Key, Part.Whole>,
        _: Part.Type = Part.self
    ) throws(StoreFailure) -> Part {
        let key = key.bytes
        guard let bytes = try bytes(at: key, in: table) else { throw table.error(.missing, key) }
        return try table.decoding(key) { () throws(RowProblem) in try Part(bytes) }
    }

    /// Reads the value of an entry, or nil where there is none.
    @inlinable
    package func value(at key: [UInt8], in table: Table) throws(StoreFailure) -> [UInt8]? {
        try StoreFailure.ofLMDB { () throws(LMDBError) in try value(forKey: key, in: table) }
    }

    /// Reads the bytes of a row, or nil where there is none.
    @inlinable
    package func bytes<Key, Row>(
        at key: [UInt8],
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> [UInt8]? {
        try value(at: key, in: table.raw)
    }

    /// Reads a row that may be damaged.
    @inlinable
    package func found<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> FoundRow<Row> {
        guard let bytes = try bytes(at: key.bytes, in: table) else { return .missing }
        return (try? Row(bytes)).map { .row($0) } ?? .damaged
    }

    /// How many bytes a row has, or nil where there is none.
    @inlinable
    package func byteCount<Key, Row>(
        at key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Int? {
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key.bytes, in: table.raw) { $0.byteCount }
        }
    }

    /// Finds one text in an app's texts, without a copy of the others.
    ///
    /// - Complexity: O(log *n*) comparisons of keys.
    package func string(
        _ name: [UInt8],
        at key: StringTableKey,
        in table: TypedTable<StringTableKey, StringTableRecord>
    ) throws(StoreFailure) -> LocalizedString? {
        let found = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key.bytes, in: table.raw) { value in
                Result { () throws(RowProblem) in
                    try StringTableRecord.string(name, in: value)
                }
            }
        }
        guard let found else { return nil }
        return try table.decoding(key.bytes) { () throws(RowProblem) in try found.get() }
    }

    /// Whether a row exists.
    @inlinable
    package func contains<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Bool {
        try contains(bytes: key.bytes, in: table.raw)
    }

    /// Whether a table has an entry.
    @inlinable
    package func contains(bytes: [UInt8], in table: Table) throws(StoreFailure) -> Bool {
        try StoreFailure.ofLMDB { () throws(LMDBError) in try contains(key: bytes, in: table) }
    }

    /// How many rows a table has.
    @inlinable
    package func rowCount<Key, Row>(
        of table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Int {
        try StoreFailure.ofLMDB { () throws(LMDBError) in try count(of: table.raw) }
    }
}

/// A row as a check or a repair finds it.
@usableFromInline
package enum FoundRow<Row> {
    /// There is no row.
    case missing
    /// The row does not decode.
    case damaged
    /// The row.
    case row(Row)

    /// The row, where it decodes.
    package var row: Row? {
        if case .row(let row) = self { return row }
        return nil
    }

    /// Whether there is no row.
    package var isMissing: Bool {
        if case .missing = self { return true }
        return false
    }
}

extension WriteTransaction {
    /// Writes a row, in place of the row that the key had.
    @inlinable
    package func put<Key, Row>(
        _ row: Row,
        at key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) {
        try put(bytes: row.bytes, at: key.bytes, in: table.raw)
    }

    /// Writes the bytes of a row.
    @inlinable
    package func put(bytes: [UInt8], at key: [UInt8], in table: Table) throws(StoreFailure) {
        try StoreFailure.ofLMDB { () throws(LMDBError) in try put(bytes, forKey: key, in: table) }
    }

    /// Writes a key of a table whose keys hold everything.
    @inlinable
    package func put<Key>(
        _ key: Key,
        in table: TypedTable<Key, NoRow>
    ) throws(StoreFailure) {
        try put(bytes: [], at: key.bytes, in: table.raw)
    }

    /// Writes a row behind all rows of the table.
    @inlinable
    package func append<Key, Row>(
        _ row: Row,
        at key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) {
        try append(bytes: row.bytes, at: key.bytes, in: table.raw)
    }

    /// Writes the bytes of a row behind all rows of the table.
    @inlinable
    package func append(bytes: [UInt8], at key: [UInt8], in table: Table) throws(StoreFailure) {
        try StoreFailure.ofLMDB { () throws(LMDBError) in try append(bytes, forKey: key, in: table)
        }
    }

    /// Deletes a row, and tells whether the row existed.
    @inlinable
    @discardableResult
    package func delete<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Bool {
        try delete(bytes: key.bytes, in: table.raw)
    }

    /// Deletes an entry, and tells whether it existed.
    @inlinable
    @discardableResult
    package func delete(bytes: [UInt8], in table: Table) throws(StoreFailure) -> Bool {
        try StoreFailure.ofLMDB { () throws(LMDBError) in try delete(key: bytes, in: table) }
    }

    /// Deletes a row that has to exist: a missing row means that two tables disagree.
    @inlinable
    package func deleteExisting<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) {
        let key = key.bytes
        guard try delete(bytes: key, in: table.raw) else { throw table.error(.missing, key) }
    }
}
