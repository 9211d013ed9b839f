internal import LMDB
internal import NotificationCore

// The rows of the tables, as records. Reading copies a row; nothing points into the map.

extension LMDB.Transaction where Self: ~Copyable {
    func centerNumber(_ name: CenterName, _ tables: Tables) throws(LMDBError) -> UInt32? {
        guard let bytes = try value(forKey: Key.centerNumber(name), in: tables.centerNumbers)
        else { return nil }
        var reader = ByteReader(bytes)
        return try reader.number()
    }

    func state(_ tables: Tables) throws(LMDBError) -> StoreState {
        guard let bytes = try value(forKey: Key.state, in: tables.meta) else {
            throw ByteReader.corrupted
        }
        return try StoreState(bytes)
    }

    func center(_ number: UInt32, _ tables: Tables) throws(LMDBError) -> NotificationCenter {
        guard let bytes = try value(forKey: Key.number(number), in: tables.centers) else {
            throw ByteReader.corrupted
        }
        return try CenterRecord.center(bytes)
    }

    func record(_ sequence: UInt64, _ tables: Tables) throws(LMDBError) -> RequestRecord {
        guard let bytes = try value(forKey: Key.number(sequence), in: tables.records) else {
            throw ByteReader.corrupted
        }
        return try RequestRecord(bytes)
    }

    func identifierRecord(key: [UInt8], _ tables: Tables) throws(LMDBError) -> IdentifierRecord {
        guard let bytes = try value(forKey: key, in: tables.identifiers) else {
            return IdentifierRecord()
        }
        return try IdentifierRecord(bytes)
    }

    func callback(
        _ number: UInt64,
        center: UInt32,
        _ tables: Tables
    ) throws(LMDBError) -> CallbackRecord {
        let key = Key.numbered(number, center: center)
        guard let bytes = try value(forKey: key, in: tables.callbacks) else {
            throw ByteReader.corrupted
        }
        return try CallbackRecord(bytes)
    }

    /// A prompt, open or ended; nil where there never was one, or its app is gone.
    func prompt(_ number: UInt64, _ tables: Tables) throws(LMDBError) -> PromptRecord? {
        guard let bytes = try value(forKey: Key.number(number), in: tables.prompts) else {
            return nil
        }
        return try PromptRecord(bytes)
    }

    /// What a center's app is registered with; nil in an older file.
    func app(_ center: UInt32, _ tables: Tables) throws(LMDBError) -> AppRecord? {
        guard let bytes = try value(forKey: Key.number(center), in: tables.apps) else {
            return nil
        }
        return try AppRecord(bytes)
    }

    /// The category that a notification names, as it is now (semantics.md K-5); nil where the app
    /// has none of that identifier.
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
        guard let bytes = try value(forKey: key, in: tables.categories) else { return nil }
        return try CategoryRecord.category(identifier, bytes)
    }

    /// All categories of a center.
    func categories(of center: UInt32, _ tables: Tables) throws(LMDBError) -> CategorySet {
        let categories = try withCursor(in: tables.categories) { cursor throws(LMDBError) in
            var categories: [NotificationCategory] = []
            var found = try cursor.seek(atOrAfter: Key.number(center))
            while found {
                let (key, value) = try cursor.entry()
                guard Key.belongs(key, to: center) else { break }
                categories.append(try CategoryRecord.category(Key.identifier(in: key), value))
                found = try cursor.move(to: .next)
            }
            return categories
        }
        return CategorySet(stored: categories)
    }

    /// What a device is doing.
    func device(_ name: String, _ tables: Tables) throws(LMDBError) -> DeviceState {
        guard let bytes = try value(forKey: Key.device(name), in: tables.devices) else {
            return DeviceState()
        }
        return try DeviceRecord.device(bytes)
    }

    func deliveredRecord(
        _ delivery: UInt64,
        center: UInt32,
        _ tables: Tables
    ) throws(LMDBError) -> DeliveredRecord {
        let key = Key.numbered(delivery, center: center)
        guard let bytes = try value(forKey: key, in: tables.delivered) else {
            throw ByteReader.corrupted
        }
        return try DeliveredRecord(bytes)
    }
}

extension WriteTransaction {
    /// Deletes a row that is there: that it is not means that two tables disagree.
    func deleteExisting(_ key: [UInt8], in table: Table) throws(LMDBError) {
        guard try delete(key: key, in: table) else { throw ByteReader.corrupted }
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
