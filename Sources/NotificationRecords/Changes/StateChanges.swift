internal import BelfryLMDB
internal import Faults
internal import NotificationCore

/// How much may be behind, and how it is merged.
package struct ChangeLimits: Hashable, Sendable {
    /// Changes after which a merge begins, or rows of the log where rows that gather have made more
    /// of these: a start replays at most about twice as many, and they are in memory until then.
    package var changesPerMerge = 65_536
    /// The bytes of the log after which a merge begins: they are in memory, too, until then.
    package var bytesPerMerge = 32 << 20
    /// The rows that each batch merges at least, while a merge is under way.
    package var mergedPerBatch = 64
    /// The rows of the log that each batch deletes at most, once they are merged.
    package var trimmedPerBatch = 64
    /// The rows that gather at most before they are written into their trees.
    package var gatheredRows = 64
    /// The bytes of a row that gathers at most: the log keeps such rows until the next merge.
    package var gatheredRowBytes = 1_024

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

    /// How much a write transaction merges.
    enum Pace {
        /// A merge begins once enough has changed.
        case usual
        /// A merge begins whatever has changed: the store is full, and deleted rows take room until
        /// they are merged. A batch merges little, for which there is room.
        case inFullStore
        /// All is merged, although nothing was changed.
        case atOnce
    }

    /// Changes, and the bytes of their rows of the log.
    private struct Behind {
        var count = 0
        var byteCount = 0
    }

    /// A merge that is under way.
    struct Merge {
        /// The last row of the log with a change of the merge.
        var end: ChangeNumber
        /// The table from which it goes on.
        var table = 0
        var key: [UInt8] = []
    }

    private(set) var maps: [Maps]
    private(set) var merge: Merge?
    /// The newest row of the log.
    private(set) var lastRow: ChangeNumber
    /// The last row of the log of which all changes are in the trees.
    private(set) var merged: ChangeNumber
    private var trimmed: ChangeNumber
    /// The changes since the last merge began.
    private var behind = Behind()
    private let trees: ChangeTrees
    private let limits: ChangeLimits
    /// The rows that gather, which are in the newer maps of their tables.
    private var gathered = GatheredRows()
    /// The changes of the write transaction to the tables that are merged.
    private var rows = ChangeLogRow.Rows()
    /// The bytes that the changed rows take more than before, by their owners.
    ///
    /// Bounded: a transaction changes a limited number of rows.
    var ownerBytes: [RowOwner: Int] = [:]
    /// How the write transaction merges.
    var pace = Pace.usual
    private var mergesNow: Bool { pace == .atOnce }

    /// The rows that a transaction merges, and deletes from the log, which does nothing else.
    static let mergedAtOnce = 4_096

    /// No changes, but those up to a row of the log, which are in the trees.
    ///
    /// `merged` is the last row of the log of which all changes are in the trees. `first` is the
    /// first row that the log has; nil where it is empty. `limits` says how much may be behind.
    init(
        merged: ChangeNumber,
        first: ChangeNumber?,
        _ trees: ChangeTrees,
        _ limits: ChangeLimits
    ) {
        maps = Array(repeating: Maps(), count: LaggingTable.allCases.count)
        lastRow = merged
        self.merged = merged
        // Wrapping: a damaged file may have a row 0.
        trimmed = min(first.map { ChangeNumber(rawValue: $0.rawValue &- 1) } ?? merged, merged)
        self.trees = trees
        self.limits = limits
    }

    /// The object of the next state, with the same changes.
    init(following state: StateChanges) {
        maps = state.maps
        merge = state.merge
        lastRow = state.lastRow
        merged = state.merged
        trimmed = state.trimmed
        behind = state.behind
        trees = state.trees
        limits = state.limits
        gathered = GatheredRows(following: state.gathered)
    }

    // MARK: Reading

    /// The newest change of a key; nil where the tree has the row as it is.
    func change(at key: [UInt8], in table: LaggingTable) -> Change? {
        let index = table.index
        let key = ChangeKey(key)
        if Fault.olderChangeWins.isPlanted, let older = maps[index].older.change(at: key) {
            return older
        }
        return maps[index].newer.change(at: key) ?? maps[index].older.change(at: key)
    }

    /// Whether there is a change that is not in the trees, or a row of the log that is not needed.
    var isBehind: Bool { merged < lastRow || trimmed < merged }

    /// Whether the older map has a change of a key: the tree may have its row or get it.
    func isBeingMerged(_ key: [UInt8], in table: LaggingTable) -> Bool {
        maps[table.index].older.contains(ChangeKey(key))
    }

    // MARK: Changing

    /// The keys of the trees take so many bytes.
    private static let keyByteCounts = 1...511

    /// Notes a change, and that it is to be logged.
    func set(_ key: [UInt8], _ change: Change, in table: LaggingTable) {
        // The tree takes no other keys at the merge.
        precondition(Self.keyByteCounts.contains(key.count), "a key has from 1 to 511 bytes")
        maps[table.index].newer.set(ChangeKey(key), change)
        rows.append(ChangeLogRow.Entry(table: table, key: key, change: change))
    }

    /// Forgets the changes of a key that is deleted at once; tells whether a row was among them.
    func remove(_ key: [UInt8], in table: LaggingTable) -> Bool {
        let key = ChangeKey(key)
        let wasNewer = maps[table.index].newer.remove(key)
        let wasOlder =
            Fault.deletedRowMerged.isPlanted
            ? maps[table.index].older.contains(key) : maps[table.index].older.remove(key)
        return wasNewer || wasOlder
    }

    /// Notes that the deletion of a key, which was done at once, is to be logged.
    func logDeletion(of key: [UInt8], in table: LaggingTable) {
        rows.append(ChangeLogRow.Entry(table: table, key: key, change: .deletion))
    }

    /// Repeats the changes of a row of the log, at a start.
    ///
    /// `flushed` is the last row whose changes of tables that gather are in the trees.
    func replay(_ row: ChangeLogRow, _ number: ChangeNumber, flushed: ChangeNumber) {
        for entry in row.entries {
            let index = entry.table.index
            let key = ChangeKey(entry.key)
            if entry.table.gathers {
                guard number > flushed || Fault.flushedRowsReplayed.isPlanted else { continue }
                gathered.replay()
            } else {
                behind.count += 1
            }
            if entry.change == .deletion, entry.table.deletesAtOnce {
                // The tree has lost the row with the batch that logged it.
                maps[index].newer.remove(key)
            } else {
                maps[index].newer.set(key, entry.change)
            }
        }
        lastRow = number
    }

    /// Counts the gathered rows that no tree has, after the changes of the log were repeated.
    func countGathered(in transaction: borrowing ReadTransaction) throws(LMDBError) {
        for table in LaggingTable.gathering {
            var cursor = ChangeCursor(maps[table.index].newer, atOrAfter: ChangeKey([]))
            while let key = cursor.key {
                let isInTree = try transaction.contains(key: key, in: trees.tables[table.index])
                gathered.count(isNew: !isInTree, in: table)
                cursor.move(forward: true)
            }
        }
    }

    // MARK: Rows that gather

    /// How many rows of a table that gathers no tree has under any key.
    func newRowCount(of table: LaggingTable) -> Int { gathered.newCount(of: table) }

    /// Whether the write transaction has flushed the rows: what it changes from then on goes into
    /// the trees.
    var hasFlushed: Bool { gathered.hasFlushed }

    /// Notes a row that gathers, and that it is to be logged.
    ///
    /// - Returns: Whether no row under its key has gathered before.
    func gather(_ key: [UInt8], _ row: [UInt8], in table: LaggingTable) -> Bool {
        precondition(Self.keyByteCounts.contains(key.count), "a key has from 1 to 511 bytes")
        let isNew = maps[table.index].newer.set(ChangeKey(key), .put(row))
        gathered.put(key, row, isNew: isNew, in: table)
        return isNew
    }

    /// Counts a gathered row that no tree has under its key.
    func countNew(in table: LaggingTable) { gathered.countNew(in: table) }

    /// Forgets a row that gathers, which is deleted; tells whether it was there.
    func removeGathered(_ key: [UInt8], isInTree: Bool, in table: LaggingTable) -> Bool {
        guard maps[table.index].newer.remove(ChangeKey(key)) else { return false }
        gathered.remove(key, wasNew: !isInTree, in: table)
        return true
    }

    /// Whether a row may gather beside the others.
    func hasRoom(for row: [UInt8]) -> Bool {
        gathered.count < limits.gatheredRows && row.count <= limits.gatheredRowBytes
    }

    /// Writes the rows that have gathered into their trees.
    func flush(in transaction: borrowing WriteTransaction) throws(LMDBError) {
        for table in LaggingTable.gathering {
            let changes = ChangeCursor(maps[table.index].newer, atOrAfter: ChangeKey([]))
            var limit = Int.max
            _ = try write(changes, atMost: &limit, into: trees.tables[table.index], in: transaction)
            maps[table.index].newer = ChangeMap()
        }
        gathered.flush()
    }

    // MARK: The end of a write transaction

    /// Writes the log of the transaction, and does its share of the merge.
    ///
    /// A transaction without a change of a lagging table writes nothing.
    func finish(in transaction: borrowing WriteTransaction) throws(LMDBError) {
        let count = rows.changeCount
        guard count > 0 || gathered.isChanged || pace != .usual else { return }
        let written = rows.bytes + gathered.takeLog()
        for bytes in written {
            lastRow = lastRow.next
            behind.byteCount += bytes.count
            try transaction.append(bytes, forKey: lastRow.bytes, in: trees.log)
        }
        rows = ChangeLogRow.Rows()
        behind.count += count
        // Twice the changes: a merge that began with more than it should ends before the next one
        // is due.
        let usual = max(limits.mergedPerBatch, 2 * count)
        let slice =
            switch pace {
            case .usual: usual
            case .inFullStore: 8 * limits.mergedPerBatch
            case .atOnce: Self.mergedAtOnce
            }
        if pace != .usual { try beginMergeIfDue(in: transaction) }
        try mergeSlice(of: slice, in: transaction)
        try beginMergeIfDue(in: transaction)
        // More than are appended: the log ends up with what is not merged, however busy the store.
        let trimLimit = mergesNow ? Self.mergedAtOnce : limits.trimmedPerBatch
        try trim(atMost: max(trimLimit, 2 * written.count), in: transaction)
        // LMDB makes no new state of a transaction that writes nothing, such as one that merges
        // deletions of rows that the trees do not have: then what was done would be forgotten.
        if pace != .usual { try noteMerged(in: transaction) }
        if gathered.hasFlushed, gathered.isLogged, mergesNow || !Fault.flushNotNoted.isPlanted {
            let row = MergedRow(upTo: lastRow).bytes
            try transaction.put(row, forKey: MetaKey.flushed.bytes, in: trees.meta)
            gathered.noteFlushed()
        }
    }

    /// Begins a merge of all changes, if it is due; the rows that gather are flushed before, since
    /// the log is trimmed after it.
    private func beginMergeIfDue(in transaction: borrowing WriteTransaction) throws(LMDBError) {
        guard merge == nil, isMergeDue else { return }
        if !Fault.gatheredNotFlushed.isPlanted { try flush(in: transaction) }
        for index in maps.indices {
            maps[index] = Maps(older: maps[index].newer)
        }
        merge = Merge(end: lastRow)
        if Fault.mergeNotedEarly.isPlanted { merged = lastRow }
        behind = Behind()
    }

    /// Whether so much is behind that a merge begins.
    private var isMergeDue: Bool {
        if pace != .usual { return merged < lastRow }
        let limit = limits.changesPerMerge
        if Fault.logOfGatheredRowsGrows.isPlanted { return behind.count >= limit }
        return behind.count >= limit || behind.byteCount >= limits.bytesPerMerge
            || lastRow.rawValue - merged.rawValue >= limit
    }

    private func mergeSlice(
        of limit: Int,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard var merge else { return }
        var rest = limit
        while merge.table < maps.count {
            let tree = trees.tables[merge.table]
            let older = ChangeCursor(maps[merge.table].older, atOrAfter: ChangeKey(merge.key))
            if let key = try write(older, atMost: &rest, into: tree, in: transaction) {
                merge.key = key
                self.merge = merge
                return
            }
            merge.table += 1
            merge.key = []
        }
        for index in maps.indices { maps[index].older = ChangeMap() }
        merged = merge.end
        self.merge = nil
        try noteMerged(in: transaction)
    }

    /// Writes changes into a tree through one cursor: the next key is mostly on the same page.
    ///
    /// - Returns: The key of the first change that is not written; nil where all are.
    private func write(
        _ changes: consuming ChangeCursor,
        atMost limit: inout Int,
        into tree: Table,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [UInt8]? {
        var changes = changes
        guard !changes.isAtEnd else { return nil }
        return try transaction.withCursor(in: tree) { cursor throws(LMDBError) in
            while limit > 0, !changes.isAtEnd {
                try changes.withEntry { key, row throws(LMDBError) in
                    if let row {
                        if pace == .inFullStore { limit -= row.count / 4_096 }
                        try cursor.put(row, forKey: key)
                    } else {
                        try cursor.delete(key: key)
                    }
                }
                limit -= 1
                changes.move(forward: true)
            }
            return changes.key
        }
    }

    private func noteMerged(in transaction: borrowing WriteTransaction) throws(LMDBError) {
        let row = MergedRow(upTo: merged).bytes
        try transaction.put(row, forKey: MetaKey.merged.bytes, in: trees.meta)
    }

    /// Deletes rows of the log that are merged.
    private func trim(
        atMost limit: Int,
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
    let log: Table
    let meta: Table
    /// The trees of the lagging tables, in the order of ``LaggingTable``.
    let tables: [Table]
}
