internal import BelfryLMDB
internal import NotificationCore

/// How much may be behind, and how it is merged.
package struct ChangeLimits: Hashable, Sendable {
    /// Changes after which a merge begins: a start replays at most about twice as many, and they
    /// are in memory until then.
    package var changesPerMerge = 65_536
    /// The rows that each batch merges at least, while a merge is under way.
    package var mergedPerBatch = 64
    /// The rows of the log that each batch deletes at most, once they are merged.
    package var trimmedPerBatch = 64

    /// The default limits.
    package init() {}
}

/// The changes that one state of a store has beside the trees of its tables.
///
/// New changes are in the newer map of their table. A merge takes all maps as they are, the older
/// maps from then on, and writes them into the trees slice by slice; the maps are forgotten when
/// the last slice is done. A key that both maps have is changed as the newer map says.
///
/// Safety: A write transaction has its own object, which only its thread uses and changes. Once the
/// transaction commits, nobody changes the object: the next one is a copy.
@safe
final class StateChanges: @unchecked Sendable {
    /// The changes of one table.
    struct Maps {
        var newer = ChangeMap()
        /// The changes that are being merged.
        var older = ChangeMap()
    }

    /// A merge that is under way.
    struct Merge {
        /// The last row of the log with a change of the merge.
        var end: ChangeNumber
        /// The table from which it goes on.
        var table = 0
        /// The key of that table from which it goes on.
        var key: [UInt8] = []
    }

    private(set) var maps: [Maps]
    private(set) var merge: Merge?
    /// The last row of the log.
    private(set) var lastRow: ChangeNumber
    /// The last row of the log of which all changes are in the trees.
    private(set) var merged: ChangeNumber
    /// The last row of the log that was deleted.
    private var trimmed: ChangeNumber
    /// Changes since the last merge began.
    private var changeCount = 0
    private let limits: ChangeLimits
    /// What the write transaction has changed.
    private var rows = ChangeLogRow.Rows()
    /// Whether the write transaction merges although nothing was changed.
    var mergesNow = false

    /// The rows that a transaction merges, and deletes from the log, which does nothing else.
    static let mergedAtOnce = 4_096

    /// No changes, but those up to a row of the log, which are in the trees.
    ///
    /// - Parameters:
    ///   - merged: The last row of the log of which all changes are in the trees.
    ///   - first: The first row that the log has; nil where it is empty.
    ///   - limits: How much may be behind.
    init(merged: ChangeNumber, first: ChangeNumber?, _ limits: ChangeLimits) {
        maps = Array(repeating: Maps(), count: LaggingTable.allCases.count)
        lastRow = merged
        self.merged = merged
        // Wrapping: a damaged file may have a row 0.
        trimmed = min(first.map { ChangeNumber(rawValue: $0.rawValue &- 1) } ?? merged, merged)
        self.limits = limits
    }

    /// The object of the next state, with the same changes.
    init(following state: StateChanges) {
        maps = state.maps
        merge = state.merge
        lastRow = state.lastRow
        merged = state.merged
        trimmed = state.trimmed
        changeCount = state.changeCount
        limits = state.limits
    }

    // MARK: Reading

    /// The newest change of a key; nil where the tree has the row as it is.
    func change(at key: [UInt8], in table: LaggingTable) -> Change? {
        let index = table.index
        let key = ChangeKey(key)
        return maps[index].newer.change(at: key) ?? maps[index].older.change(at: key)
    }

    /// Whether there is a change that is not in the trees, or a row of the log that is not needed.
    var isBehind: Bool { merged < lastRow || trimmed < merged }

    /// Whether the older map has a change of a key: the tree may have its row or get it.
    func isBeingMerged(_ key: [UInt8], in table: LaggingTable) -> Bool {
        maps[table.index].older.contains(ChangeKey(key))
    }

    // MARK: Changing

    /// Notes a change, and that it is to be logged.
    func set(_ key: [UInt8], _ change: Change, in table: LaggingTable) {
        // What the tree takes at the merge.
        precondition((1...511).contains(key.count), "a key has from 1 to 511 bytes")
        maps[table.index].newer.set(ChangeKey(key), change)
        rows.append(ChangeLogRow.Entry(table: table, key: key, change: change))
    }

    /// Forgets the changes of a key that is deleted at once; tells whether a row was among them.
    func remove(_ key: [UInt8], in table: LaggingTable) -> Bool {
        let key = ChangeKey(key)
        let wasNewer = maps[table.index].newer.remove(key)
        let wasOlder = maps[table.index].older.remove(key)
        return wasNewer || wasOlder
    }

    /// Notes that the deletion of a key, which was done at once, is to be logged.
    func logDeletion(of key: [UInt8], in table: LaggingTable) {
        rows.append(ChangeLogRow.Entry(table: table, key: key, change: .deletion))
    }

    /// Repeats the changes of a row of the log, at a start.
    func replay(_ row: ChangeLogRow, _ number: ChangeNumber) {
        for entry in row.entries {
            let index = entry.table.index
            let key = ChangeKey(entry.key)
            if entry.change == .deletion, entry.table.deletesAtOnce {
                // The tree has lost the row with the batch that logged it.
                maps[index].newer.remove(key)
            } else {
                maps[index].newer.set(key, entry.change)
            }
        }
        changeCount += row.entries.count
        lastRow = number
    }

    // MARK: The end of a write transaction

    /// Writes the log of the transaction, and does its share of the merge.
    ///
    /// A transaction without a change of a lagging table writes nothing.
    func finish(
        _ trees: ChangeTrees,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let count = rows.changeCount
        guard count > 0 || mergesNow else { return }
        let written = rows.bytes
        for bytes in written {
            lastRow = lastRow.next
            try transaction.append(bytes, forKey: lastRow.bytes, in: trees.log)
        }
        rows = ChangeLogRow.Rows()
        changeCount += count
        // Twice the changes: a merge that began with more than it should ends before the next one
        // is due.
        let slice = mergesNow ? Self.mergedAtOnce : max(limits.mergedPerBatch, 2 * count)
        if mergesNow { beginMergeIfDue() }
        try mergeSlice(of: slice, trees, in: transaction)
        beginMergeIfDue()
        // More than are appended: the log ends up with what is not merged, however busy the store.
        let trimLimit = mergesNow ? Self.mergedAtOnce : limits.trimmedPerBatch
        try trim(atMost: max(trimLimit, 2 * written.count), trees, in: transaction)
        // LMDB makes no new state of a transaction that writes nothing, such as one that merges
        // deletions of rows that the trees do not have: then what was done would be forgotten.
        if mergesNow { try noteMerged(trees, in: transaction) }
    }

    private func beginMergeIfDue() {
        let isDue = mergesNow ? merged < lastRow : changeCount >= limits.changesPerMerge
        guard merge == nil, isDue else { return }
        for index in maps.indices {
            maps[index] = Maps(older: maps[index].newer)
        }
        merge = Merge(end: lastRow)
        changeCount = 0
    }

    private func mergeSlice(
        of limit: Int,
        _ trees: ChangeTrees,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard var merge else { return }
        var rest = limit
        while merge.table < maps.count {
            let tree = trees.tables[merge.table]
            var cursor = ChangeCursor(
                maps[merge.table].older,
                atOrAfter: ChangeKey(merge.key)
            )
            while let key = cursor.key {
                guard rest > 0 else {
                    merge.key = key
                    self.merge = merge
                    return
                }
                switch cursor.change {
                case .put(let row): try transaction.put(row, forKey: key, in: tree)
                case .deletion: try transaction.delete(key: key, in: tree)
                }
                rest -= 1
                cursor.move(forward: true)
            }
            merge.table += 1
            merge.key = []
        }
        for index in maps.indices { maps[index].older = ChangeMap() }
        merged = merge.end
        self.merge = nil
        try noteMerged(trees, in: transaction)
    }

    private func noteMerged(
        _ trees: ChangeTrees,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let row = MergedRow(upTo: merged).bytes
        try transaction.put(row, forKey: MetaKey.merged.bytes, in: trees.meta)
    }

    /// Deletes rows of the log that are merged.
    private func trim(
        atMost limit: Int,
        _ trees: ChangeTrees,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard trimmed < merged else { return }
        let keys = try transaction.withCursor(in: trees.log) { cursor throws(LMDBError) in
            var keys: [[UInt8]] = []
            while keys.count < limit, try cursor.move(to: .next) {
                keys.append(try cursor.key())
            }
            return keys
        }
        let end = merged.bytes
        for key in keys where !KeyOrder.isLess(end, key) {
            try transaction.delete(key: key, in: trees.log)
        }
        let isRest = keys.count < limit || keys.last.map { KeyOrder.isLess(end, $0) } == true
        if isRest { trimmed = merged }
    }
}

/// The trees that the log and the merge write.
struct ChangeTrees: Sendable {
    /// The log of changes.
    let log: Table
    /// The store-wide facts.
    let meta: Table
    /// The trees of the lagging tables, in the order of ``LaggingTable``.
    let tables: [Table]
}
