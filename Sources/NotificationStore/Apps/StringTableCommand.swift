package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Replaces the texts of an app in one language, on all devices; an empty table is deleted.
    ///
    /// The app need not be registered, and the table stays when the app is unregistered from a
    /// device.
    ///
    /// `table` is a table that passed ``StringTable/validate()``. `completion` is told how many
    /// texts the table has, once they are durable.
    package func setStringTable(
        _ table: StringTable,
        once key: OnceKey? = nil,
        completion: @escaping Completion<UInt64>
    ) {
        submit(SetStringTableCommand(table), once: key, completion)
    }
}

struct SetStringTableCommand: Command {
    private let key: StringTableKey
    // Encoded on the caller's thread, so that the writer only copies the bytes.
    private let row: StringTableRecord
    private let count: Int
    private let app: String

    var growth: Growth { .asked }

    init(_ table: StringTable) {
        app = table.app
        key = StringTableKey(app: table.app, language: table.language)
        row = StringTableRecord(table.strings)
        count = table.strings.count
    }

    // Each KiB costs as much as a row of another table.
    var cost: Int { 1 + row.bytes.count / 1_024 }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<UInt64> {
        let table = batch.tables.stringTables
        if count == 0 {
            if try batch.transaction.delete(key, in: table) { batch.hasChanged = true }
            return .done(.success(0))
        }
        let before = try batch.transaction.byteCount(at: key, in: table) ?? 0
        // Let a table become smaller in a full store, or at the caller's limit.
        let growth = row.bytes.count - before
        try StoreFailure.refuse(batch.refusal(ofKeeping: growth, of: .app(app)))
        try batch.transaction.put(row, at: key, in: table)
        batch.hasChanged = true
        return .done(.success(UInt64(count)))
    }
}
