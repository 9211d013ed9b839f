internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore

/// Tells of damaged rows, each once: a client may ask for one as often as it likes.
final class DamageReport: Sendable {
    /// More than a person reads; from then on nothing is told.
    private static let limit = 1_000

    private let tables: Tables
    private let onDamage: @Sendable (DamagedRow) -> Void
    private let told = Guarded<Set<DamagedRow>>([])

    init(_ tables: Tables, onDamage: @escaping @Sendable (DamagedRow) -> Void = { _ in }) {
        self.tables = tables
        self.onDamage = onDamage
    }

    /// Tells of a row; from any thread.
    func tell(_ row: DamagedRow) {
        let isNew = told.withLock { told in
            told.count < Self.limit && told.insert(row).inserted
        }
        if isNew { onDamage(row) }
    }

    /// What a caller is told whose read failed; a refusal is itself.
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
