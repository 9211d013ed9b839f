/// Which behaviour the server follows where there is a choice (D-22).
///
/// The numbers are the wire's.
package enum Profile: UInt8, Hashable, Sendable, CaseIterable {
    /// Belfry's own behaviour: nothing is lost without an event or an error.
    case server = 0
    /// Apple's behaviour, with its limits and faults.
    case ios = 1

    /// The pending requests that a center may have, unless the server's options say otherwise
    /// (§6.4).
    package var pendingPerCenter: Int { self == .ios ? 64 : Limits.pendingPerCenter }

    /// The policy for a request beyond that limit, unless the server's options name one (D-2).
    package var pendingLimitPolicy: PendingLimitPolicy { self == .ios ? .keepSoonest : .rejectNew }

    /// The side effects of Apple's system that the profile has (D-17).
    package var compatibility: Compatibility { self == .ios ? .badgeZeroClearsDelivered : [] }

    /// Whether only an app with the entitlement may say that a person wrote or called (COM-2).
    ///
    /// Under ``server`` every app may, since the person has a setting for it.
    package var communicationNeedsEntitlement: Bool { self == .ios }

    /// The rules for the summaries of groups (D-7).
    package var summaryRules: SummaryRules { self == .ios ? .ios15 : .ios12 }

    /// How many regions an app may watch; nil where only its pending requests are limited (LIM-3).
    package var regionsPerApp: Int? { self == .ios ? Limits.regionsPerApp : nil }

    /// Whether an app may fetch a delivered notification: under ``ios`` none of a location trigger
    /// (LOC-6, D-18).
    package func lists(_ delivered: NotificationRequest) -> Bool {
        self != .ios || delivered.trigger?.region == nil
    }
}
