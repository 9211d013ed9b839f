/// The treatment of an add that exceeds the limit of pending requests (D-2).
///
/// The numbers are the wire's.
package enum PendingLimitPolicy: UInt8, Hashable, Sendable, CaseIterable {
    /// The new request is refused.
    case rejectNew = 0
    /// The requests that fire soonest stay, as Apple documents it (LIM-1).
    case keepSoonest = 1
    /// The requests that were added last stay, as is observed on devices (LIM-2).
    case keepLatestAdded = 2
}

/// The properties of a pending request that the limit compares.
package struct PendingCandidate: Hashable, Sendable {
    package var identifier: String
    /// The request's place in the order of adding.
    package var sequence: RequestNumber
    package var due: Due?

    package init(identifier: String, sequence: RequestNumber, due: Due?) {
        self.identifier = identifier
        self.sequence = sequence
        self.due = due
    }
}

extension PendingLimitPolicy {
    /// Chooses the requests to evict so that `limit` requests stay.
    ///
    /// A repeating request counts once, at its next date. Of requests that fire at the same
    /// instant, those added later stay (§6.4); those that wait for a place come last.
    ///
    /// - Parameters:
    ///   - candidates: The pending requests of a center, the new one among them.
    ///   - limit: How many requests stay.
    ///   - now: The instant at which dates and intervals are compared.
    /// - Returns: The requests to evict, in the order of eviction; none under ``rejectNew``.
    /// - Complexity: O(*n* log *n*).
    package func evicted(
        from candidates: [PendingCandidate],
        limit: Int,
        now: Now
    ) -> [PendingCandidate] {
        let excess = candidates.count - limit
        guard excess > 0, self != .rejectNew else { return [] }
        let order = candidates.sorted { left, right in
            let late = (left.due.lateness(at: now), right.due.lateness(at: now))
            guard self == .keepSoonest, late.0 != late.1 else {
                return left.sequence < right.sequence
            }
            return late.0 < late.1
        }
        return Array(order.prefix(excess))
    }
}
