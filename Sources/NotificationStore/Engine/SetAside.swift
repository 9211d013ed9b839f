internal import BelfryLMDB
internal import NotificationCore

/// What the writer leaves alone until the next start, because a row of it is damaged.
///
/// A batch that meets a damaged row is thrown away and made again without what met it: nothing of
/// that is half written, and all else is durable.
struct SetAside {
    /// A row of work that is due.
    struct Row: Hashable {
        var table: Table
        var key: [UInt8]
    }

    /// The centers whose calls are refused and whose due work rests, with what is wrong.
    private(set) var centers: [UInt32: DamagedRow] = [:]
    /// Due work that is passed over: it would be met again at once, for ever.
    private(set) var rows: Set<Row> = []

    /// Has a center's calls refused and its due work rest.
    mutating func add(center: UInt32, for row: DamagedRow) {
        centers[center] = centers[center] ?? row
    }

    /// Has due work passed over.
    mutating func add(_ key: [UInt8], in table: Table) {
        rows.insert(Row(table: table, key: key))
    }

    /// Whether due work is passed over.
    func contains(_ key: [UInt8], in table: Table) -> Bool {
        !rows.isEmpty && rows.contains(Row(table: table, key: key))
    }
}

/// What a batch met of damaged rows, and what it does at the moment: damage is laid to that.
struct BatchDamage {
    /// What is left alone, because a row of it is damaged.
    var setAside: SetAside
    /// What is being done beside the commands.
    var work: Work?
    /// The damaged rows that were passed over: told once the batch is durable.
    var rows: [DamagedRow] = []

    /// Work that was begun.
    struct Work {
        /// The row that says that it is due; nil for a part of a command that is about one center.
        var row: SetAside.Row?
        /// The center that it is about, once that is known.
        var center: UInt32?
    }

    init(setAside: SetAside) { self.setAside = setAside }
}

extension Batch {
    /// Begins due work, unless it or its center is set aside; then it is passed over from now on.
    func begin(_ key: [UInt8], in table: Table, of center: UInt32? = nil) -> Bool {
        if damage.setAside.contains(key, in: table) { return false }
        damage.work = BatchDamage.Work(row: SetAside.Row(table: table, key: key))
        return center.map(isIntact) ?? true
    }

    /// Begins a part of a command that is about one center, unless that is set aside.
    func begin(center: UInt32) -> Bool {
        damage.work = BatchDamage.Work(center: center)
        return isIntact(center)
    }

    /// Notes which center the work is about that was begun, and ends it where that is set aside.
    func isIntact(_ center: UInt32) -> Bool {
        damage.work?.center = center
        guard !damage.setAside.centers.isEmpty, damage.setAside.centers[center] != nil else {
            return true
        }
        if let row = damage.work?.row { damage.setAside.add(row.key, in: row.table) }
        damage.work = nil
        return false
    }

    /// Passes over a row that no work can be read from.
    func pass(_ key: [UInt8], in table: Table) {
        damage.setAside.add(key, in: table)
        damage.rows.append(DamagedRow(ByteReader.corrupted.at(key, in: table), tables))
    }

    /// Ends the work that was begun.
    func endWork() { damage.work = nil }

    /// Why a center's commands are refused; nil where it is intact.
    func damage(of name: CenterName?) throws(LMDBError) -> DamagedRow? {
        guard !damage.setAside.centers.isEmpty, let name else { return nil }
        return try number(of: name).flatMap { damage.setAside.centers[$0] }
    }
}
