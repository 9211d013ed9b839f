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
    package func value(at key: [UInt8], in table: StoreTable) throws(StoreFailure) -> [UInt8]? {
        if let lag = table.lag, let change = change(at: key, in: lag) { return change.row }
        return try StoreFailure.ofLMDB { () throws(LMDBError) in
            try value(forKey: key, in: table.tree)
        }
    }

    /// The newest change of a key that is not in the tree; nil where the tree has the row as it is.
    @usableFromInline
    func change(at key: [UInt8], in table: LaggingTable) -> Change? {
        (companion as? StateChanges)?.change(at: key, in: table)
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
        let key = key.bytes
        if let lag = table.raw.lag, let change = change(at: key, in: lag) {
            return change.row?.count
        }
        return try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key, in: table.raw.tree) { $0.byteCount }
        }
    }

    /// The bytes of the pages that hold the rows of a table, without those of a lagging table's
    /// changes.
    package func pageByteCount<Key, Row>(
        of table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Int {
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try statistics(of: table.raw.tree).dataByteCount
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
            try withValue(forKey: key.bytes, in: table.raw.tree) { value in
                Result { () throws(RowProblem) in
                    try StringTableRecord.string(name, in: value)
                }
            }
        }
        guard let found else { return nil }
        return try table.decoding(key.bytes) { () throws(RowProblem) in try found.get() }
    }

    /// How many texts an app has in a language, and their bytes, without a copy of them; of no
    /// texts, nothing.
    package func stringTableSize(
        at key: StringTableKey,
        in table: TypedTable<StringTableKey, StringTableRecord>
    ) throws(StoreFailure) -> (count: Int, byteCount: Int) {
        let found = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key.bytes, in: table.raw.tree) { value in
                Result { () throws(RowProblem) in
                    (count: try StringTableRecord.textCount(of: value), byteCount: value.byteCount)
                }
            }
        }
        guard let found else { return (0, 0) }
        return try table.decoding(key.bytes) { () throws(RowProblem) in try found.get() }
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
        if let lag = table.lag, let change = change(at: bytes, in: lag) {
            return change != .deletion
        }
        return try StoreFailure.ofLMDB { () throws(LMDBError) in
            try contains(key: bytes, in: table.tree)
        }
    }

    /// About how many rows a table has: changes of rows that the tree has are counted twice.
    package func estimatedRowCount(of table: StoreTable) throws(StoreFailure) -> Int {
        let inTree = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try count(of: table.tree)
        }
        guard let lag = table.lag, let changes = companion as? StateChanges else { return inTree }
        let maps = changes.maps[lag.index]
        return inTree + maps.newer.count + maps.older.count
    }

    /// How many rows a table has that is not merged.
    @inlinable
    package func rowCount<Key, Row>(
        of table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Int {
        try rowCount(of: table.raw)
    }

    /// How many entries a table has that is not merged.
    @inlinable
    package func rowCount(of table: StoreTable) throws(StoreFailure) -> Int {
        let inTree = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try count(of: table.tree)
        }
        guard let lag = table.lag else { return inTree }
        precondition(lag.gathers, "the rows of a table that is merged are not counted")
        return inTree + newRowCount(of: lag)
    }

    /// How many rows of a table that gathers are not in its tree under any key.
    @usableFromInline
    func newRowCount(of table: LaggingTable) -> Int {
        (companion as? StateChanges)?.newRowCount(of: table) ?? 0
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

    @inlinable
    package func put(bytes: [UInt8], at key: [UInt8], in table: StoreTable) throws(StoreFailure) {
        if let lag = table.lag {
            return try putLater(bytes, at: key, in: table, lag, isAppended: false)
        }
        if let name = table.counted { try count(key, bytes.count, in: table, name) }
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try put(bytes, forKey: key, in: table.tree)
        }
    }

    /// Merges a slice when the transaction commits; false where every change is in the trees.
    func mergeIfBehind() -> Bool {
        guard ownChanges.isBehind else { return false }
        ownChanges.pace = .atOnce
        return true
    }

    /// Merges a little when the transaction commits, though nothing may have changed: the store is
    /// full.
    package func mergeInFullStore() {
        if ownChanges.isBehind { ownChanges.pace = .inFullStore }
    }

    /// Notes a row of a lagging table, which is written into its tree later.
    @usableFromInline
    func putLater(
        _ row: [UInt8],
        at key: [UInt8],
        in table: StoreTable,
        _ lag: LaggingTable,
        isAppended: Bool
    ) throws(StoreFailure) {
        guard lag.gathers else { return ownChanges.set(key, .put(row), in: lag) }
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            if !ownChanges.hasRoom(for: row) { try ownChanges.flush(in: self) }
            // The rest of a large batch is beside what was flushed.
            guard !ownChanges.hasFlushed else {
                guard isAppended else { return try put(row, forKey: key, in: table.tree) }
                return try append(row, forKey: key, in: table.tree)
            }
            guard ownChanges.gather(key, row, in: lag) else { return }
            let isNew = isAppended ? true : try !contains(key: key, in: table.tree)
            if isNew { ownChanges.countNew(in: lag) }
        }
    }

    private var ownChanges: StateChanges {
        guard let changes = companion as? StateChanges else {
            preconditionFailure("the environment's tables were not opened by Tables")
        }
        return changes
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
    package func append(
        bytes: [UInt8],
        at key: [UInt8],
        in table: StoreTable
    ) throws(StoreFailure) {
        if let lag = table.lag {
            return try putLater(bytes, at: key, in: table, lag, isAppended: true)
        }
        if let name = table.counted { try count(key, bytes.count, in: table, name) }
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try append(bytes, forKey: key, in: table.tree)
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
    package func delete(bytes: [UInt8], in table: StoreTable) throws(StoreFailure) -> Bool {
        if let lag = table.lag {
            return lag.deletesAtOnce
                ? try deleteAtOnce(bytes, in: table, lag) : try deleteLater(bytes, in: table, lag)
        }
        if let name = table.counted { try count(bytes, nil, in: table, name) }
        return try StoreFailure.ofLMDB { () throws(LMDBError) -> Bool in
            try delete(key: bytes, in: table.tree)
        }
    }

    /// Deletes an entry at once, also where the table lags, and tells whether it existed: for
    /// entries that are deleted from the front, so that later looks at the front do not pass them.
    @discardableResult
    package func deleteAtOnce(bytes: [UInt8], in table: StoreTable) throws(StoreFailure) -> Bool {
        guard let lag = table.lag else { return try delete(bytes: bytes, in: table) }
        return try deleteAtOnce(bytes, in: table, lag)
    }

    /// Deletes an entry of a lagging table with the next merge, and tells whether it existed.
    @usableFromInline
    func deleteLater(
        _ key: [UInt8],
        in table: StoreTable,
        _ lag: LaggingTable
    ) throws(StoreFailure) -> Bool {
        let newest = change(at: key, in: lag)
        guard newest != .deletion else { return false }
        let isInTree = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try contains(key: key, in: table.tree)
        }
        if isInTree || ownChanges.isBeingMerged(key, in: lag) {
            ownChanges.set(key, .deletion, in: lag)
            return true
        }
        // No merge has seen the row, so none has to delete it.
        guard newest != nil else { return false }
        _ = ownChanges.remove(key, in: lag)
        ownChanges.logDeletion(of: key, in: lag)
        return true
    }

    /// Deletes an entry of a lagging table from its tree and its changes, and tells whether it
    /// existed.
    @usableFromInline
    func deleteAtOnce(
        _ key: [UInt8],
        in table: StoreTable,
        _ lag: LaggingTable
    ) throws(StoreFailure) -> Bool {
        // A merge may have written the row into the tree already.
        let wasInTree = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try delete(key: key, in: table.tree)
        }
        guard lag.gathers else {
            guard ownChanges.remove(key, in: lag) || wasInTree else { return false }
            if !Fault.deletionNotLogged.isPlanted { ownChanges.logDeletion(of: key, in: lag) }
            return true
        }
        return ownChanges.removeGathered(key, isInTree: wasInTree, in: lag) || wasInTree
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
