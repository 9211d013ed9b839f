internal import NotificationCore
internal import NotificationRecords

/// A damaged row as it is reported: by names and text, without its bytes.
package struct DamagedRow: Hashable, Sendable, CustomStringConvertible {
    /// The table, by its name in the file; empty where no single row is known.
    package var table: String
    package var key: String
    package var problem: String

    package var description: String {
        table.isEmpty ? problem : "\(table) \(key): \(problem)"
    }

    /// A page of the file, of which it is not known what rows it has.
    init(page error: StoreFailure) {
        table = ""
        key = ""
        problem = "\(error)"
    }

    init(_ error: RowError) {
        table = error.table?.rawValue ?? ""
        key = error.table.map { KeyText.describe(error.key, in: $0) } ?? ""
        problem = error.problem.description
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
    static func unreadable(_ error: StoreFailure) -> Refusal {
        Refusal(
            .unavailable,
            reason: .storeUnreadable,
            message: "the store could not be read, and nothing was done: \(error)"
        )
    }
}
