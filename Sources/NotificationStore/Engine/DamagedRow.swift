internal import BelfryLMDB
internal import NotificationCore

/// A row that is missing, does not decode, or disagrees with another row, although LMDB could read
/// the file.
public struct DamagedRow: Hashable, Sendable, CustomStringConvertible {
    /// The table, by its name in the file; empty where no single row is known.
    public var table: String
    /// The row's key, for a person to read.
    public var key: String
    /// What is wrong.
    public var problem: String

    /// The table, the key and what is wrong.
    public var description: String {
        table.isEmpty ? problem : "\(table) \(key): \(problem)"
    }

    init(_ error: LMDBError, _ tables: Tables) {
        let name = StoreRules.TableName.allCases.first { name in
            error.entry.map { $0.table == name.table(in: tables) } ?? false
        }
        table = name?.rawValue ?? ""
        key = name.flatMap { name in error.entry.map { KeyText.describe($0.key, in: name) } } ?? ""
        problem = error.operation
    }
}

extension LMDBError {
    /// Whether a row is damaged, as opposed to LMDB's pages or the disk.
    var isDamagedRow: Bool { code == Self.invalidEntry }

    /// A required row is missing: two tables disagree.
    static func missing(_ key: [UInt8], in table: Table) -> LMDBError {
        LMDBError(
            code: invalidEntry,
            operation: "a row is not there",
            entry: Entry(key, in: table)
        )
    }

    /// A row disagrees with another row.
    static func disagrees(_ key: [UInt8], in table: Table) -> LMDBError {
        LMDBError(
            code: invalidEntry,
            operation: "a row is not what another one says",
            entry: Entry(key, in: table)
        )
    }

    /// The error with its row added, where it has none yet.
    func at(_ key: [UInt8], in table: Table) -> LMDBError {
        guard isDamagedRow, entry == nil else { return self }
        return LMDBError(code: code, operation: operation, entry: Entry(key, in: table))
    }
}

extension Refusal {
    /// A row of the app is damaged: the command cannot be done, and nothing happened.
    static func rowDamaged(_ row: DamagedRow) -> Refusal {
        Refusal(
            .dataLoss,
            reason: .rowDamaged,
            message: "the store has a damaged row, and nothing was done: \(row)",
            facts: row.table.isEmpty ? [:] : [.table: row.table, .key: row.key],
            hint: .repairStore
        )
    }

    /// The store's file cannot be read.
    static func unreadable(_ error: LMDBError) -> Refusal {
        Refusal(
            .unavailable,
            reason: .storeUnreadable,
            message: "the store could not be read, and nothing was done: \(error)"
        )
    }
}
