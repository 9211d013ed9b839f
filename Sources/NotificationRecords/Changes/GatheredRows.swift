/// The counts of the rows that gather, beside the maps that have them.
struct GatheredRows {
    /// Rows that no tree has under any key, by the index of their table.
    private var newCounts = [Int](repeating: 0, count: LaggingTable.allCases.count)
    private(set) var count = 0
    /// Whether the log has changes since they were flushed.
    private(set) var isLogged = false
    /// The changes that the write transaction is to log.
    private(set) var rows = ChangeLogRow.Rows()
    private(set) var hasFlushed = false

    init() {}

    /// The same rows, at the beginning of a write transaction.
    init(following gathered: GatheredRows) {
        newCounts = gathered.newCounts
        count = gathered.count
        isLogged = gathered.isLogged
    }

    /// Whether the write transaction has something to log or to note.
    var isChanged: Bool { rows.changeCount > 0 || hasFlushed && isLogged }

    /// How many rows of a table no tree has under any key.
    func newCount(of table: LaggingTable) -> Int { newCounts[table.index] }

    /// Notes a row, and that it is to be logged.
    mutating func put(_ key: [UInt8], _ row: [UInt8], isNew: Bool, in table: LaggingTable) {
        if isNew { count += 1 }
        rows.append(ChangeLogRow.Entry(table: table, key: key, change: .put(row)))
    }

    /// Notes that a row was deleted, which the log may have.
    mutating func remove(_ key: [UInt8], wasNew: Bool, in table: LaggingTable) {
        count -= 1
        if wasNew { newCounts[table.index] -= 1 }
        rows.append(ChangeLogRow.Entry(table: table, key: key, change: .deletion))
    }

    /// Notes that a start found a row in the log.
    mutating func replay() { isLogged = true }

    /// Counts a row that a start found in the log.
    mutating func count(isNew: Bool, in table: LaggingTable) {
        count += 1
        if isNew { countNew(in: table) }
    }

    /// Counts a row that no tree has under its key.
    mutating func countNew(in table: LaggingTable) { newCounts[table.index] += 1 }

    /// Takes what is to be logged.
    mutating func takeLog() -> [[UInt8]] {
        let bytes = rows.bytes
        if !bytes.isEmpty { isLogged = true }
        rows = ChangeLogRow.Rows()
        return bytes
    }

    /// Notes that all rows are in their trees: nothing has to be logged.
    mutating func flush() {
        newCounts = [Int](repeating: 0, count: newCounts.count)
        count = 0
        rows = ChangeLogRow.Rows()
        hasFlushed = true
    }

    /// Notes that it is in the file that the log's rows are flushed.
    mutating func noteFlushed() { isLogged = false }
}
