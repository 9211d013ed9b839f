/// What becomes of a request that exceeds the limit of pending ones (D-2).
///
/// The numbers are the wire's.
public enum PendingLimitPolicy: UInt8, Hashable, Sendable, CaseIterable {
    /// The new one is refused.
    case rejectNew = 0
    /// Those stay that fire soonest, as Apple documents it (LIM-1).
    case keepSoonest = 1
    /// Those stay that were added last, as it is observed on devices (LIM-2).
    case keepLatestAdded = 2
}

/// A pending request as the limit judges it.
public struct PendingCandidate: Hashable, Sendable {
    /// The request's identifier.
    public var identifier: String
    /// Its place in the order of adding.
    public var sequence: UInt64
    /// When it fires next.
    public var due: Due

    /// Makes a candidate.
    public init(identifier: String, sequence: UInt64, due: Due) {
        self.identifier = identifier
        self.sequence = sequence
        self.due = due
    }
}

extension PendingLimitPolicy {
    /// Chooses the requests that have to go so that `limit` stay.
    ///
    /// A repeating request counts as one, at its next date. Of those that fire at one instant the
    /// later added stay (§6.4).
    ///
    /// - Parameters:
    ///   - candidates: The pending requests of a center, the new one among them.
    ///   - limit: How many stay.
    ///   - now: The instant at which dates and intervals are compared.
    /// - Returns: The requests that go, the first to go first; none under ``rejectNew``.
    /// - Complexity: O(*n* log *n*).
    public func evicted(
        from candidates: [PendingCandidate],
        limit: Int,
        now: Now
    ) -> [PendingCandidate] {
        let excess = candidates.count - limit
        guard excess > 0, self != .rejectNew else { return [] }
        let order = candidates.sorted { left, right in
            let late = (left.due.nanosecondsLate(at: now), right.due.nanosecondsLate(at: now))
            guard self == .keepSoonest, late.0 != late.1 else {
                return left.sequence < right.sequence
            }
            return late.0 < late.1
        }
        return Array(order.prefix(excess))
    }
}
