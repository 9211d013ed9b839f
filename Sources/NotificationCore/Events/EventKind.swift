/// A kind of event of a center, with its facts.
///
/// `Occurrence` is a due occurrence and `Delivery` a delivery. A subscriber is told them with the
/// request itself; the store keeps them with a reference to the request.
package enum EventKind<Occurrence, Delivery> {
    case delivered(Delivery)
    /// A due occurrence was withheld. An occurrence that the app shows itself replaced the older
    /// delivery of its identifier in the list.
    case suppressed(Occurrence, SuppressionReason, replacedDelivery: DeliveryNumber?)
    /// A due occurrence was too late to be of use.
    case missed(Occurrence)
    /// A pending request or a delivered notification was removed.
    case removed(Event.Removed)
    case settingsChanged(NotificationSettings)
    case badgeChanged(Int32)
    /// A repeating request has no further date, and no longer exists (CAL-10).
    case expired(identifier: String)
    /// A pending request was removed, so that another request stays (D-2).
    case evicted(identifier: String, by: String)
    case responseCompleted(Event.Responded)
    /// The app did not complete a response in time.
    case responseExpired(Event.Responded)
    /// A scheduled summary was shown with these notifications, the featured one first (SSM-3).
    case summaryPresented([Event.Shown])
    /// The person opened the app's own notification settings, perhaps from a notification.
    case openSettings(Event.Shown?)
    /// The app's token for pushes has ended, and another one waits for the app (REG-3).
    case tokenChanged
    /// The person snoozed a notification, which comes back, or snoozed it anew (SNZ-1).
    case snoozed(Event.Snoozed)
    /// A push that the app was to work on in the background ended (BG-2).
    case backgroundPush(Event.BackgroundPush)

    /// The same event with other occurrences and deliveries.
    ///
    /// - Parameters:
    ///   - occurrence: Converts an occurrence.
    ///   - delivery: Converts a delivery.
    /// - Returns: The event.
    /// - Throws: What `occurrence` or `delivery` threw.
    package func map<NewOccurrence, NewDelivery, Failure: Error>(
        occurrence: (Occurrence) throws(Failure) -> NewOccurrence,
        delivery: (Delivery) throws(Failure) -> NewDelivery
    ) throws(Failure) -> EventKind<NewOccurrence, NewDelivery> {
        switch self {
        case .delivered(let old): .delivered(try delivery(old))
        case .suppressed(let old, let reason, let replaced):
            .suppressed(try occurrence(old), reason, replacedDelivery: replaced)
        case .missed(let old): .missed(try occurrence(old))
        case .removed(let removed): .removed(removed)
        case .settingsChanged(let settings): .settingsChanged(settings)
        case .badgeChanged(let badge): .badgeChanged(badge)
        case .expired(let identifier): .expired(identifier: identifier)
        case .evicted(let identifier, let other): .evicted(identifier: identifier, by: other)
        case .responseCompleted(let responded): .responseCompleted(responded)
        case .responseExpired(let responded): .responseExpired(responded)
        case .summaryPresented(let shown): .summaryPresented(shown)
        case .openSettings(let shown): .openSettings(shown)
        case .tokenChanged: .tokenChanged
        case .snoozed(let snoozed): .snoozed(snoozed)
        case .backgroundPush(let push): .backgroundPush(push)
        }
    }
}

extension EventKind: Equatable where Occurrence: Equatable, Delivery: Equatable {}
extension EventKind: Hashable where Occurrence: Hashable, Delivery: Hashable {}
extension EventKind: Sendable where Occurrence: Sendable, Delivery: Sendable {}
