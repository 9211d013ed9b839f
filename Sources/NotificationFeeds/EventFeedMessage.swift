public import NotificationCore
public import NotificationStore

/// What a subscriber asks for.
public struct SubscriptionRequest: Hashable, Sendable {
    /// The center whose events the subscriber follows.
    public var center: CenterName
    /// The last event that the subscriber knows; 0 begins at the oldest kept event, nil begins now.
    public var after: EventNumber?
    /// Whether the delivered list is told first; events then follow from that instant.
    public var wantsSnapshot = false
    /// The subscription's identifier, which no other subscription has.
    public var identifier: String
    /// The questions that the subscriber answers as the app's primary; nil makes it an observer.
    public var role: DelegateRole?
    /// The state of the app.
    public var appState = AppState.notRunning
    /// The identifier of the subscription to resume; its identifier, role and state are taken over.
    public var resumedIdentifier: String?

    /// Asks for the events of `center` from now on, as an observer.
    public init(center: CenterName, identifier: String) {
        self.center = center
        self.identifier = identifier
    }
}

/// How a subscription began.
public struct EventFeedBeginning: Hashable, Sendable {
    /// The subscription's identifier.
    public var identifier: String
    /// Whether the subscription is the primary, through which the app is asked.
    public var isPrimary: Bool
    /// The newest event when the subscription began.
    public var lastEvent: EventNumber
    /// The assumed state of the app.
    public var appState = AppState.notRunning
}

/// What one message to a subscriber holds.
public struct EventFeedMessage: Sendable {
    /// In the first message: how the subscription began.
    public var beginning: EventFeedBeginning?
    /// A part of the snapshot.
    public var snapshot: SnapshotPart?
    /// Events, shared with other subscribers.
    public var slice: EventSlice?
    /// Events, in the order of their numbers.
    public var events: [Event] { slice?.events ?? [] }
    /// Questions to the app, in the order of their numbers.
    public var callbacks: [Callback] = []
    /// The ends of questions that this subscription was told.
    public var endedCallbacks: [CallbackEnd] = []
    /// Whether another subscription became the primary: this one is an observer from now on.
    public var isDemoted = false
    /// Whether the subscription is caught up for the first time: no further event waits.
    public var isCaughtUp = false
    /// Whether the message only says that the server is there.
    public var isHeartbeat = false
    /// The last event told, this message included: a later subscription continues after it.
    public var bookmark: EventNumber
}
