internal import BelfryLMDB
internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// The tables of a closed store, to plant rows in them that no command makes.
///
/// Rows are read and written as bytes: a planted row need not decode.
struct StoreFile {
    private let environment: Environment
    let tables: Tables

    /// A row that a test needs does not exist.
    private static let missing = StoreFailure.row(RowError(.missing))

    /// Opens the file of the closed store at `directory`, runs `body`, and closes it.
    static func change(in directory: String, _ body: (StoreFile) throws -> Void) throws {
        let environment = try Environment(directory: directory)
        let log = LogDirectory.of(directory + "/data.mdb")
        let tables = try Tables(environment, log: log)
        try body(StoreFile(environment: environment, tables: tables))
        try tables.mergeChanges(environment)
    }

    /// Opens a file that nobody writes, such as a backup, and runs `body`.
    static func read<R>(file path: String, _ body: (StoreFile) throws -> R) throws -> R {
        let environment = try Environment(readingFile: path)
        let log = LogDirectory.existing(beside: path)
        let tables = try Tables(environment, log: log, for: .reading)
        return try body(StoreFile(environment: environment, tables: tables))
    }

    func center(_ name: CenterName) throws -> (number: CenterNumber, center: CenterState) {
        try environment.reading { transaction throws(StoreFailure) in
            let number = try transaction.row(name, in: tables.centerNumbers)
            return (number, try transaction.center(number, tables))
        }
    }

    /// Overwrites a center.
    func set(_ center: CenterState, number: CenterNumber) throws {
        try put(CenterRecord(center).bytes, forKey: number.bytes, in: .centers)
    }

    /// The store-wide state.
    func state() throws -> StoreState {
        try StoreState(try value(forKey: MetaKey.state.bytes, in: .meta))
    }

    /// Overwrites the store-wide state.
    func set(_ state: StoreState) throws {
        try put(state.bytes, forKey: MetaKey.state.bytes, in: .meta)
    }

    func value(forKey key: [UInt8], in table: TableName) throws -> [UInt8] {
        try environment.reading { transaction throws(StoreFailure) in
            guard let value = try transaction.value(at: key, in: tables[table]) else {
                throw Self.missing
            }
            return value
        }
    }

    func rows(of table: TableName) throws -> [[UInt8]: [UInt8]] {
        try environment.reading { transaction throws(StoreFailure) in
            var rows: [[UInt8]: [UInt8]] = [:]
            try transaction.scan(bytesOf: tables[table]) { key, value in
                rows[key] = value
                return true
            }
            return rows
        }
    }

    /// Writes any row; its center counts it.
    func put(_ value: [UInt8], forKey key: [UInt8], in table: TableName) throws {
        if table == .meta {
            // These rows are read before the log: a test writes them into the tree.
            return try environment.writing { transaction throws(StoreFailure) in
                try transaction.put(bytes: value, at: key, in: tables[table])
            }
        }
        try tables.batch(in: environment, at: Self.now) { transaction throws(StoreFailure) in
            try transaction.put(bytes: value, at: key, in: tables[table])
            try settle(transaction)
        }
    }

    /// Deletes any row that exists; its center counts it no longer.
    func delete(_ key: [UInt8], in table: TableName) throws {
        try tables.batch(in: environment, at: Self.now) { transaction throws(StoreFailure) in
            guard try transaction.delete(bytes: key, in: tables[table]) else {
                throw Self.missing
            }
            try settle(transaction)
        }
    }

    private static let now = Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: .newYear)

    private func settle(_ transaction: borrowing ChangeTransaction) throws(StoreFailure) {
        for (owner, change) in transaction.takeOwnerBytes() {
            var number: CenterNumber?
            switch owner {
            case .center(let its): number = its
            case .named(let name): number = try transaction.rowIfAny(name, in: tables.centerNumbers)
            case .app, .device: break
            }
            guard let number,
                var center = try transaction.found(number, in: tables.centers).row?.center
            else { continue }
            center.rowBytes += change
            try transaction.put(CenterRecord(center), at: number, in: tables.centers)
        }
    }
}
