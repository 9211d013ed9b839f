internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

extension StoreTotals {
    /// Counts the centers and their rows, after a repair.
    ///
    /// - Complexity: O(*n*) in the centers.
    init(
        counting tables: Tables,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) {
        var totals = StoreTotals()
        // Skip a damaged center: it is set aside, and does not count.
        try transaction.scan(bytesOf: tables.centers.raw) { _, value in
            if let row = try? CenterRecord(value) { totals += StoreTotals(of: row.center) }
            return true
        }
        self = totals
    }
}

extension StoreState {
    /// The format of the store in `environment`; nil for a new store.
    ///
    /// It changes nothing, and reads only what is the same in every format.
    static func format(in environment: Environment) throws(StoreFailure) -> FormatRow? {
        let meta = try StoreFailure.ofLMDB(try environment.existingTable(TableName.meta.rawValue))
        guard let meta else { return nil }
        return try environment.reading { transaction throws(StoreFailure) in
            let table = TypedTable<MetaKey, FormatRow>(meta, .meta)
            return try transaction.rowIfAny(.format, in: table)
        }
    }

    /// Refuses a store of another format.
    ///
    /// - Returns: Whether the store has a format, as opposed to a new store.
    /// - Throws: ``StoreError/format(found:known:)``, or what LMDB reports.
    @discardableResult
    static func requireKnownFormat(in environment: Environment) throws(StoreError) -> Bool {
        let found: FormatRow?
        do {
            found = try format(in: environment)
        } catch {
            throw .failed(error)
        }
        guard let found else { return false }
        guard found.version == format else {
            throw .format(found: found.version, known: format)
        }
        return true
    }
}
