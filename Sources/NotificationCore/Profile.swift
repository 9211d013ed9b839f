/// Whose behaviour the server follows where there is a choice (D-22).
///
/// The numbers are the wire's.
public enum Profile: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing is lost without a word.
    case server = 0
    /// As Apple's system does it, its limits and faults too.
    case ios = 1

    /// The pending requests that a center may have, unless it is told otherwise (§6.4).
    public var pendingPerCenter: Int { self == .ios ? 64 : Limits.pendingPerCenter }

    /// What becomes of a request beyond that, unless it is told otherwise (D-2).
    public var pendingLimitPolicy: PendingLimitPolicy { self == .ios ? .keepSoonest : .rejectNew }

    /// The side effects of Apple's system that it has (D-17).
    public var compatibility: Compatibility { self == .ios ? .badgeZeroClearsDelivered : [] }

    /// Whether only an app with the entitlement may say that a person wrote or called (COM-2).
    ///
    /// Under the server's own rules every app may, since the person has a setting for it.
    public var communicationNeedsEntitlement: Bool { self == .ios }

    /// Whose rules the summaries of groups follow (D-7).
    public var summaryRules: SummaryRules { self == .ios ? .ios15 : .ios12 }
}
