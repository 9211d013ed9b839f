public import BelfryLMDB

extension WriteTransaction {
    /// Counts what a row is to take, or that it goes, in place of what it takes.
    @usableFromInline
    func count(
        _ key: [UInt8],
        _ byteCount: Int?,
        in table: StoreTable,
        _ name: TableName
    ) throws(StoreFailure) {
        // The check and the repair count afterwards.
        guard let changes = companion as? StateChanges, let row = name.count(of: key, bytes: 0)
        else { return }
        let before = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key, in: table.tree) { $0.byteCount }
        }
        let taken = before.map { row.byteCount + $0 } ?? 0
        let takes = byteCount.map { row.byteCount + $0 } ?? 0
        if takes != taken { changes.ownerBytes[row.owner, default: 0] += takes - taken }
    }

    /// Takes what the rows that the transaction wrote and deleted take more, by their owners.
    package func takeOwnerBytes() -> [RowOwner: Int] {
        guard let changes = companion as? StateChanges, !changes.ownerBytes.isEmpty else {
            return [:]
        }
        defer { changes.ownerBytes.removeAll(keepingCapacity: true) }
        return changes.ownerBytes
    }
}
