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
        guard let changes = companion as? StateChanges else { return }
        let before = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withValue(forKey: key, in: table.tree) { $0.byteCount }
        }
        if let before, let old = name.count(of: key, bytes: before) {
            changes.ownerBytes[old.owner, default: 0] -= old.byteCount
        }
        if let byteCount, let new = name.count(of: key, bytes: byteCount) {
            changes.ownerBytes[new.owner, default: 0] += new.byteCount
        }
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
