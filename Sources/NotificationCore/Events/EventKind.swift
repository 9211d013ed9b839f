/// What happened in a center.
///
/// `Occurrence` is a due occurrence and `Delivery` a delivery: with the request itself, as a
/// subscriber is told them, or with what refers to it, as the store keeps them.
public enum EventKind<Occurrence, Delivery> {
    /// A notification was delivered.
    case delivered(Delivery)
    /// A due occurrence was withheld. One that the app shows itself took an older delivery of its
    /// identifier out of the list.
    case suppressed(Occurrence, SuppressionReason, replacedDelivery: UInt64?)
    /// A due occurrence was too late to be of use.
    case missed(Occurrence)
    /// A pending request or a delivered notification was taken away.
    case removed(Event.Removed)
    /// The person's settings changed.
    case settingsChanged(NotificationSettings)
    /// The app's badge changed.
    case badgeChanged(Int32)
    /// A repeating request has no further date, and is gone (CAL-10).
    case expired(identifier: String)
    /// A pending request had to go, so that another one stays (D-2).
    case evicted(identifier: String, by: String)
    /// The app completed a response.
    case responseCompleted(Event.Responded)
    /// No app took a response in time.
    case responseExpired(Event.Responded)
    /// A scheduled summary was shown, with these, the featured one first (SSM-3).
    case summaryPresented([Event.Shown])
    /// The person asks for the app's own notification settings, perhaps from a notification.
    case openSettings(Event.Shown?)

    /// The same event with other occurrences and deliveries.
    ///
    /// - Parameters:
    ///   - occurrence: Gives the occurrence in place of another.
    ///   - delivery: Gives the delivery in place of another.
    /// - Returns: The event.
    /// - Throws: What either threw.
    public func map<NewOccurrence, NewDelivery, Failure: Error>(
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
        }
    }
}

extension EventKind: Equatable where Occurrence: Equatable, Delivery: Equatable {}
extension EventKind: Hashable where Occurrence: Hashable, Delivery: Hashable {}
extension EventKind: Sendable where Occurrence: Sendable, Delivery: Sendable {}
