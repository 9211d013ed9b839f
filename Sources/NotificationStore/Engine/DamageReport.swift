internal import BelfryLocking
internal import NotificationCore
internal import NotificationRecords

/// Reports each damaged row once, however often clients ask for the row.
final class DamageReport: Sendable {
    /// The most rows that are reported: more than a person reads.
    private static let limit = 1_000

    private let onDamage: @Sendable (DamagedRow) -> Void
    private let told = Guarded<Set<DamagedRow>>([])

    init(onDamage: @escaping @Sendable (DamagedRow) -> Void = { _ in }) {
        self.onDamage = onDamage
    }

    /// Whether a row was reported.
    var hasDamage: Bool { told.withLock { !$0.isEmpty } }

    /// The rows that were reported, by table and key.
    var rows: [DamagedRow] {
        told.withLock { $0 }.sorted { ($0.table, $0.key) < ($1.table, $1.key) }
    }

    /// Reports a row; from any thread.
    func tell(_ row: DamagedRow) {
        let isNew = told.withLock { told in
            told.count < Self.limit && told.insert(row).inserted
        }
        if isNew { onDamage(row) }
    }

    /// Gives the refusal for a caller whose read met this error; a refusal is returned as it is.
    ///
    /// From any thread.
    func refusal(for error: any Error) -> Refusal {
        if let refusal = error as? Refusal { return refusal }
        guard let error = error as? StoreFailure else {
            preconditionFailure("an unknown error came from a read: \(error)")
        }
        guard let damaged = error.row else {
            if error.isDamage { tell(DamagedRow(page: error)) }
            return .unreadable(error)
        }
        let row = DamagedRow(damaged)
        tell(row)
        return .rowDamaged(row)
    }

    /// Gives the result of a read, or throws ``refusal(for:)`` in place of its error.
    ///
    /// From any thread.
    func orRefuse<Value>(_ read: () throws -> Value) throws(Refusal) -> Value {
        do {
            return try read()
        } catch {
            throw refusal(for: error)
        }
    }
}
