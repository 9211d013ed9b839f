public import NotificationCore
public import NotificationStore

/// What a subscriber asks for.
public struct SubscriptionRequest: Hashable, Sendable {
    /// The center whose events it follows.
    public var center: CenterName
    /// The last event that it knows; 0 tells it from the oldest kept, nil from now on.
    public var after: UInt64?
    /// Whether the delivered list is told first; it then follows from that instant.
    public var wantsSnapshot = false
    /// Names the subscription; no other has it.
    public var identifier: String
    /// What it answers for the app, which it then is the primary of; nil only looks on.
    public var role: DelegateRole?
    /// What the app does.
    public var appState = AppState.notRunning
    /// The subscription that it takes up, whose identifier, role and state are its own then.
    public var resumedIdentifier: String?

    /// Asks for the events of `center` from now on, as an observer.
    public init(center: CenterName, identifier: String) {
        self.center = center
        self.identifier = identifier
    }
}

/// How a subscription began.
public struct EventFeedBeginning: Hashable, Sendable {
    /// Names it.
    public var identifier: String
    /// Whether the app is asked here.
    public var isPrimary: Bool
    /// The newest event at that time.
    public var lastEvent: UInt64
    /// What the app is believed to do.
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
    /// Questions that were asked here and have ended.
    public var endedCallbacks: [CallbackEnd] = []
    /// Whether another subscription took over: this one only looks on from now on.
    public var isDemoted = false
    /// Whether this is the first time that nothing more waits.
    public var isCaughtUp = false
    /// Whether it only says that the server is there.
    public var isHeartbeat = false
    /// The last event told, this message included: where a later subscription goes on.
    public var bookmark: UInt64
}
