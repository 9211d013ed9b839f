internal import BelfryLMDB
internal import BelfryLocking
internal import Faults
package import NotificationLog

/// How much may be behind, how it is merged, and what is known of the keys of a table.
package struct ChangeLimits: Hashable, Sendable {
    /// Changes after which a merge begins: their keys and small rows are in memory until then.
    package var changesPerMerge = 131_072
    /// The bytes of the changes, or of the log, after which a merge begins.
    package var bytesPerMerge = 32 << 20
    /// The rows that a merge writes in one transaction.
    package var rowsPerSlice = 1_024
    /// The rows that the smallest filter of a table's keys is for.
    package var leastFilteredKeys = 65_536
    /// The keys that are read before a batch for such a filter, at least.
    package var keysPerBatch = 256
    /// The log of a new store.
    package var log = LogShape(segmentByteCount: 64 << 20, segmentCount: 3)

    package init() {}

    /// The limits for a disk of so many bytes: the log may take a sixteenth of it.
    package func fitting(_ diskBytes: Int?) -> ChangeLimits {
        guard let diskBytes else { return self }
        var limits = self
        limits.bytesPerMerge = min(bytesPerMerge, max(Self.leastBytesPerMerge, diskBytes / 64))
        // A slice takes a new page for each row at worst.
        limits.rowsPerSlice = min(rowsPerSlice, limits.bytesPerMerge / 4_096)
        return limits
    }

    private static let leastBytesPerMerge = 256 << 10
}

/// The changes that one state of a store has beside the trees of its tables.
///
/// The changes of the batch that is being made are in the open map of their table, and go into the
/// newer map when the batch commits: mostly nobody else has that map then, and none of its nodes is
/// copied. A merge takes all newer maps as they are, the older maps from then on, and writes them
/// into the trees slice by slice; the older maps are forgotten when the last slice is done. A key
/// that several maps have is changed as the newest of them says.
///
/// A batch may be made over one that is being written to the log still, and reads its open maps as
/// the last ones: until that batch commits, and lets the next one go on from its newer maps.
///
/// Safety: A batch has its own object, which only its thread uses and changes. Once the batch
/// commits, nobody changes the object: the next one is a copy. Nobody but the next batch uses the
/// filters of keys that both have.
@safe
final class StateChanges: @unchecked Sendable {
    /// The changes of one table: shared by all states in which they are the same.
    final class Maps {
        /// The changes of the batch that is being made.
        var open = ChangeMap()
        /// The changes of the batch before, where that one is being written to the log.
        var last = ChangeMap()
        var newer = ChangeMap()
        /// The changes that are being merged.
        var older = ChangeMap()
        var fronts = TableFronts()
        /// The rows that the table has; of a table that is counted.
        var size: TableSize

        init(_ size: TableSize) { self.size = size }

        init(copying maps: Maps) {
            open = maps.open
            last = maps.last
            newer = maps.newer
            older = maps.older
            fronts = maps.fronts
            size = maps.size
        }
    }

    /// A front that the frame of the batch does not have yet.
    private struct PendingFront {
        let table: Int
        var key: [UInt8]
        var rowCount = 0
    }

    /// How many changes there are, and where their rows are.
    struct Extent {
        var count = 0
        /// The bytes of their keys and rows.
        var byteCount = 0
        /// The bytes of the log that they take.
        var loggedByteCount = 0
        /// Keep the rows in the log.
        var leases: [LogLease] = []
        /// The keys that may have one, for the batch that is being made; nil where there is none.
        var keys: KeyFilter?
    }

    /// How many rows a table has, and about how many bytes they take.
    struct TableSize {
        var rowCount = 0
        var byteCount = 0
    }

    private(set) var maps: [Maps]
    /// The first keys of the tables for which a batch asked.
    ///
    /// Bounded: the tables.
    private var firstKeys: [FirstKeys] = []
    private var pendingFront: PendingFront?
    /// How often a merge has begun; the older maps are those of the last one.
    private(set) var merges = 0
    /// The place of the last frame whose changes are here or in the trees.
    var mark: LogMark
    /// The rows of the batch: their frame is to be logged.
    private let rows: ChangeRows
    /// The keys of the table that batches ask for new ones; not a part of the state.
    let tableKeys: TableKeys
    /// The changes of all newer maps.
    private(set) var newer = Extent()
    /// The changes of all older maps.
    private(set) var older = Extent()
    /// Whether there are older maps.
    var isMerging: Bool { older.count > 0 }
    /// Whether the batch may change it still.
    private(set) var isOpen = false
    /// The bytes that the changed rows take more than before, by their owners.
    ///
    /// Bounded: a batch changes a limited number of rows.
    var ownerBytes: [RowOwner: Int] = [:]

    /// No changes beside trees of these sizes, which have all up to a frame of the log.
    init(mark: LogMark, _ sizes: [TableSize], _ log: Log?, _ limits: ChangeLimits) {
        maps = sizes.map { Maps($0) }
        self.mark = mark
        rows = ChangeRows(log)
        tableKeys = TableKeys(limits)
    }

    /// The object of the next state, with the same changes, and rows of its own.
    ///
    /// The batch of `state` may be being written to the log still: ``goOn(from:_:)`` has to come
    /// then before the new state commits.
    init(following state: StateChanges, _ rows: ChangeRows) {
        self.rows = rows
        tableKeys = state.tableKeys
        maps = state.maps
        firstKeys = state.firstKeys
        merges = state.merges
        mark = state.mark
        newer = state.newer
        older = state.older
        isOpen = true
        guard state.isOpen else { return }
        for index in maps.indices where !maps[index].open.isEmpty {
            let maps = own(index)
            maps.last = maps.open
            maps.open = ChangeMap()
        }
    }

    // MARK: Reading

    /// The newest change of a key; nil where the tree has the row as it is.
    ///
    /// It is a deletion, too, where a batch knows that the tree has no row.
    func change(at key: [UInt8], in table: Int) -> Change? {
        let (key, maps) = (ChangeKey(key), maps[table])
        let may = mayHave(key, maps, in: table)
        if Fault.olderChangeWins.isPlanted, let older = maps.older.change(at: key) { return older }
        if may.newer {
            if let open = maps.open.change(at: key) { return open }
            if let last = maps.last.change(at: key), !Fault.lastBatchNotRead.isPlanted {
                return last
            }
            if let newer = maps.newer.change(at: key) { return newer }
        }
        if may.older, let older = maps.older.change(at: key) { return older }
        return mayBeInTree(key, in: table) ? nil : .deletion
    }

    /// Whether there is a change that may not be in the trees.
    var isBehind: Bool { newer.count > 0 || isMerging }

    /// As ``change(at:in:)``, without the row.
    func kind(of key: ChangeKey, in table: Int) -> ChangeKind? {
        let maps = maps[table]
        let may = mayHave(key, maps, in: table)
        if Fault.olderChangeWins.isPlanted, let older = maps.older.kind(of: key) { return older }
        if may.newer {
            if let open = maps.open.kind(of: key) { return open }
            if let last = maps.last.kind(of: key), !Fault.lastBatchNotRead.isPlanted {
                return last
            }
            if let newer = maps.newer.kind(of: key) { return newer }
        }
        if may.older, let older = maps.older.kind(of: key) { return older }
        return mayBeInTree(key, in: table) ? nil : .deletion
    }

    /// The rows of a table that is counted.
    func size(of table: Int) -> TableSize { maps[table].size }

    /// The front of the rows with a prefix; nil where it is not known.
    func front(of prefix: [UInt8], in table: Int) -> [UInt8]? {
        maps[table].fronts.front(of: prefix)
    }

    /// The first key of a table, or nil where it has none.
    ///
    /// `find` looks for it where it is not known.
    func firstKey<Failure>(
        of table: Int,
        _ find: () throws(Failure) -> [UInt8]?
    ) throws(Failure) -> [UInt8]? {
        if let index = firstKeyIndex(of: table) { return firstKeys[index].first }
        let key = try find()
        note(first: key.map { [$0] } ?? [], in: table)
        return key
    }

    /// Notes the first keys of a table, in order and with none between them; none of an empty one.
    func note(first keys: [[UInt8]], in table: Int) {
        guard isOpen else { return }
        let known = FirstKeys(of: table, keys)
        if let index = firstKeyIndex(of: table) {
            firstKeys[index] = known
        } else {
            firstKeys.append(known)
        }
    }

    // MARK: Changing

    private func firstKeyIndex(of table: Int) -> Int? {
        // A loop over the elements would copy their keys.
        for index in firstKeys.indices where firstKeys[index].table == table { return index }
        return nil
    }

    /// Whether the maps up to the newer ones may have a change of a key, then whether the older
    /// ones may.
    ///
    /// A state that is closed has readers on many threads, and these ask the maps themselves. A
    /// filter has no keys of rows that were deleted by a front.
    private func mayHave(
        _ key: ChangeKey,
        _ maps: Maps,
        in table: Int
    ) -> (newer: Bool, older: Bool) {
        guard isOpen, !maps.isFronted(key) else { return (true, true) }
        return (
            newer.keys?.mayContain(key, in: table) == true,
            older.keys?.mayContain(key, in: table) == true
        )
    }

    /// Whether the tree may have a row of a key.
    ///
    /// Others than the batch that is being made search the tree.
    private func mayBeInTree(_ key: ChangeKey, in table: Int) -> Bool {
        guard isOpen, table == TableKeys.table else { return true }
        return tableKeys.mayContain(key)
    }

    /// The changes of a table, which no other state has.
    private func own(_ table: Int) -> Maps {
        if !SharedUse.isOver(of: &maps[table]) {
            maps[table] = Maps(copying: maps[table])
        }
        return maps[table]
    }

    /// Notes a row, and that it is to be logged.
    ///
    /// `isNew` is whether the key has no row. The storage of the key is the key alone.
    func put(_ key: ChangeKey, _ row: [UInt8], isNew: Bool, in table: Int) {
        // The tree takes no other keys at the merge.
        precondition(
            ChangeFrame.keyByteCounts.contains(key.count),
            "a key has from 1 to 511 bytes"
        )
        // A replay deletes the rows that the frame has before the front: log the front first.
        if let front = pendingFront, front.table == table,
            KeyOrder.compare(key.storage, with: front.key) < 0
        {
            logPendingFront()
        }
        let place = rows.append(key.storage, row, in: table)
        let maps = own(table)
        if maps.open.rows !== rows { maps.open.rows = rows }
        maps.open.set(key, .put(row), isNew: isNew, at: place)
        insertIntoFilter(key, in: table)
        if table == TableKeys.table { tableKeys.insert(key) }
        if !maps.fronts.isEmpty, !Fault.frontNotLowered.isPlanted { maps.fronts.put(key.bytes) }
        if let index = firstKeyIndex(of: table), firstKeys[index].isChanged(by: key.storage),
            !Fault.firstKeyNotLowered.isPlanted
        {
            firstKeys[index].put(key.storage)
        }
    }

    /// Notes that a row was deleted, and that it is to be logged; false where the batch had deleted
    /// it already.
    ///
    /// The row has to exist, or to have existed when the batch began.
    func delete(_ key: ChangeKey, in table: Int) -> Bool {
        let maps = own(table)
        if maps.open.isFronted(key), maps.open.kind(of: key) == .deletion { return false }
        let index = firstKeyIndex(of: table)
        if let index, firstKeys[index].isFirst(key.storage), moveFront(past: key, maps, table) {
            forgetFirst(key, at: index)
            return true
        }
        guard !maps.open.set(key, .deletion) else { return false }
        insertIntoFilter(key, in: table)
        if let index { forgetFirst(key, at: index) }
        if !Fault.deletionNotLogged.isPlanted { rows.append(key.storage, nil, in: table) }
        return true
    }

    private func forgetFirst(_ key: ChangeKey, at index: Int) {
        guard firstKeys[index].isChanged(by: key.storage) else { return }
        if !firstKeys[index].remove(key.storage) { firstKeys.remove(at: index) }
    }

    /// Deletes the first row of a table without a change of its own; false where it needs one.
    private func moveFront(past key: ChangeKey, _ maps: Maps, _ table: Int) -> Bool {
        // A counted table has no front: a start would have to count the rows that it deletes.
        guard !TableName.isCounted[table], key.count < ChangeFrame.keyByteCounts.upperBound,
            newer.keys?.mayContain(key, in: table) != true
        else { return false }
        let behind = keyBehind(key.storage)
        maps.open.setFront(behind, 1)
        if pendingFront?.table != table {
            logPendingFront()
            pendingFront = PendingFront(table: table, key: behind)
        }
        pendingFront?.key = behind
        pendingFront?.rowCount += 1
        return true
    }

    private func logPendingFront() {
        guard let front = pendingFront.take() else { return }
        if Fault.frontNotLogged.isPlanted { return }
        rows.append(front: front.key, front.rowCount, in: front.table)
    }

    /// The changes for which the filter of their keys is made, which takes 128 KiB.
    private static let filteredChanges = 131_072

    private func insertIntoFilter(_ key: ChangeKey, in table: Int) {
        if newer.keys == nil { newer.keys = KeyFilter(for: Self.filteredChanges) }
        if !Fault.keyNotInTheFilter.isPlanted || isOpen { newer.keys?.insert(key, in: table) }
    }

    /// Counts a row that has so many bytes now, in place of as many before; nil is no row.
    func count(_ byteCount: Int?, before: Int?, in table: Int) {
        let maps = own(table)
        maps.size.rowCount += (byteCount == nil ? 0 : 1) - (before == nil ? 0 : 1)
        maps.size.byteCount += (byteCount ?? 0) - (before ?? 0)
    }

    /// Notes where the rows with a prefix begin.
    func note(front key: [UInt8], of prefix: [UInt8], in table: Int) {
        guard isOpen else { return }
        own(table).fronts.note(key, for: prefix)
    }

    /// Repeats the changes of a frame of the log, at a start.
    ///
    /// A merge may have begun that was not ended: the tree may have any of the rows.
    func replay(_ payload: [UInt8], at mark: LogMark, of log: Log) throws(RowProblem) {
        rows.move(to: log.payloadPlace(of: mark))
        try replay(payload)
        note(mark, lease: log.lease(of: mark))
    }

    private func replay(_ payload: [UInt8]) throws(RowProblem) {
        try ChangeFrame.read(payload) { table, key, change, offset in
            let place = rows.place(of: change.row, at: offset)
            set(ChangeKey(key), change, at: place, in: table)
        } front: { table, key, rowCount in
            changeNewer(of: table) { newer in
                // A row that was being merged is among the newer ones again: drop it.
                if !Fault.frontKeepsReplayedRows.isPlanted { newer.drop(before: key) }
                newer.setFront(key, rowCount)
            }
        }
    }

    /// Has the changes of the batch alone, since the trees have got all others since it began: a
    /// row that it deleted may be among them, and none of their rows is new any more.
    func repeatFrame() throws(StoreFailure) {
        forgetAll()
        try StoreFailure.ofRow { () throws(RowProblem) in try replay(rows.frame.payload) }
    }

    /// Notes the place of the batch's frame, which may be another one than it was to have.
    func note(_ mark: LogMark, of log: Log) throws(StoreFailure) {
        note(mark, lease: log.lease(of: mark))
        let place = log.payloadPlace(of: mark)
        guard place != rows.place else { return }
        rows.move(to: place)
        if Fault.movedFrameKeepsItsPlaces.isPlanted { return }
        try StoreFailure.ofRow { () throws(RowProblem) in
            try ChangeFrame.read(rows.frame.payload) { table, key, change, offset in
                guard let place = rows.place(of: change.row, at: offset) else { return }
                own(table).open.move(ChangeKey(key), to: place)
            } front: { _, _, _ in
            }
        }
    }

    private func set(_ key: ChangeKey, _ change: Change, at place: UInt32?, in table: Int) {
        insertIntoFilter(key, in: table)
        changeNewer(of: table) { newer in
            newer.rows = rows
            newer.set(key, change, at: place)
        }
    }

    /// Changes the newer map of a table.
    private func changeNewer(of table: Int, _ body: (inout ChangeMap) -> Void) {
        let maps = own(table)
        let (count, byteCount) = (maps.newer.changeCount, maps.newer.byteCount)
        body(&maps.newer)
        newer.count += maps.newer.changeCount - count
        newer.byteCount += maps.newer.byteCount - byteCount
    }

    // MARK: The end of a batch

    /// Takes the changes of the batch into the newer maps.
    ///
    /// - Complexity: As ``ChangeMap/take(_:)``: nodes are copied where somebody else has the maps.
    func takeOpen() {
        for table in maps.indices where !maps[table].open.isEmpty {
            let open = own(table).open
            own(table).open = ChangeMap()
            changeNewer(of: table) { newer in
                newer.rows = rows
                newer.take(open)
            }
        }
    }

    /// Lets the batch before become durable, over which this one was made, and goes on from it.
    ///
    /// `publish` makes it the newest state. It changes its maps where they are, since this object
    /// has none of them meanwhile.
    func goOn(from state: StateChanges, _ publish: () -> Void) {
        let none = Maps(TableSize())
        for index in maps.indices {
            if maps[index] === state.maps[index] {
                maps[index] = none
            } else {
                maps[index].last = ChangeMap()
                maps[index].newer = ChangeMap()
                maps[index].older = ChangeMap()
            }
        }
        publish()
        for index in maps.indices {
            if maps[index] === none {
                maps[index] = state.maps[index]
            } else {
                maps[index].newer = state.maps[index].newer
                maps[index].older = state.maps[index].older
            }
        }
        (merges, mark, older) = (state.merges, state.mark, state.older)
        let hasOtherKeys = newer.keys !== state.newer.keys
        newer = state.newer
        // A merge has begun, and took the filter.
        if hasOtherKeys, !Fault.mergeTakesTheNextKeys.isPlanted { insertOpenIntoFilter() }
    }

    private func insertOpenIntoFilter() {
        for index in maps.indices {
            var cursor = ChangeCursor(maps[index].open, atOrAfter: ChangeKey([]))
            while let key = cursor.key {
                insertIntoFilter(ChangeKey(key), in: index)
                cursor.move(forward: true)
            }
        }
    }

    /// Where the next payload is expected, while that of this batch is written to the log.
    var placeOfNext: Range<Int>? { rows.placeBehind }

    /// Takes the changes of the batch, to be logged, of which these are all.
    func payload() -> [UInt8] {
        logPendingFront()
        return rows.frame.payload
    }

    private func note(_ mark: LogMark, lease: LogLease) {
        self.mark = mark
        newer.loggedByteCount += Int(mark.byteCount)
        if newer.leases.last !== lease { newer.leases.append(lease) }
    }

    /// Lets a merge begin with all changes.
    func beginMerge() {
        for index in maps.indices where !maps[index].newer.isEmpty {
            let maps = own(index)
            maps.older = maps.newer
            maps.newer = ChangeMap()
        }
        merges += 1
        older = newer
        newer = Extent()
    }

    /// Forgets the older maps where they are in the trees: where so many merges have ended.
    func endMerges(upTo number: Int) {
        guard merges <= number else { return }
        merges = number
        for index in maps.indices where !maps[index].older.isEmpty {
            own(index).older = ChangeMap()
        }
        older = Extent()
    }

    /// Forgets all changes, which are in the trees.
    func forgetAll() {
        endMerges(upTo: merges)
        for index in maps.indices {
            own(index).newer = ChangeMap()
            own(index).open = ChangeMap()
        }
        newer = Extent()
    }

    /// Nobody changes it any more.
    func close() {
        isOpen = false
        rows.close()
        ownerBytes = [:]
    }
}
