public import NotificationCore

/// A numbered fact in a center's log, as a subscriber is told it.
public struct Event: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// A notification was delivered.
        case delivered(Delivered)
        /// A due occurrence was withheld. One that the app shows itself took an older delivery of
        /// its identifier out of the list.
        case suppressed(Fired, SuppressionReason, replacedDelivery: UInt64?)
        /// A due occurrence was too late to be of use.
        case missed(Fired)
        /// A pending request or a delivered notification was taken away.
        case removed(Removed)
        /// The person's settings changed.
        case settingsChanged(NotificationSettings)
        /// The app's badge changed.
        case badgeChanged(Int32)
        /// A repeating request has no further date, and is gone (CAL-10).
        case expired(identifier: String)
        /// A pending request had to go, so that another one stays (D-2).
        case evicted(identifier: String, by: String)
        /// The app completed a response.
        case responseCompleted(Responded)
        /// No app took a response in time.
        case responseExpired(Responded)
        /// A scheduled summary was shown, with these, the featured one first (SSM-3).
        case summaryPresented([Shown])
        /// The person asks for the app's own notification settings, perhaps from a notification.
        case openSettings(Shown?)
    }

    /// A due occurrence.
    public struct Fired: Hashable, Sendable {
        /// The request that was due.
        public var request: NotificationRequest
        /// How late it fired, in nanoseconds.
        public var lateByNanoseconds: Int64
        /// The earlier occurrences that it stands for as well.
        public var collapsedCount: Int64
    }

    /// A delivery.
    public struct Delivered: Hashable, Sendable {
        /// The notification.
        public var notification: DeliveredNotification
        /// What the person perceived.
        public var presentation: Presentation
        /// How late it was, in nanoseconds.
        public var lateByNanoseconds: Int64
        /// The earlier occurrences that it stands for as well.
        public var collapsedCount: Int64
        /// The delivery whose place in the list it took.
        public var replacedDelivery: UInt64?
    }

    /// A removal.
    public struct Removed: Hashable, Sendable {
        /// Who took it away.
        public var reason: RemovalReason
        /// Its identifier.
        public var identifier: String
        /// The number of the delivery; nil for a pending request.
        public var delivery: UInt64?
    }

    /// A notification that the device shows.
    public struct Shown: Hashable, Sendable {
        /// Its identifier.
        public var identifier: String
        /// The number of its delivery.
        public var delivery: UInt64
    }

    /// A response that is no longer open.
    public struct Responded: Hashable, Sendable {
        /// The notification's identifier.
        public var identifier: String
        /// The number of its delivery.
        public var delivery: UInt64
        /// What the person did.
        public var actionIdentifier: String
    }

    /// The event's number in its center; the first is 1, and none is left out.
    public var number: UInt64
    /// When it happened.
    public var date: WallInstant
    /// What happened.
    public var kind: Kind
}

/// A delivered request (§3.3).
public struct DeliveredNotification: Hashable, Sendable {
    /// The request.
    public var request: NotificationRequest
    /// The date that the person sees.
    public var date: WallInstant
    /// The number of the delivery in its center.
    public var delivery: UInt64
}

/// Who took requests or notifications away; the numbers are stored.
public enum RemovalReason: UInt8, Hashable, Sendable {
    /// The app asked for it.
    case app = 1
    /// The person dismissed it, or acted on it (NC-2).
    case person = 2
    /// The list of delivered notifications was full.
    case retention = 4
}
