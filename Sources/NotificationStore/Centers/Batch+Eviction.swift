internal import BelfryLMDB
internal import NotificationCore

extension Batch {
    /// Evicts what exceeds a center's limit of pending requests, as the policy chooses (D-2).
    ///
    /// The reply is that to the add of the request that is one too many; it names those that went.
    /// O(*n* log *n*) in the center's requests and notifications, which are limited.
    func evictPending(
        for reply: inout AddReply,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        let evicted = limits.pendingLimitPolicy.evicted(
            from: try pendingCandidates(of: number),
            limit: limits.pendingPerCenter,
            now: now
        )
        for candidate in evicted {
            try takePending(candidate.identifier, center: &center, number: number)
            counts.evicted += 1
            try record(
                .evicted(identifier: candidate.identifier, by: reply.identifier),
                for: &center,
                number: number
            )
        }
        reply.evicted = evicted.map(\.identifier)
        if reply.evicted.containsExactly(reply.identifier) { reply.state = .gone }
    }

    /// Takes a pending request away, without an event.
    ///
    /// - Returns: Whether the identifier had one.
    @discardableResult
    func takePending(
        _ name: String,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) -> Bool {
        let key = Key.identifier(name, center: number)
        var identifier = try transaction.identifierRecord(key: key, tables)
        guard let pending = identifier.pending.take() else { return false }
        try forget(pending, identifier, center, number)
        center.pendingCount -= 1
        try setIdentifier(key: key, to: identifier)
        return true
    }

    private func pendingCandidates(of number: UInt32) throws(LMDBError) -> [PendingCandidate] {
        try transaction.withCursor(in: tables.identifiers) { cursor throws(LMDBError) in
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
