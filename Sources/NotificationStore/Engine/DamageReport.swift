internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore

/// Reports each damaged row once, however often clients ask for the row.
final class DamageReport: Sendable {
    /// The most rows that are reported: more than a person reads.
    private static let limit = 1_000

    private let tables: Tables
    private let onDamage: @Sendable (DamagedRow) -> Void
    private let told = Guarded<Set<DamagedRow>>([])

    init(_ tables: Tables, onDamage: @escaping @Sendable (DamagedRow) -> Void = { _ in }) {
        self.tables = tables
        self.onDamage = onDamage
    }

    /// Reports a row; from any thread.
    func tell(_ row: DamagedRow) {
        let isNew = told.withLock { told in
            told.count < Self.limit && told.insert(row).inserted
        }
        if isNew { onDamage(row) }
    }

    /// Gives the refusal for a caller whose read failed with `error`; a refusal is returned as it
    /// is.
    ///
    /// From any thread.
    func refusal(for error: any Error) -> Refusal {
        if let refusal = error as? Refusal { return refusal }
        guard let error = error as? LMDBError else {
            preconditionFailure("an unknown error came from a read: \(error)")
        }
        guard error.isDamagedRow else { return .unreadable(error) }
        let row = DamagedRow(error, tables)
        tell(row)
        return .rowDamaged(row)
    }
}
