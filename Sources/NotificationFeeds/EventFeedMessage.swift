package import NotificationCore
package import NotificationStore

/// A subscriber's request: the center, the beginning and the role.
package struct SubscriptionRequest: Hashable, Sendable {
    /// The center whose events the subscriber follows.
    package var center: CenterName
    /// The last event that the subscriber knows; 0 begins at the oldest kept event, nil begins now.
    package var after: EventNumber?
    /// Whether the delivered list is told first; events then follow from that instant.
    package var wantsSnapshot = false
    /// The subscription's identifier, which no other subscription has.
    package var identifier: String
    /// The questions that the subscriber answers as the app's primary; nil makes it an observer.
    package var role: DelegateRole?
    package var appState = AppState.notRunning
    /// The identifier of the subscription to resume; its identifier, role and state are taken over.
    package var resumedIdentifier: String?

    /// Asks for the events of `center` from now on, as an observer.
    package init(center: CenterName, identifier: String) {
        self.center = center
        self.identifier = identifier
    }
}

/// How a subscription began.
package struct EventFeedBeginning: Hashable, Sendable {
    package var identifier: String
    package var isPrimary: Bool
    package var lastEvent: EventNumber
    /// The assumed state of the app.
    package var appState = AppState.notRunning
}

/// The content of one message to a subscriber, with its bookmark.
package struct EventFeedMessage: Sendable {
    /// How the subscription began; only in the first message.
    package var beginning: EventFeedBeginning?
    package var snapshot: SnapshotPart?
    /// Events, shared with other subscribers.
    package var slice: EventSlice?
    /// Events, in the order of their numbers.
    package var events: [Event] { slice?.events ?? [] }
    /// Questions to the app, in the order of their numbers.
    package var callbacks: [Callback] = []
    /// The ends of questions that this subscription was told.
    package var endedCallbacks: [CallbackEnd] = []
    /// Whether another subscription became the primary: this one is an observer from now on.
    package var isDemoted = false
    /// Whether the subscription is caught up for the first time: no further event waits.
    package var isCaughtUp = false
    package var isHeartbeat = false
    /// The last event told, this message included: a later subscription continues after it.
    package var bookmark: EventNumber
}
