internal import BelfryLMDB
public import NotificationCore

extension Store {
    /// Replaces the texts of an app in one language, on all devices; a table without texts goes.
    ///
    /// The app need not be registered, and the table outlives a device's registration of it.
    ///
    /// - Parameters:
    ///   - table: One that passed ``StringTable/validate()``.
    ///   - key: Makes a retry act once.
    ///   - completion: Told how many texts the table has, once they are durable.
    public func setStringTable(
        _ table: StringTable,
        once key: OnceKey? = nil,
        completion: @escaping Completion<UInt64>
    ) {
        submit(SetStringTableCommand(table), once: key, completion)
    }
}

struct SetStringTableCommand: Command {
    private let row: [UInt8]
    // Made by the caller's thread: the writer only copies it.
    private let value: [UInt8]
    private let count: Int

    init(_ table: StringTable) {
        row = Key.stringTable(app: table.app, language: table.language)
        value = StringTableRecord.bytes(of: table.strings)
        count = table.strings.count
    }

    // As much as so many rows of another table.
    var cost: Int { 1 + value.count / 1_024 }

    func apply(to batch: Batch) throws(LMDBError) -> Step<UInt64> {
        let table = batch.tables.stringTables
        if count == 0 {
            if try batch.transaction.delete(key: row, in: table) { batch.hasChanged = true }
            return .done(.success(0))
        }
        let before = try batch.transaction.withValue(forKey: row, in: table) { $0.byteCount } ?? 0
        // What makes a table smaller is let through in a full store.
        guard batch.hasRoomForAdds || value.count <= before else {
            return .done(.failure(.storeFull))
        }
        try batch.transaction.put(value, forKey: row, in: table)
        batch.hasChanged = true
        return .done(.success(UInt64(count)))
    }
}
