internal import NotificationCore
internal import NotificationRecords

/// The order of rows that are kept of all callers together, so that the oldest are forgotten: where
/// there are too many, the caller that has most loses its own.
struct OwnedOrder<Row: TableRow> {
    let batch: Batch
    let table: TypedTable<OwnedOrderKey, Row>
    /// How many of the rows a caller has.
    let count: WritableKeyPath<RegistrantRecord, Int>
    /// How many rows are kept.
    let limit: Int

    /// How many rows are looked at for each new one: more than one, so that the table shrinks.
    private static var lookedAtPerRow: Int { 4 }
    /// How many rows are forgotten at most where there are too many: to find the caller that has
    /// most takes a look at all callers, which is not done for each new row.
    private static var forgottenAtOnce: Int { 64 }

    func append(_ row: Row, _ number: UInt64, of caller: String) throws(StoreFailure) {
        let key = OwnedOrderKey(number, of: Registrant.digest(of: caller))
        try batch.transaction.put(row, at: key, in: table)
        batch.hasChanged = true
        try change(caller, by: 1)
    }

    func remove(_ number: UInt64, of caller: String) throws(StoreFailure) {
        let key = OwnedOrderKey(number, of: Registrant.digest(of: caller))
        try batch.transaction.deleteExisting(key, in: table)
        try change(caller, by: -1)
    }

    /// Forgets the oldest rows of a caller that are too old, and rows that are too many.
    ///
    /// `forget` deletes what a row is about, which may be kept where `isTooMany` is false; it tells
    /// whether that is deleted.
    func trim(
        of caller: String,
        _ forget: (_ row: Row, _ isTooMany: Bool) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        for key in try keys(of: caller, atMost: Self.lookedAtPerRow) {
            guard try remove(key, of: caller, isTooMany: false, forget) else { break }
        }
        let total = try batch.transaction.rowCount(of: table)
        guard total > limit else { return }
        let most = try batch.callerWithMost(count, of: total)
        let excess = total - limit + min(Self.forgottenAtOnce, limit / 256)
        for key in try keys(of: most, atMost: min(excess, Self.forgottenAtOnce)) {
            _ = try remove(key, of: most, isTooMany: true, forget)
        }
    }

    private func keys(of caller: String, atMost limit: Int) throws(StoreFailure) -> [[UInt8]] {
        let owner = Registrant.digest(of: caller)
        return try batch.transaction.keys(bytesOf: table.raw, owner, atMost: limit)
    }

    /// A damaged row is reported and deleted at once: it may be about another app, and every new
    /// row would meet it.
    private func remove(
        _ key: [UInt8],
        of caller: String,
        isTooMany: Bool,
        _ forget: (_ row: Row, _ isTooMany: Bool) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> Bool {
        let row = try batch.reportingDamage { () throws(StoreFailure) in
            try table.row(batch.transaction.bytes(at: key, in: table) ?? [], at: key)
        }
        if let row {
            let isForgotten = try batch.reportingDamage { () throws(StoreFailure) in
                try forget(row, isTooMany)
            }
            if isForgotten == false { return false }
        }
        try change(caller, by: -1)
        return try batch.transaction.delete(bytes: key, in: table.raw)
    }

    /// A caller's damaged row is reported, and counts nothing until its repair.
    private func change(_ caller: String, by change: Int) throws(StoreFailure) {
        guard let registrant = Registrant(named: caller) else { return }
        _ = try batch.reportingDamage { () throws(StoreFailure) in
            try batch.changeKept(of: registrant) { $0[keyPath: count] += change }
        }
    }
}
