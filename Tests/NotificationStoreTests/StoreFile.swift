internal import BelfryLMDB
internal import NotificationCore

@testable internal import NotificationStore

/// The tables of a closed store, to plant in them what no command makes.
struct StoreFile {
    private let environment: Environment
    let tables: Tables

    /// Opens the file of the closed store at `directory`, runs `body`, and closes it.
    static func change(in directory: String, _ body: (StoreFile) throws -> Void) throws {
        let environment = try Environment(directory: directory)
        try body(StoreFile(environment: environment, tables: try Tables(environment)))
    }

    /// Opens a file that nobody writes, such as a backup, and runs `body`.
    static func read<R>(file path: String, _ body: (StoreFile) throws -> R) throws -> R {
        let environment = try Environment(readingFile: path)
        return try body(StoreFile(environment: environment, tables: try Tables(environment)))
    }

    /// A center and its number.
    func center(_ name: CenterName) throws -> (number: UInt32, center: CenterState) {
        try environment.read { transaction throws(LMDBError) in
            guard let number = try transaction.centerNumber(name, tables) else {
                throw ByteReader.corrupted
            }
            return (number, try transaction.center(number, tables))
        }
    }

    /// Overwrites a center.
    func set(_ center: CenterState, number: UInt32) throws {
        try put(CenterRecord.bytes(of: center), forKey: Key.number(number), in: tables.centers)
    }

    /// The store-wide state.
    func state() throws -> StoreState {
        try StoreState(try value(forKey: Key.state, in: tables.meta))
    }

    /// Overwrites the store-wide state.
    func set(_ state: StoreState) throws {
        try put(state.bytes, forKey: Key.state, in: tables.meta)
    }

    /// Reads any row.
    func value(forKey key: [UInt8], in table: Table) throws -> [UInt8] {
        try environment.read { transaction throws(LMDBError) in
            guard let value = try transaction.value(forKey: key, in: table) else {
                throw ByteReader.corrupted
            }
            return value
        }
    }

    /// All rows of a table.
    func rows(of table: Table) throws -> [[UInt8]: [UInt8]] {
        try environment.read { transaction throws(LMDBError) in
            try transaction.withCursor(in: table) { cursor throws(LMDBError) in
                var rows: [[UInt8]: [UInt8]] = [:]
                while try cursor.move(to: .next) {
                    let (key, value) = try cursor.entry()
                    rows[key] = value
                }
                return rows
            }
        }
    }

    /// Writes any row.
    func put(_ value: [UInt8], forKey key: [UInt8], in table: Table) throws {
        try environment.write { transaction throws(LMDBError) in
            try transaction.put(value, forKey: key, in: table)
        }
    }

    /// Deletes any row.
    func delete(_ key: [UInt8], in table: Table) throws {
        try environment.write { transaction throws(LMDBError) in
            try transaction.deleteExisting(key, in: table)
        }
    }
}
