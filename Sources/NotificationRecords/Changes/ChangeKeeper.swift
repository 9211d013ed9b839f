package import BelfryLMDB
internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationLog

/// The purpose for which the log of a store is opened.
package enum LogUse: Sendable {
    /// For batches.
    case service
    /// To be read, by a check.
    case reading
    /// To be read up to damage, by a repair.
    case repair
    /// For nothing: the trees are opened alone.
    case nothing
}

/// Keeps the changes that are not in the trees yet: in the log, and in memory for the newest state.
///
/// A batch is durable once its frame is in the log. The changes are written into the trees later,
/// many at a time and in the order of the keys: by ``mergeSlice(_:atMost:)``, on any thread.
package final class ChangeKeeper: StateKeeper {
    private struct State {
        var newest: StateChanges
        /// The first state of the trees with which ``newest`` agrees.
        var firstState: Int
        /// The last frame whose changes the running merge writes.
        var mergedMark: LogMark
        /// How many merges have ended.
        var endedMerges = 0
        /// The rows that the running merge has written.
        var mergedCount = 0
    }

    /// A merge that is under way.
    private struct Merge {
        var number: Int
        /// The older changes of each table.
        ///
        /// Nothing else of their state is held, since a commit copies the maps that somebody holds.
        let maps: [ChangeMap]
        /// Hold the rows of these changes in the log.
        let leases: [LogLease]
        var table = 0
        /// Whether the rows before the table's front are deleted, and its keys are next.
        var isAtKeys = false
        var key: [UInt8] = []

        init(of changes: StateChanges) {
            number = changes.merges
            maps = changes.maps.map(\.older)
            leases = changes.older.leases
        }
    }

    private let state: Guarded<State>
    /// Held by whoever writes the trees.
    private let merge = Guarded<Merge?>(nil)
    private let log: Log?
    private let trees: [Table]
    private let meta: Table
    private let limits: ChangeLimits
    /// Called where a merge begins.
    private let onMerge = Guarded<(@Sendable () -> Void)?>(nil)

    /// Begins with the changes of the log that are not in the trees.
    ///
    /// - Parameters:
    ///   - environment: The open trees.
    ///   - trees: The tables, in the order of ``TableName``.
    ///   - place: Where the log is; nil for trees that have none.
    ///   - limits: How much may be behind.
    ///   - use: What the log is opened for.
    /// - Throws: What LMDB reports, or why the log does not go with the trees.
    /// - Complexity: O(*n*) in these changes, of which there are at most about two and a half times
    ///   ``ChangeLimits/changesPerMerge``.
    init(
        _ environment: Environment,
        _ trees: [Table],
        log place: (any Disk)?,
        _ limits: ChangeLimits,
        for use: LogUse
    ) throws(StoreFailure) {
        self.trees = trees
        self.limits = limits
        let meta = trees[TableName.meta.index]
        self.meta = meta
        let (id, mark, state) = try Self.read(environment, meta)
        guard let place, use != .nothing, id != nil || use == .service else {
            if id != nil, use != .nothing { throw .log(.missing(segment: 0)) }
            log = nil
            let sizes = try Self.sizes(environment, trees)
            let mark = mark ?? LogMark(startOf: LogID(high: 0, low: 0))
            self.state = Guarded(
                State(
                    newest: StateChanges(mark: mark, sizes, nil, limits),
                    firstState: state,
                    mergedMark: mark
                )
            )
            return
        }
        let log: Log
        var first = state
        if let id {
            let mark = mark ?? LogMark(startOf: id)
            log = try StoreFailure.ofLog { () throws(LogError) in
                try Log(
                    on: place,
                    id,
                    after: mark,
                    isReadOnly: use != .service,
                    endsAtDamage: use == .repair
                )
            }
        } else {
            let id = LogID()
            try StoreFailure.ofLog { () throws(LogError) in
                try Log.make(on: place, id, limits.log)
            }
            log = try StoreFailure.ofLog { () throws(LogError) in
                try Log(on: place, id, after: LogMark(startOf: id))
            }
            first = try StoreFailure.ofLMDB { () throws(LMDBError) in
                try environment.write { transaction throws(LMDBError) in
                    _ = try transaction.delete(key: MetaKey.merged.bytes, in: meta)
                    try transaction.put(LogRow(id).bytes, forKey: MetaKey.log.bytes, in: meta)
                    return transaction.id
                }
            }
        }
        self.log = log
        let merged = (id == nil ? nil : mark) ?? LogMark(startOf: log.id)
        var end = merged
        let changes = StateChanges(
            mark: merged,
            try Self.sizes(environment, trees),
            log,
            limits
        )
        while true {
            let next = try StoreFailure.ofLog { [end] () throws(LogError) in
                try log.next(after: end)
            }
            guard let next else { break }
            if !Fault.logNotReplayed.isPlanted {
                try StoreFailure.ofRow { () throws(RowProblem) in
                    try changes.replay(next.frame.payload, at: next.mark, of: log)
                }
            }
            end = next.mark
        }
        changes.close()
        try Self.count(environment, trees, changes)
        self.state = Guarded(State(newest: changes, firstState: first, mergedMark: merged))
    }

    private static func read(
        _ environment: Environment,
        _ meta: Table
    ) throws(StoreFailure) -> (LogID?, LogMark?, Int) {
        try environment.reading { transaction throws(StoreFailure) in
            let logs = TypedTable<MetaKey, LogRow>(meta, .meta)
            let marks = TypedTable<MetaKey, MergedRow>(meta, .meta)
            return (
                try transaction.rowIfAny(.log, in: logs)?.id,
                try transaction.rowIfAny(.merged, in: marks)?.mark,
                transaction.id
            )
        }
    }

    private static func sizes(
        _ environment: Environment,
        _ trees: [Table]
    ) throws(StoreFailure) -> [StateChanges.TableSize] {
        try environment.reading { transaction throws(StoreFailure) in
            try StoreFailure.ofLMDB { () throws(LMDBError) in
                var sizes = trees.map { _ in StateChanges.TableSize() }
                for name in TableName.counted {
                    // Leave a damaged table to the look at all tables, which comes next.
                    guard let found = try? transaction.statistics(of: trees[name.index]) else {
                        continue
                    }
                    sizes[name.index].rowCount = found.entryCount
                    sizes[name.index].byteCount = found.dataByteCount
                }
                return sizes
            }
        }
    }

    /// Counts the rows of the tables that are counted, after the changes of the log were repeated.
    private static func count(
        _ environment: Environment,
        _ trees: [Table],
        _ changes: StateChanges
    ) throws(StoreFailure) {
        try environment.reading { transaction throws(StoreFailure) in
            try StoreFailure.ofLMDB { () throws(LMDBError) in
                for name in TableName.counted {
                    let (index, tree) = (name.index, trees[name.index])
                    var cursor = ChangeCursor(changes.maps[index].newer, atOrAfter: ChangeKey([]))
                    while let key = cursor.key {
                        let before = try transaction.withValue(forKey: key, in: tree) {
                            $0.byteCount
                        }
                        changes.count(cursor.byteCount, before: before, in: index)
                        cursor.move(forward: true)
                    }
                }
            }
        }
    }

    package func companion(ofState number: Int) -> AnyObject? {
        state.withLock { state in
            guard number >= state.firstState || Fault.newestChangesForAll.isPlanted else {
                return nil
            }
            return state.newest
        }
    }

    /// Says what to do where a merge begins; on the thread of the batch.
    package func whenMergeBegins(_ body: @escaping @Sendable () -> Void) {
        onMerge.withLock { $0 = body }
    }

    /// About the bytes of the changes that the trees are still to take.
    package var unmergedByteCount: Int {
        state.withLock { state in
            let changes = state.newest
            let share = Double(state.mergedCount) / Double(max(1, changes.older.count))
            let older = Double(changes.older.byteCount) * max(0, 1 - share)
            return changes.newer.byteCount + Int(older)
        }
    }

    /// The bytes by which the trees may grow for them: a merge writes whole pages, three for a row
    /// of 8 KiB, and copies the pages above them.
    package var expectedTreeBytes: Int {
        (Fault.unmergedWithoutItsPages.isPlanted ? 1 : 3) * unmergedByteCount
    }

    /// About the bytes of the disk that the trees and the log are still to take.
    package var expectedDiskBytes: Int {
        guard let log else { return expectedTreeBytes }
        let whole = log.shape.segmentCount * loggedByteLimit
        return expectedTreeBytes + max(0, whole - log.writtenByteCount)
    }

    /// Whether the log takes further frames: not after a failed sync.
    package var isUsable: Bool { log?.hasFailed != true }

    /// The newest changes, for a copy of the trees.
    var newest: StateChanges { state.withLock { $0.newest } }

    // MARK: Batches

    /// The changes of a batch that begins with those of the newest state, or of a batch that is
    /// being written to the log.
    func changes(following state: StateChanges) -> StateChanges {
        // Do not ask the log while it writes: it answers after the sync.
        let place = state.isOpen ? state.placeOfNext : log?.nextPlace
        return StateChanges(following: state, ChangeRows(log, at: place))
    }

    /// Reads some keys of the table that has a filter, before a batch begins.
    ///
    /// In a transaction of its own, which checks each page and whose failure the batch does not
    /// meet. `isOverUnsynced` is whether the batch before is not a part of the newest state: no
    /// filter is begun then, which would not have its keys.
    func readKeys(
        of table: StoreTable,
        isOverUnsynced: Bool = false,
        _ environment: Environment
    ) {
        let tableKeys = newest.tableKeys
        let mayBegin = !isOverUnsynced || Fault.filterBegunOverUnsynced.isPlanted
        guard tableKeys.readsKeys, mayBegin || tableKeys.isGrowing else { return }
        // Where no reader can begin, the next batch tries again.
        try? environment.reading { reader throws(StoreFailure) in
            tableKeys.read { () throws(StoreFailure) in
                try reader.leastRowCount(of: table)
            } keys: { start, limit throws(StoreFailure) in
                try reader.keys(bytesOf: table, from: start, atMost: limit)
            }
        }
    }

    /// Appends the frame of a batch to the log; on any thread, one frame at a time.
    func append(_ payload: [UInt8], elapsed: Int64, wall: Int64) throws(LogError) -> LogMark {
        guard let log else { preconditionFailure("the store was opened without its log") }
        return try log.append(payload, elapsed: elapsed, wall: wall)
    }

    /// Makes the changes of a batch those of the newest state, once the log has its frame.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - appended: The place of the frame, or why the log does not have it.
    ///   - next: The batch that was made meanwhile; nil for none.
    ///   - environment: The environment of the trees.
    /// - Returns: Whether `next` may go on: not where the trees had to take all changes.
    /// - Throws: Why the batch is not durable, or may not be.
    func finish(
        _ changes: StateChanges,
        _ appended: Result<LogMark, LogError>,
        before next: StateChanges? = nil,
        _ environment: Environment
    ) throws(StoreFailure) -> Bool {
        guard let log else { preconditionFailure("the store was opened without its log") }
        switch appended {
        case .success(let mark):
            try changes.note(mark, of: log)
            if let next {
                next.goOn(from: changes) { publish(changes) }
            } else {
                publish(changes)
            }
            return true
        case .failure(.tooLong), .failure(.full):
            try writeAll(changes, environment)
            return false
        case .failure(let error): throw .log(error)
        }
    }

    private func publish(_ changes: StateChanges) {
        let begins = state.withLock { state in
            // Release the state before first, so that its maps are those of the changes alone.
            state.newest = changes
            changes.endMerges(upTo: state.endedMerges)
            changes.takeOpen()
            let begins = !changes.isMerging && isMergeDue(changes)
            if begins { begin(changes, &state) }
            changes.close()
            return begins
        }
        if begins { onMerge.withLock { $0 }?() }
    }

    private func begin(_ changes: StateChanges, _ state: inout State) {
        changes.beginMerge()
        state.mergedMark = changes.mark
        state.mergedCount = 0
        log?.beginGeneration()
    }

    private func isMergeDue(_ changes: StateChanges) -> Bool {
        guard changes.newer.count > 0 else { return false }
        return changes.newer.count >= limits.changesPerMerge
            || changes.newer.byteCount >= limits.bytesPerMerge
            || changes.newer.loggedByteCount >= loggedByteLimit
    }

    /// The bytes of the log after which a merge begins: a segment has those of two.
    private var loggedByteLimit: Int {
        min(limits.bytesPerMerge, (log?.shape.segmentByteCount ?? .max) / 2)
    }

    /// Writes a batch for which the log has no place, with all that is behind, into the trees: one
    /// that no segment can hold, or while the trees or a reader need what is to be written over.
    private func writeAll(
        _ changes: StateChanges,
        _ environment: Environment
    ) throws(StoreFailure) {
        try mergeAll(environment)
        try changes.repeatFrame()
        try merge.withLock { _ throws(StoreFailure) in
            let number = try StoreFailure.ofLMDB { () throws(LMDBError) in
                try environment.write { transaction throws(LMDBError) in
                    for (maps, tree) in zip(changes.maps, trees) {
                        var limit = Int.max
                        let front = maps.newer.front
                        try Self.delete(before: front, atMost: &limit, from: tree, in: transaction)
                        let cursor = ChangeCursor(maps.newer, atOrAfter: ChangeKey([]))
                        _ = try Self.write(cursor, atMost: &limit, into: tree, in: transaction)
                    }
                    // A transaction that deletes nothing that is there would make no state.
                    let row = MergedRow(upTo: newest.mark).bytes
                    try transaction.put(row, forKey: MetaKey.merged.bytes, in: meta)
                    return transaction.id
                }
            }
            log?.trim(through: newest.mark.number)
            changes.forgetAll()
            changes.close()
            state.withLock { state in
                changes.mark = state.newest.mark
                state.newest = changes
                state.firstState = number
            }
        }
    }

    // MARK: Merges

    /// Whether the writer has to wait, since merges are too far behind.
    package var isTooFarBehind: Bool {
        state.withLock { state in
            let changes = state.newest
            guard changes.isMerging else { return false }
            // Let a half as many wait as a merge has: they take most of the memory.
            return changes.newer.count >= 3 * limits.changesPerMerge / 2
                || changes.newer.byteCount >= 2 * limits.bytesPerMerge
                || changes.newer.loggedByteCount >= 2 * loggedByteLimit
        }
    }

    /// How the merge that is under way keeps up with the changes that come; nil where none is.
    package var pace: MergePace? {
        state.withLock { state in
            let changes = state.newest
            guard changes.isMerging, changes.older.count > 0 else { return nil }
            let gathered = max(
                Double(changes.newer.count) / Double(limits.changesPerMerge),
                Double(changes.newer.byteCount) / Double(limits.bytesPerMerge),
                Double(changes.newer.loggedByteCount) / Double(loggedByteLimit)
            )
            let merged = Double(state.mergedCount) / Double(changes.older.count)
            if 2 * gathered < merged { return .ahead }
            return gathered < merged + 0.5 ? .inTime : .behind
        }
    }

    /// Writes some changes of the merge that is under way into the trees.
    ///
    /// - Parameters:
    ///   - environment: The environment of the trees.
    ///   - limit: The most rows; nil is the usual number.
    /// - Returns: Whether there may be more to write; false where no merge is under way.
    /// - Throws: What LMDB reports; the rest of the merge is then still to be done.
    @discardableResult
    package func mergeSlice(
        _ environment: Environment,
        atMost limit: Int? = nil
    ) throws(StoreFailure) -> Bool {
        try merge.withLock { merge throws(StoreFailure) in
            let mark = state.withLock { state -> LogMark? in
                let changes = state.newest
                guard changes.isMerging, changes.merges > state.endedMerges else { return nil }
                if merge?.number != changes.merges { merge = Merge(of: changes) }
                return state.mergedMark
            }
            guard let mark, var current = merge else { return false }
            var rest = min(limit ?? .max, limits.rowsPerSlice)
            let (isDone, number) = try StoreFailure.ofLMDB { () throws(LMDBError) in
                try environment.write { transaction throws(LMDBError) in
                    let isDone = try write(&current, &rest, in: transaction)
                    if isDone || Fault.mergeNotedEarly.isPlanted {
                        let row = MergedRow(upTo: mark).bytes
                        try transaction.put(row, forKey: MetaKey.merged.bytes, in: meta)
                    }
                    return (isDone, transaction.id)
                }
            }
            guard isDone else {
                merge = current
                let written = min(limit ?? .max, limits.rowsPerSlice) - max(0, rest)
                state.withLock { $0.mergedCount += written }
                return true
            }
            merge = nil
            log?.trim(through: mark.number)
            end(current.number, at: number)
            return false
        }
    }

    /// Forgets the older maps of a merge that has ended with a state of the trees.
    private func end(_ number: Int, at treeState: Int) {
        state.withLock { state in
            state.endedMerges = number
            state.firstState = treeState
            let changes = StateChanges(following: state.newest, ChangeRows(log))
            changes.endMerges(upTo: number)
            changes.close()
            state.newest = changes
        }
    }

    /// Writes changes from where the merge stands; true at its end.
    private func write(
        _ merge: inout Merge,
        _ rest: inout Int,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Bool {
        while merge.table < trees.count {
            let older = merge.maps[merge.table]
            if !older.isEmpty {
                let tree = trees[merge.table]
                if !merge.isAtKeys {
                    try Self.delete(
                        before: older.front,
                        atMost: &rest,
                        from: tree,
                        in: transaction
                    )
                    guard rest > 0 else { return false }
                    // From now on the tree gets rows that were written before the front after it:
                    // no later slice may delete these.
                    merge.isAtKeys = true
                }
                let cursor = ChangeCursor(older, atOrAfter: ChangeKey(merge.key))
                if let key = try Self.write(cursor, atMost: &rest, into: tree, in: transaction) {
                    merge.key = key
                    return false
                }
            }
            merge.table += 1
            merge.isAtKeys = false
            merge.key = []
        }
        return true
    }

    /// Deletes the rows of a tree that come before a front, if there is one.
    ///
    /// `limit` is reduced by the rows that were deleted; there may be more where it is 0 then.
    fileprivate static func delete(
        before front: [UInt8]?,
        atMost limit: inout Int,
        from tree: Table,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard let front, !Fault.frontNotMerged.isPlanted else { return }
        try transaction.withCursor(in: tree) { cursor throws(LMDBError) in
            var found = try cursor.move(to: .first)
            while found, limit > 0 {
                let key = try cursor.key()
                guard KeyOrder.compare(key, with: front) < 0 else { break }
                try cursor.delete(key: key)
                limit -= 1
                found = try cursor.move(to: .next)
            }
        }
    }

    /// Writes changes into a tree through one cursor: the next key is mostly on the same page.
    ///
    /// - Returns: The key of the first change that is not written; nil where all are.
    private static func write(
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
                        // Count the pages of a large row.
                        limit -= row.count / 4_096
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

    /// Lets the trees go with no log any more, once they have all changes.
    func detach(_ environment: Environment) throws(StoreFailure) {
        try mergeAll(environment)
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try Self.forgetLog(environment, meta)
        }
    }

    /// Deletes the rows that say which log goes with the trees.
    fileprivate static func forgetLog(
        _ environment: Environment,
        _ meta: Table
    ) throws(LMDBError) {
        try environment.write { transaction throws(LMDBError) in
            for key in [MetaKey.log, .merged] {
                _ = try transaction.delete(key: key.bytes, in: meta)
            }
        }
    }

    /// Merges all changes into the trees, while nobody else changes the store.
    ///
    /// - Parameters:
    ///   - environment: The environment of the trees.
    ///   - mayGoOn: Asked before each slice; what is not merged stays in the log.
    /// - Throws: What LMDB reports.
    func mergeAll(
        _ environment: Environment,
        while mayGoOn: () -> Bool = { true }
    ) throws(StoreFailure) {
        repeat {
            var isMore = mayGoOn()
            while isMore { isMore = try mergeSlice(environment) && mayGoOn() }
            guard mayGoOn() else { return }
        } while beginMerge()
    }

    /// Begins a merge of all changes, unless one is under way; while no batch is being made.
    ///
    /// - Returns: Whether there is something to merge.
    @discardableResult
    package func beginMerge() -> Bool {
        state.withLock { state in
            guard !state.newest.isMerging, state.newest.newer.count > 0 else { return false }
            let changes = StateChanges(following: state.newest, ChangeRows(log))
            begin(changes, &state)
            changes.close()
            state.newest = changes
            return true
        }
    }

    /// Runs `body` while nothing is written into the trees, with the changes beside them.
    package func withoutMerges<R: Sendable>(
        _ body: @Sendable (UnmergedChanges) throws -> R
    ) throws -> R {
        // A result: the lock takes no closure that sends an error.
        let result = merge.withLock { _ in
            Result { try body(UnmergedChanges(copying: newest)) }
        }
        return try result.get()
    }
}

/// How a merge keeps up with the changes that come while it goes on.
///
/// Its part that is written is compared with their part of what begins the next merge.
package enum MergePace {
    /// Its part is more than twice theirs.
    case ahead
    /// Their part is greater by less than a half: it ends before they are too many.
    case inTime
    /// Their part is greater by a half or more.
    case behind
}

/// The changes that a copy of the trees lacks.
package struct UnmergedChanges: Sendable {
    /// The changes that one map has.
    private struct Copies {
        let table: Int
        let front: [UInt8]?
        /// The rows are copies, since the log goes on meanwhile.
        var rows: [(key: [UInt8], row: [UInt8]?)] = []
    }

    /// In the order in which they are to be written.
    private let copies: [Copies]

    init(copying changes: StateChanges) {
        copies = changes.maps.enumerated().flatMap { index, maps in
            [maps.older, maps.newer].map { map in
                var copies = Copies(table: index, front: map.front)
                var cursor = ChangeCursor(map, atOrAfter: ChangeKey([]))
                while let key = cursor.key {
                    copies.rows.append((key, cursor.change.row))
                    cursor.move(forward: true)
                }
                return copies
            }
        }
    }

    /// Writes the changes into a copy of the trees, which has no log from then on.
    package func complete(_ copy: Environment) throws(StoreFailure) {
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            var trees: [Table] = []
            for name in TableName.allCases { trees.append(try copy.table(name.rawValue)) }
            let meta = trees[TableName.meta.index]
            for copies in copies {
                let tree = trees[copies.table]
                var isMore = copies.front != nil
                while isMore {
                    try copy.write { transaction throws(LMDBError) in
                        var limit = Self.rowsPerTransaction
                        try ChangeKeeper.delete(
                            before: copies.front,
                            atMost: &limit,
                            from: tree,
                            in: transaction
                        )
                        isMore = limit == 0
                    }
                }
                var rest = copies.rows[...]
                while !rest.isEmpty {
                    let part = rest.prefix(Self.rowsPerTransaction)
                    rest = rest.dropFirst(part.count)
                    try copy.write { transaction throws(LMDBError) in
                        for change in part {
                            if let row = change.row {
                                try transaction.put(row, forKey: change.key, in: tree)
                            } else {
                                _ = try transaction.delete(key: change.key, in: tree)
                            }
                        }
                    }
                }
            }
            try ChangeKeeper.forgetLog(copy, meta)
        }
    }

    private static let rowsPerTransaction = 16_384
}
