internal import BelfryLMDB
internal import NotificationCore

extension CenterWork {
    /// Evicts what exceeds the limit of pending requests, as the policy chooses (D-2).
    ///
    /// The reply is that to the add of the request that is one too many; it names those that went.
    ///
    /// - Complexity: O(*n* log *n*) in the center's requests and notifications, which are limited.
    func evictPending(for reply: inout AddReply) throws(LMDBError) {
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

    private func pendingCandidates() throws(LMDBError) -> [PendingCandidate] {
        try writeIdentifiers()
        let table = batch.tables.identifiers
        return try batch.transaction.withCursor(in: table) { cursor throws(LMDBError) in
            var candidates: [PendingCandidate] = []
            var found = try cursor.seek(atOrAfter: Key.number(number))
            while found {
                let (key, value) = try cursor.entry()
                guard Key.belongs(key, to: number) else { break }
                if let pending = try IdentifierRecord(value).pending {
                    candidates.append(
                        PendingCandidate(
                            identifier: Key.identifier(in: key),
                            sequence: pending.sequence,
                            due: pending.due
                        )
                    )
                }
                found = try cursor.move(to: .next)
            }
            return candidates
        }
    }
}
