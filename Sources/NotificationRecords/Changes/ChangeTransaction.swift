public import BelfryLMDB
package import NotificationCore
package import NotificationLog

/// The transaction of a batch: it reads the trees with the changes beside them, and adds its own
/// changes to these.
///
/// It is used on one thread. It changes nothing unless ``commit(at:)`` returns.
@usableFromInline
package struct ChangeTransaction: ~Copyable, RowWriter {
    private var reading: ReadTransaction
    private let changes: StateChanges
    private let environment: Environment
    private let keeper: ChangeKeeper

    @usableFromInline
    package var handle: TransactionHandle {
        _read { yield reading.handle }
    }

    @usableFromInline
    package var companion: AnyObject? { changes }

    /// Begins a batch.
    ///
    /// `last` are the changes of a batch that is being written to the log, over which it is made;
    /// nil is the newest state.
    ///
    /// - Throws: What LMDB reports.
    init(
        _ environment: Environment,
        _ keeper: ChangeKeeper,
        over last: StateChanges? = nil
    ) throws(LMDBError) {
        // A page that LMDB cannot follow ends the process, and the next start checks all pages.
        reading = try environment.beginReading(checksPages: false)
        // Leave the state before to its readers: without them the commit changes its maps in place.
        guard let before = reading.takeCompanion() as? StateChanges else {
            preconditionFailure("the environment's tables were not opened by Tables")
        }
        changes = keeper.changes(following: last ?? before)
        self.environment = environment
        self.keeper = keeper
    }

    deinit { environment.end(reading) }

    /// Begins the batch that follows this one, while this one is being written to the log.
    ///
    /// - Throws: What LMDB reports.
    func next() throws(StoreFailure) -> ChangeTransaction {
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try ChangeTransaction(environment, keeper, over: changes)
        }
    }

    /// Makes the changes durable, and those of the newest state.
    ///
    /// - Parameter now: The clocks of the batch.
    /// - Throws: What the disk reports; ``StoreFailure/isOutOfSpace`` tells whether nothing was
    ///   changed. After another failure it is unknown whether the changes exist after a restart.
    /// - Complexity: One write and one sync.
    package func commit(at now: Now) throws(StoreFailure) {
        guard let frame = frame(at: now) else { return }
        _ = try keeper.finish(changes, frame.append(), environment)
    }

    /// The frame that makes the changes durable; nil where nothing was changed.
    ///
    /// `now` are the clocks of the batch.
    package func frame(at now: Now) -> BatchFrame? {
        let payload = changes.payload()
        return payload.isEmpty ? nil : BatchFrame(payload: payload, now: now, keeper: keeper)
    }

    /// Makes the changes those of the newest state, after their frame was appended.
    ///
    /// - Parameter appended: The end of the frame.
    /// - Throws: As ``commit(at:)``.
    package func finish(_ appended: BatchFrame.Appended) throws(StoreFailure) {
        _ = try keeper.finish(changes, appended, environment)
    }

    /// As ``finish(_:)``, after the next batch was made meanwhile.
    ///
    /// - Returns: Whether the next batch may be committed; if not, it has to be made again.
    package func finish(
        _ appended: BatchFrame.Appended,
        before next: borrowing ChangeTransaction
    ) throws(StoreFailure) -> Bool {
        try keeper.finish(changes, appended, before: next.changes, environment)
    }

    @usableFromInline
    package func set(
        _ row: [UInt8],
        at key: [UInt8],
        in table: StoreTable,
        isNew: Bool
    ) throws(StoreFailure) {
        guard let index = table.index else { preconditionFailure("a batch writes no tree alone") }
        let key = ChangeKey(key)
        if table.isCounted {
            let before = isNew ? nil : try byteCount(of: key, in: table, index)
            count(key, row.count, before: before, in: table, index)
        }
        changes.put(key, row, isNew: isNew, in: index)
    }

    @usableFromInline
    package func remove(
        _ key: [UInt8],
        in table: StoreTable,
        wasRead: Bool
    ) throws(StoreFailure) -> Bool {
        guard let index = table.index else { preconditionFailure("a batch writes no tree alone") }
        let key = ChangeKey(key)
        guard !wasRead || table.isCounted else { return changes.delete(key, in: index) }
        return try take(key, from: table, index) != nil
    }

    /// Notes the first keys of a table, which were read: in order, and with no row between them.
    package func note(first keys: [[UInt8]], in table: StoreTable) {
        guard let index = table.index else { return }
        changes.note(first: keys, in: index)
    }

    /// Deletes a row, and gives how many bytes it had; nil where there was none.
    package func take<Key, Row>(
        _ key: Key,
        from table: TypedTable<Key, Row>
    ) throws(StoreFailure) -> Int? {
        guard let index = table.raw.index else {
            preconditionFailure("a batch writes no tree alone")
        }
        return try take(ChangeKey(key.bytes), from: table.raw, index)
    }

    private func take(
        _ key: ChangeKey,
        from table: StoreTable,
        _ index: Int
    ) throws(StoreFailure) -> Int? {
        guard let byteCount = try byteCount(of: key, in: table, index) else { return nil }
        if table.isCounted { count(key, nil, before: byteCount, in: table, index) }
        return changes.delete(key, in: index) ? byteCount : nil
    }

    /// How many bytes a row has; nil where there is none.
    private func byteCount(
        of key: ChangeKey,
        in table: StoreTable,
        _ index: Int
    ) throws(StoreFailure) -> Int? {
        // A row that the batch or an earlier one deleted is deleted, whatever the tree has.
        if let newest = changes.kind(of: key, in: index) { return newest.byteCount }
        return try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key.bytes, in: table.tree) { $0.byteCount }
        }
    }

    /// Counts what a row is to take, or that it goes, in place of what it takes.
    private func count(
        _ key: ChangeKey,
        _ byteCount: Int?,
        before: Int?,
        in table: StoreTable,
        _ index: Int
    ) {
        if table.keepsCount { changes.count(byteCount, before: before, in: index) }
        guard let row = table.counted?.count(of: key.bytes, bytes: 0) else { return }
        let taken = before.map { row.byteCount + $0 } ?? 0
        let takes = byteCount.map { row.byteCount + $0 } ?? 0
        if takes != taken { changes.ownerBytes[row.owner, default: 0] += takes - taken }
    }

    /// Takes what the rows that the transaction wrote and deleted take more, by their owners.
    package func takeOwnerBytes() -> [RowOwner: Int] {
        guard !changes.ownerBytes.isEmpty else { return [:] }
        defer { changes.ownerBytes.removeAll(keepingCapacity: true) }
        return changes.ownerBytes
    }
}

/// The frame of a batch, which any thread may append to the log while the next batch is made.
package struct BatchFrame: Sendable {
    /// The place of the frame, or why the log does not have it.
    package typealias Appended = Result<LogMark, LogError>

    fileprivate let payload: [UInt8]
    fileprivate let now: Now
    fileprivate let keeper: ChangeKeeper

    /// The bytes of its changes.
    package var byteCount: Int { payload.count }

    /// Appends the frame: one write and one sync; no other frame may be appended meanwhile.
    package func append() -> Appended {
        Appended { () throws(LogError) in
            try keeper.append(payload, elapsed: now.elapsed.nanoseconds, wall: now.wall.nanoseconds)
        }
    }
}

/// A transaction that writes rows: a batch, or one that writes the trees themselves.
@usableFromInline
package protocol RowWriter: ~Copyable, BelfryLMDB.Transaction {
    /// Writes a row in place of the row that the key had; `isNew` says that it had none.
    func set(
        _ row: [UInt8],
        at key: [UInt8],
        in table: StoreTable,
        isNew: Bool
    ) throws(StoreFailure)

    /// Deletes a row, and tells whether it existed; `wasRead` says that the transaction has read
    /// it, so that the tree need not be asked for it again.
    func remove(
        _ key: [UInt8],
        in table: StoreTable,
        wasRead: Bool
    ) throws(StoreFailure) -> Bool
}

/// Writes the trees themselves, of which no change may be in the log: for a new store and for a
/// repair.
extension WriteTransaction: RowWriter {
    @usableFromInline
    package func set(
        _ row: [UInt8],
        at key: [UInt8],
        in table: StoreTable,
        isNew: Bool
    ) throws(StoreFailure) {
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try put(row, forKey: key, in: table.tree)
        }
    }

    @usableFromInline
    package func remove(
        _ key: [UInt8],
        in table: StoreTable,
        wasRead: Bool
    ) throws(StoreFailure) -> Bool {
        try StoreFailure.ofLMDB { () throws(LMDBError) -> Bool in
            try delete(key: key, in: table.tree)
        }
    }
}
