internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The records that no row refers to: they are deleted many at a time and in the order of their
/// numbers (ST-8).
///
/// Requests are not fired in the order of their numbers, so a record that is deleted at once is
/// alone on its page, and the page is written for it. A page with many released records is written
/// once for all of them.
struct ReleasedWork {
    let batch: Batch

    /// Released records may take one page in so many of the pages of all records.
    private static let releasedPart = 4
    /// The rows of the table `released` that a batch clears at most, each of 64 requests.
    private static let rowsPerBatch = 512
    /// The bytes of records that a batch deletes at least, while the released records take too
    /// much.
    private static let bytesPerBatch = 65_536

    /// Releases a request's record, which is deleted with others of its page.
    ///
    /// `request` is the number of a record that exists and was not released; `byteCount` is the
    /// bytes of the record, where it was read.
    func release(_ request: RequestNumber, of byteCount: Int?) throws(StoreFailure) {
        let records = batch.tables.records
        var read = byteCount
        if read == nil { read = try batch.transaction.byteCount(at: request, in: records) }
        guard let byteCount = read else { throw records.error(.missing, request.bytes) }
        let key = ReleasedKey(of: request)
        var row = ReleasedRow()
        if let known = batch.releasedRows[key.number] {
            row = known
        } else {
            switch try batch.transaction.found(key, in: batch.tables.released) {
            case .missing: break
            case .row(let found): row = found
            case .damaged:
                pass(key.bytes)
                try batch.transaction.deleteExisting(request, in: records)
                return
            }
        }
        guard !row.contains(request) else { throw .disagrees(request, in: records) }
        row.insert(request)
        batch.releasedRows[key.number] = row
        batch.state.released.count += 1
        batch.state.released.byteCount += byteCount
    }

    /// Writes the rows of the requests that the batch released: many are in the same row.
    ///
    /// Called at the end of the batch, and before the table is read.
    func write() throws(StoreFailure) {
        let rows = batch.releasedRows
        batch.releasedRows = [:]
        for (number, row) in rows.sorted(by: { $0.key < $1.key }) {
            let key = ReleasedKey(number: number)
            try batch.transaction.put(row, at: key, in: batch.tables.released)
        }
    }

    /// Begins to delete all released records, since an app was unregistered: its records must not
    /// stay.
    func deleteAll() { batch.state.released.deletesAll = true }

    /// Deletes released records, if they take too much room.
    ///
    /// - Complexity: O(1) mostly; otherwise O(*n*) in the deleted records, which are limited.
    func deleteIfMany() throws(StoreFailure) {
        try write()
        guard let goal = try bytesToDelete() else { return }
        let wasAtFront = batch.state.released.position == nil
        let deleted = try deleteOn(goal)
        guard deleted < goal, batch.state.released.position == nil else { return }
        if !wasAtFront { _ = try deleteOn(goal - deleted) }
    }

    /// Deletes released records from the position on, until so many bytes are deleted.
    private func deleteOn(_ goal: Int) throws(StoreFailure) -> Int {
        let isFromFront = batch.state.released.position == nil
        let rows = try rows(after: batch.state.released.position)
        var deleted = 0
        for (key, row) in rows {
            guard deleted < goal else { return deleted }
            deleted += try delete(row, at: key)
            batch.state.released.position = key
        }
        guard rows.count < Self.rowsPerBatch else { return deleted }
        batch.state.released.position = nil
        // Begin anew: there is no row, so a count that a damaged row made wrong is right again.
        if isFromFront { batch.state.released = ReleasedRecords() }
        return deleted
    }

    private func rows(
        after position: ReleasedKey?
    ) throws(StoreFailure) -> [(key: ReleasedKey, row: ReleasedRow)] {
        var rows: [(key: ReleasedKey, row: ReleasedRow)] = []
        let start = position.map { keyBehind($0.bytes) }
        let table = batch.tables.released.raw
        try batch.transaction.scan(bytesOf: table, from: start) { bytes, value in
            if let key = try? ReleasedKey(bytes), let row = try? ReleasedRow(value) {
                rows.append((key, row))
            } else {
                pass(bytes)
            }
            return rows.count < Self.rowsPerBatch
        }
        return rows
    }

    /// Skips a damaged row, and reports it once; its records stay until a repair.
    private func pass(_ key: [UInt8]) {
        let table = batch.tables.released.name
        if !batch.damage.setAside.contains(key, in: table) { batch.pass(key, in: table) }
    }

    /// How many bytes of records to delete; nil where the released records take little room.
    private func bytesToDelete() throws(StoreFailure) -> Int? {
        let released = batch.state.released
        if released.deletesAll { return .max }
        guard released.count > 0 else { return nil }
        let byteCount = try batch.transaction.byteCount(of: batch.tables.records)
        let excess = released.byteCount - byteCount / Self.releasedPart
        let isTooMuch = excess > 0 && !Fault.releasedRecordsKept.isPlanted
        guard isTooMuch || batch.room < .adds else { return nil }
        // Delete more than the excess, since the next batches release records, too.
        return max(Self.bytesPerBatch, 2 * excess)
    }

    /// Deletes the released records of a row, and gives their bytes.
    private func delete(_ row: ReleasedRow, at key: ReleasedKey) throws(StoreFailure) -> Int {
        let (records, released) = (batch.tables.records, batch.tables.released)
        var byteCount = 0
        for request in row.requests(at: key) {
            byteCount += try batch.transaction.take(request, from: records) ?? 0
            batch.state.released.count -= 1
        }
        try batch.transaction.deleteExisting(key, in: released)
        batch.state.released.byteCount -= byteCount
        batch.hasChanged = true
        return byteCount
    }
}

extension Batch {
    /// As ``Transaction/keptRecord(_:_:)``, with the requests that the batch has released.
    func keptRecord(_ request: RequestNumber) throws(StoreFailure) -> RequestRecord? {
        try released.write()
        return try transaction.keptRecord(request, tables)
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Reads a request's record, or nil where it is deleted or released.
    func keptRecord(
        _ request: RequestNumber,
        _ tables: Tables
    ) throws(StoreFailure) -> RequestRecord? {
        let isHidden = try isReleased(request, tables)
        guard !isHidden || Fault.releasedRecordShown.isPlanted else { return nil }
        return try rowIfAny(request, in: tables.records)
    }

    /// Whether a request's record only waits for its deletion: no row refers to it.
    func isReleased(_ request: RequestNumber, _ tables: Tables) throws(StoreFailure) -> Bool {
        try found(ReleasedKey(of: request), in: tables.released).row?.contains(request) ?? false
    }
}

extension ReleasedRecords {
    /// Counts the released records of a store, after a repair.
    ///
    /// - Complexity: O(*n*) in the released records.
    init(
        counting tables: Tables,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) {
        self.init()
        var released: [RequestNumber] = []
        try transaction.scan(bytesOf: tables.released.raw) { key, value throws(StoreFailure) in
            guard let key = try? ReleasedKey(key), let row = try? ReleasedRow(value) else {
                return true
            }
            released += row.requests(at: key)
            return true
        }
        count = released.count
        for request in released {
            byteCount += try transaction.byteCount(at: request, in: tables.records) ?? 0
        }
    }
}
