/// One of the changes that settle an occurrence.
///
/// The core decides the changes; the store makes them in order, in one transaction.
package enum SettlementChange: Hashable, Sendable {
    /// The app is asked how to present the occurrence, which is arriving until the app answers
    /// (§9).
    case ask
    /// The earlier delivery of the identifier leaves the list, or does not come back from its
    /// snooze: this occurrence replaces it.
    case replaceDelivered
    /// The delivery under another identifier with the same replacement key leaves the list, or
    /// does not come back from its snooze.
    case removeOfKey
    /// The occurrence is delivered with this presentation, and the delivery is recorded.
    case deliver(Presentation)
    /// The occurrence is withheld, and that is recorded.
    case suppress(SuppressionReason)
    /// The occurrence was too late to be of use, and that is recorded.
    case miss
    /// Every other delivery of the center leaves the list (B-5).
    case clearDelivered
    /// The app's badge changes, and that is recorded.
    case setBadge(Int32)
    /// The oldest delivery leaves the full list (D-19).
    case removeOldest
}

/// The other requests and notifications under the identifier of the occurrence that is settled.
///
/// No older occurrence is arriving: it was withdrawn before (``Outcome/withdrawsOlder``).
package struct IdentifierState: Hashable, Sendable {
    /// Whether a delivery is in the list.
    package var isDelivered: Bool
    /// Whether a delivery of another identifier with the same replacement key is in the list.
    package var isKeyDelivered: Bool
    package var isSnoozed: Bool
    /// Whether a delivery of another identifier with the same replacement key is snoozed.
    package var isKeySnoozed: Bool

    package init(
        isDelivered: Bool = false,
        isKeyDelivered: Bool = false,
        isSnoozed: Bool = false,
        isKeySnoozed: Bool = false
    ) {
        self.isDelivered = isDelivered
        self.isKeyDelivered = isKeyDelivered
        self.isSnoozed = isSnoozed
        self.isKeySnoozed = isKeySnoozed
    }

    /// How many deliveries leave the list for a newer one.
    fileprivate var deliveredCount: Int { (isDelivered ? 1 : 0) + (isKeyDelivered ? 1 : 0) }
}

/// How many occurrences and deliveries a center may have.
package struct SettlementLimits: Hashable, Sendable {
    /// Arriving occurrences, which wait for the app's answer.
    package var arriving: Int
    /// Notifications in the list.
    package var delivered: Int

    package init(arriving: Int, delivered: Int) {
        self.arriving = arriving
        self.delivered = delivered
    }
}

extension CenterState {
    /// Decides the changes that settle an occurrence, after the older occurrences that it withdraws
    /// were withdrawn.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the occurrence.
    ///   - content: The content of the occurrence.
    ///   - identifier: What else exists under the occurrence's identifier.
    ///   - limits: How many occurrences and deliveries the center may have.
    ///   - device: What the device is doing.
    ///   - profile: Which behaviour the server follows.
    /// - Returns: The changes, in the order in which they are made.
    package func changes(
        settling outcome: Outcome,
        of content: Boxed<ContentHead>,
        under identifier: IdentifierState,
        within limits: SettlementLimits,
        on device: Boxed<DeviceState> = Boxed(DeviceState()),
        profile: Profile = .server
    ) -> [SettlementChange] {
        var replacement: [SettlementChange] =
            identifier.isDelivered || identifier.isSnoozed ? [.replaceDelivered] : []
        if identifier.isKeyDelivered || identifier.isKeySnoozed {
            replacement.append(.removeOfKey)
        }
        switch outcome {
        case .missed: return [.miss]
        case .suppressed(.notAuthorized): return [.suppress(.notAuthorized)]
        // Leave the older delivery as it is: the extension dropped the newer one.
        case .suppressed(.filtered): return [.suppress(.filtered)]
        case .suppressed(.notPresented):
            // Replace the older delivery: the app in front shows the occurrence itself (§8 step 9).
            return replacement + [.suppress(.notPresented)]
        case .asks:
            guard arrivingCount >= limits.arriving else { return [.ask] }
            // An app with so many unanswered questions counts as unresponsive (FD-5).
            return changes(
                settling: outcomeAfterDeadline(of: content, on: device, profile: profile),
                of: content,
                under: identifier,
                within: limits,
                on: device,
                profile: profile
            )
        case .delivered(var presentation):
            if content.value.updatesQuietly, !replacement.isEmpty {
                presentation.options.subtract([.banner, .sound])
                presentation.vibrates = false
            }
            var changes = replacement
            changes.reserveCapacity(replacement.count + Self.mostChangesOfDelivery)
            changes.append(.deliver(presentation))
            var count = deliveredCount - identifier.deliveredCount
            let options = presentation.options
            let rules = profile.compatibility
            if rules.clearsDelivered(byDelivering: content.value, with: options) {
                changes.append(.clearDelivered)
                count = 0
            }
            if options.contains(.list) { count += 1 }
            if let badge = badge(after: content.value, with: options) {
                changes.append(.setBadge(badge))
            }
            if count > limits.delivered { changes.append(.removeOldest) }
            return changes
        }
    }

    private static let mostChangesOfDelivery = 4

    /// The badge that a delivery sets; nil where the badge stays as it is.
    private func badge(
        after content: ContentHead,
        with options: PresentationOptions
    ) -> Int32? {
        guard options.contains(.badge) else { return nil }
        let after = content.badge(after: badge)
        return after == badge ? nil : after
    }
}
