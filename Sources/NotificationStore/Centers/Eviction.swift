internal import NotificationCore
internal import NotificationRecords

extension CenterWork {
    /// Evicts the requests beyond the limit of pending requests, as the policy chooses (D-2).
    ///
    /// `reply` is the reply to the add that exceeded the limit; it names the evicted requests.
    ///
    /// - Complexity: O(*n* log *n*) in the center's requests and notifications, which are limited.
    func evictPending(for reply: inout AddReply) throws(StoreFailure) {
        let evicted = batch.limits.pendingLimitPolicy.evicted(
            from: try pendingCandidates(),
            limit: batch.limits.pendingPerCenter,
            now: batch.now
        )
        for candidate in evicted {
            try records.takePending(try identifier(candidate.identifier))
            batch.counts.evicted += 1
            try events.record(.evicted(identifier: candidate.identifier, by: reply.identifier))
        }
        reply.evicted = evicted.map(\.identifier)
        if reply.evicted.containsExactly(reply.identifier) { reply.state = .gone }
    }

    private func pendingCandidates() throws(StoreFailure) -> [PendingCandidate] {
        try writeIdentifiers()
        var candidates: [PendingCandidate] = []
        try batch.transaction.scan(batch.tables.identifiers, .center(number)) { key, row in
            if let pending = row.pending {
                candidates.append(
                    PendingCandidate(
                        identifier: key.identifier,
                        sequence: pending.sequence,
                        due: pending.due
                    )
                )
            }
            return true
        }
        return candidates
    }
}
