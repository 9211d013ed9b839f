internal import BelfryLMDB
internal import NotificationCore

// The rows of the tables, as records. Reading copies a row; nothing points into the map.

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Reads a row that has to exist; an error names the row's key.
    @inline(__always)
    func row<Row>(
        _ key: [UInt8],
        in table: Table,
        _ decode: ([UInt8]) throws(LMDBError) -> Row
    ) throws(LMDBError) -> Row {
        guard let row = try rowIfAny(key, in: table, decode) else {
            throw .missing(key, in: table)
        }
        return row
    }

    /// Reads a row, or nil where there is none; an error names the row's key.
    @inline(__always)
    func rowIfAny<Row>(
        _ key: [UInt8],
        in table: Table,
        _ decode: ([UInt8]) throws(LMDBError) -> Row
    ) throws(LMDBError) -> Row? {
        guard let bytes = try value(forKey: key, in: table) else { return nil }
        do throws(LMDBError) {
            return try decode(bytes)
        } catch {
            throw error.at(key, in: table)
        }
    }

    func centerNumber(_ name: CenterName, _ tables: Tables) throws(LMDBError) -> UInt32? {
        try rowIfAny(Key.centerNumber(name), in: tables.centerNumbers) { bytes throws(LMDBError) in
            var reader = ByteReader(bytes)
            return try reader.number()
        }
    }

    func state(_ tables: Tables) throws(LMDBError) -> StoreState {
        try row(Key.state, in: tables.meta, StoreState.init)
    }

    func center(_ number: UInt32, _ tables: Tables) throws(LMDBError) -> CenterState {
        try row(Key.number(number), in: tables.centers, CenterRecord.center)
    }

    func record(_ sequence: UInt64, _ tables: Tables) throws(LMDBError) -> RequestRecord {
        try row(Key.number(sequence), in: tables.records, RequestRecord.init)
    }

    func identifierRecord(key: [UInt8], _ tables: Tables) throws(LMDBError) -> IdentifierRecord {
        try rowIfAny(key, in: tables.identifiers, IdentifierRecord.init) ?? IdentifierRecord()
    }

    func callback(
        _ number: UInt64,
        center: UInt32,
        _ tables: Tables
    ) throws(LMDBError) -> CallbackRecord {
        let key = Key.numbered(number, center: center)
        return try row(key, in: tables.callbacks, CallbackRecord.init)
    }

    /// A prompt, open or ended; nil where there is no such prompt, or its app was unregistered.
    func prompt(_ number: UInt64, _ tables: Tables) throws(LMDBError) -> PromptRecord? {
        try rowIfAny(Key.number(number), in: tables.prompts, PromptRecord.init)
    }

    /// The registration of a center's app; nil in an older file.
    func app(_ center: UInt32, _ tables: Tables) throws(LMDBError) -> AppRecord? {
        try rowIfAny(Key.number(center), in: tables.apps, AppRecord.init)
    }

    /// The category that a notification names, as it is now (K-5); nil where the app has no such
    /// category.
    func category(
        _ identifier: String,
        center: UInt32,
        _ tables: Tables
    ) throws(LMDBError) -> NotificationCategory? {
        // No category has such a name, and no key is so long.
        guard (1...Limits.categoryIdentifierBytes).contains(identifier.utf8.count) else {
            return nil
        }
        let key = Key.identifier(identifier, center: center)
        return try rowIfAny(key, in: tables.categories) { bytes throws(LMDBError) in
            try CategoryRecord.category(identifier, bytes)
        }
    }

    /// All categories of a center.
    func categories(of center: UInt32, _ tables: Tables) throws(LMDBError) -> CategorySet {
        var categories: [NotificationCategory] = []
        try scan(tables.categories, Key.number(center)) { key, value throws(LMDBError) in
            categories.append(try CategoryRecord.category(Key.identifier(in: key), value))
            return true
        }
        return CategorySet(stored: categories)
    }

    /// The state of a device.
    func device(_ name: String, _ tables: Tables) throws(LMDBError) -> DeviceState {
        try rowIfAny(Key.device(name), in: tables.devices, DeviceRecord.device) ?? DeviceState()
    }

    func deliveredRecord(
        _ delivery: UInt64,
        center: UInt32,
        _ tables: Tables
    ) throws(LMDBError) -> DeliveredRecord {
        let key = Key.numbered(delivery, center: center)
        return try row(key, in: tables.delivered, DeliveredRecord.init)
    }
}

extension WriteTransaction {
    /// Deletes a row that has to exist: a missing row means that two tables disagree.
    func deleteExisting(_ key: [UInt8], in table: Table) throws(LMDBError) {
        guard try delete(key: key, in: table) else { throw .missing(key, in: table) }
    }
}

extension Cursor {
    func entry() throws(LMDBError) -> (key: [UInt8], value: [UInt8]) {
        try withEntry { key, value in ([UInt8](copying: key), [UInt8](copying: value)) }
    }

    func key() throws(LMDBError) -> [UInt8] {
        try withEntry { key, _ in [UInt8](copying: key) }
    }
}
