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
