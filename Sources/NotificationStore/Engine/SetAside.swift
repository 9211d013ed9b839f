internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The centers and due work that the writer skips until the next start, because a row is damaged.
///
/// A batch that meets a damaged row is thrown away and made again without the work that met the
/// row: that work leaves nothing half written, and all other work is durable.
struct SetAside {
    struct Row: Hashable {
        var table: TableName
        var key: [UInt8]
    }

    /// The centers whose calls are refused and whose due work is skipped, with their damaged row.
    private(set) var centers: [CenterNumber: DamagedRow] = [:]
    /// The rows of due work that are skipped: otherwise each batch would meet them again.
    private(set) var rows: Set<Row> = []

    /// Sets a center aside: its calls are refused, its due work is skipped.
    mutating func add(center: CenterNumber, for row: DamagedRow) {
        centers[center] = centers[center] ?? row
    }

    /// Sets due work aside.
    mutating func add(_ key: [UInt8], in table: TableName) {
        rows.insert(Row(table: table, key: key))
    }

    /// Whether due work is set aside.
    func contains(_ key: [UInt8], in table: TableName) -> Bool {
        !rows.isEmpty && rows.contains(Row(table: table, key: key))
    }
}

/// The damaged rows that a batch met, and its present work: new damage is attributed to that work.
struct BatchDamage {
    /// The centers and due work to skip.
    var setAside: SetAside
    /// The present work beside the commands.
    var work: Work?
    var rows: [DamagedRow] = []

    /// Due work, or the part of a command that concerns one center.
    struct Work {
        var row: SetAside.Row?
        /// The center that the work concerns, once that is known.
        var center: CenterNumber?
    }

    init(setAside: SetAside) { self.setAside = setAside }
}

extension Batch {
    /// Begins due work, unless the work or its center is set aside; the work is then skipped from
    /// now on.
    func begin(_ key: [UInt8], in table: TableName, of center: CenterNumber? = nil) -> Bool {
        if damage.setAside.contains(key, in: table) { return false }
        damage.work = BatchDamage.Work(row: SetAside.Row(table: table, key: key))
        return center.map(isIntact) ?? true
    }

    /// Begins the part of a command that concerns one center, unless the center is set aside.
    func begin(center: CenterNumber) -> Bool {
        damage.work = BatchDamage.Work(center: center)
        return isIntact(center)
    }

    func isIntact(_ center: CenterNumber) -> Bool {
        damage.work?.center = center
        guard !damage.setAside.centers.isEmpty, damage.setAside.centers[center] != nil else {
            return true
        }
        if let row = damage.work?.row { damage.setAside.add(row.key, in: row.table) }
        damage.work = nil
        return false
    }

    /// Skips a row from which no work can be read.
    func pass(_ key: [UInt8], in table: TableName) {
        damage.setAside.add(key, in: table)
        damage.rows.append(DamagedRow(RowError(.undecodable, table: table, key: key)))
    }

    /// Does something beside the present work: damage that it meets is reported, and not attributed
    /// to that work.
    ///
    /// - Parameter body: Changes nothing before it throws.
    /// - Returns: What `body` gives; nil where it met a damaged row.
    /// - Throws: What the store reports of the file as a whole.
    func reportingDamage<Value>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value? {
        do throws(StoreFailure) {
            return try body()
        } catch {
            guard let row = error.row, !Fault.oldestReceiptStopsAll.isPlanted else { throw error }
            damage.rows.append(DamagedRow(row))
            return nil
        }
    }

    func endWork() { damage.work = nil }

    /// The damaged row for which a center's commands are refused; nil for an intact center.
    func damage(of name: CenterName?) throws(StoreFailure) -> DamagedRow? {
        guard !damage.setAside.centers.isEmpty, let name else { return nil }
        return try number(of: name).flatMap { damage.setAside.centers[$0] }
    }
}
