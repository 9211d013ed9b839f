public import BelfryLMDB
internal import Faults
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

    /// Reads the value of an entry, or nil where there is none.
    @inlinable
    package func value(at key: [UInt8], in table: StoreTable) throws(StoreFailure) -> [UInt8]? {
        if let change = change(at: key, in: table) { return change.row }
        return try StoreFailure.ofLMDB(try value(forKey: key, in: table.tree))
    }

    /// The newest change of a key that is not in the tree; nil where the tree has the row as it is.
    @usableFromInline
    func change(at key: [UInt8], in table: StoreTable) -> Change? {
        guard let index = table.index else { return nil }
        return (companion as? StateChanges)?.change(at: key, in: index)
    }

    /// The kind of the newest change of a key in a table; nil where its tree is right.
    @usableFromInline
    func kind(of key: [UInt8], in table: StoreTable) -> ChangeKind? {
        guard let index = table.index else { return nil }
        return (companion as? StateChanges)?.kind(of: ChangeKey(key), in: index)
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
        try byteCount(at: key.bytes, in: table.raw)
    }

    @usableFromInline
    func byteCount(at key: [UInt8], in table: StoreTable) throws(StoreFailure) -> Int? {
        if let kind = kind(of: key, in: table) { return kind.byteCount }
        return try StoreFailure.ofLMDB(try withValue(forKey: key, in: table.tree) { $0.byteCount })
    }

    /// About how many bytes the rows of a table take that is counted.
    package func byteCount<Key, Row>(of table: TypedTable<Key, Row>) throws(StoreFailure) -> Int {
        try size(of: table.raw).byteCount
    }

    private func size(of table: StoreTable) throws(StoreFailure) -> StateChanges.TableSize {
        precondition(table.keepsCount, "the rows of the table are not counted")
        if let index = table.index, let changes = companion as? StateChanges {
            return changes.size(of: index)
        }
        return try StoreFailure.ofLMDB { () throws(LMDBError) in
            let found = try statistics(of: table.tree)
            return .init(rowCount: found.entryCount, byteCount: found.dataByteCount)
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
        try withRow(at: key, in: table) { value throws(RowProblem) in
            try StringTableRecord.string(name, in: value)
        } ?? nil
    }

    /// How many texts an app has in a language, and their bytes, without a copy of them; of no
    /// texts, nothing.
    package func stringTableSize(
        at key: StringTableKey,
        in table: TypedTable<StringTableKey, StringTableRecord>
    ) throws(StoreFailure) -> (count: Int, byteCount: Int) {
        try withRow(at: key, in: table) { value throws(RowProblem) in
            (count: try StringTableRecord.textCount(of: value), byteCount: value.byteCount)
        } ?? (0, 0)
    }

    /// Lends the bytes of a row, without a copy of those in the tree; nil where there is none.
    private func withRow<Key, Row, R>(
        at key: Key,
        in table: TypedTable<Key, Row>,
        _ body: (RawSpan) throws(RowProblem) -> R
    ) throws(StoreFailure) -> R? {
        let key = key.bytes
        if let change = change(at: key, in: table.raw) {
            guard let row = change.row else { return nil }
            return try table.decoding(key) { () throws(RowProblem) in
                try row.withRawSpan(body)
            }
        }
        let found = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key, in: table.raw.tree) { value in
                Result { () throws(RowProblem) in try body(value) }
            }
        }
        guard let found else { return nil }
        return try table.decoding(key) { () throws(RowProblem) in try found.get() }
    }

    @inlinable
    package func contains<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Bool {
        try contains(bytes: key.bytes, in: table.raw)
    }

    @inlinable
    package func contains(bytes: [UInt8], in table: StoreTable) throws(StoreFailure) -> Bool {
        if let kind = kind(of: bytes, in: table) { return kind != .deletion }
        return try StoreFailure.ofLMDB(try contains(key: bytes, in: table.tree))
    }

    /// How many rows a table has at least: those of its tree that no change can have deleted.
    func leastRowCount(of table: StoreTable) throws(StoreFailure) -> Int {
        let (inTree, maps) = try treeRowCount(of: table)
        return max(0, inTree - maps.reduce(0) { $0 + $1.changeCount })
    }

    /// About how many rows a table has: changes of rows that the tree has are counted twice.
    package func estimatedRowCount(of table: StoreTable) throws(StoreFailure) -> Int {
        let (inTree, maps) = try treeRowCount(of: table)
        return inTree + maps.reduce(0) { $0 + $1.count }
    }

    /// How many rows the tree of a table has, and the changes that it lacks.
    private func treeRowCount(
        of table: StoreTable
    ) throws(StoreFailure) -> (Int, [ChangeMap]) {
        let inTree = try StoreFailure.ofLMDB(try count(of: table.tree))
        guard let index = table.index, let changes = companion as? StateChanges else {
            return (inTree, [])
        }
        let maps = changes.maps[index]
        return (inTree, [maps.open, maps.last, maps.newer, maps.older])
    }

    /// How many rows a table has that is counted.
    ///
    /// - Complexity: O(1).
    package func rowCount<Key, Row>(of table: TypedTable<Key, Row>) throws(StoreFailure) -> Int {
        try size(of: table.raw).rowCount
    }

    /// Whether a table has no rows.
    package func isEmpty<Key, Row>(_ table: TypedTable<Key, Row>) throws(StoreFailure) -> Bool {
        try firstKey(in: table.raw) == nil
    }
}

extension RowWriter where Self: ~Copyable {
    /// Writes a row, in place of the row that the key had.
    @inlinable
    package func put<Key, Row>(
        _ row: Row,
        at key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) {
        try put(bytes: row.bytes, at: key.bytes, in: table.raw)
    }

    @inlinable
    package func put(bytes: [UInt8], at key: [UInt8], in table: StoreTable) throws(StoreFailure) {
        try set(bytes, at: key, in: table, isNew: false)
    }

    /// Writes a key of a table whose keys hold everything.
    @inlinable
    package func put<Key>(
        _ key: Key,
        in table: TypedTable<Key, NoRow>
    ) throws(StoreFailure) {
        try put(bytes: [], at: key.bytes, in: table.raw)
    }

    /// Writes a row whose key has none.
    @inlinable
    package func insert<Key, Row>(
        _ row: Row,
        at key: Key,
        in table: TypedTable<Key, Row>
    ) throws(StoreFailure) {
        try set(row.bytes, at: key.bytes, in: table.raw, isNew: true)
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
    package func delete(bytes: [UInt8], in table: StoreTable) throws(StoreFailure) -> Bool {
        try remove(bytes, in: table, wasRead: false)
    }

    /// Deletes a row that has to exist: a missing row means that two tables disagree.
    ///
    /// `wasRead` says that the transaction has read the row, so that its tree need not be searched.
    @inlinable
    package func deleteExisting<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>,
        wasRead: Bool = false
    ) throws(StoreFailure) {
        let key = key.bytes
        guard try remove(key, in: table.raw, wasRead: wasRead) else {
            throw table.error(.missing, key)
        }
    }
}
