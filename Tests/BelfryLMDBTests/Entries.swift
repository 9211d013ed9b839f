internal import BelfryLMDB

struct Entry: Equatable {
    let key: [UInt8]
    let value: [UInt8]
}

extension Transaction where Self: ~Copyable {
    func entries(of table: Table) throws(LMDBError) -> [Entry] {
        try withCursor(in: table) { cursor throws(LMDBError) in
            var entries: [Entry] = []
            while try cursor.move(to: .next) { entries.append(try cursor.entry()) }
            return entries
        }
    }
}

extension Environment {
    func lastTransactionID() throws(LMDBError) -> Int {
        try read { transaction throws(LMDBError) in transaction.id }
    }
}

extension Cursor {
    /// The entry under the cursor.
    func entry() throws(LMDBError) -> Entry {
        try withEntry { key, value throws(LMDBError) in
            Entry(key: [UInt8](copying: key), value: [UInt8](copying: value))
        }
    }
}

/// The bytes of an integer, most significant first: keys in the order of the integers.
func bigEndian(_ number: UInt64) -> [8 of UInt8] {
    [8 of UInt8] { index in UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index)) }
}
