/// A numbered fact in a center's log, as a subscriber is told.
public struct Event: Hashable, Sendable {
    /// What happened, with the requests concerned.
    public typealias Kind = EventKind<Fired, Delivered>

    /// A due occurrence.
    public struct Fired: Hashable, Sendable {
        /// The request that was due.
        public var request: NotificationRequest
        /// How late the occurrence fired, in nanoseconds.
        public var lateByNanoseconds: Int64
        /// The earlier occurrences that it stands for as well.
        public var collapsedCount: Int64

        /// Makes an occurrence.
        public init(request: NotificationRequest, lateByNanoseconds: Int64, collapsedCount: Int64) {
            self.request = request
            self.lateByNanoseconds = lateByNanoseconds
            self.collapsedCount = collapsedCount
        }
    }

    /// A delivery.
    public struct Delivered: Hashable, Sendable {
        /// The notification.
        public var notification: DeliveredNotification
        /// What the person perceived.
        public var presentation: Presentation
        /// How late the delivery was, in nanoseconds.
        public var lateByNanoseconds: Int64
        /// The earlier occurrences that it stands for as well.
        public var collapsedCount: Int64
        /// The earlier delivery that this delivery replaced in the list.
        public var replacedDelivery: DeliveryNumber?

        /// Makes a delivery.
        public init(
            notification: DeliveredNotification,
            presentation: Presentation,
            lateByNanoseconds: Int64,
            collapsedCount: Int64,
            replacedDelivery: DeliveryNumber?
        ) {
            self.notification = notification
            self.presentation = presentation
            self.lateByNanoseconds = lateByNanoseconds
            self.collapsedCount = collapsedCount
            self.replacedDelivery = replacedDelivery
        }
    }

    /// A removal.
    public struct Removed: Hashable, Sendable {
        /// Who removed the request or notification.
        public var reason: RemovalReason
        /// The notification's identifier.
        public var identifier: String
        /// The delivery's number; nil for a pending request.
        public var delivery: DeliveryNumber?

        /// Makes a removal.
        public init(reason: RemovalReason, identifier: String, delivery: DeliveryNumber?) {
            self.reason = reason
            self.identifier = identifier
            self.delivery = delivery
        }
    }

    /// A notification that the device shows.
    public struct Shown: Hashable, Sendable {
        /// The notification's identifier.
        public var identifier: String
        /// The number of the notification's delivery.
        public var delivery: DeliveryNumber

        /// Names a notification.
        public init(identifier: String, delivery: DeliveryNumber) {
            self.identifier = identifier
            self.delivery = delivery
        }
    }

    /// A response that is no longer open.
    public struct Responded: Hashable, Sendable {
        /// The notification's identifier.
        public var identifier: String
        /// The number of the notification's delivery.
        public var delivery: DeliveryNumber
        /// What the person did.
        public var actionIdentifier: String

        /// Makes a response that is no longer open.
        public init(identifier: String, delivery: DeliveryNumber, actionIdentifier: String) {
            self.identifier = identifier
            self.delivery = delivery
            self.actionIdentifier = actionIdentifier
        }
    }

    /// The event's number in its center; numbers begin at 1 and have no gaps.
    public var number: EventNumber
    /// When the event happened.
    public var date: WallInstant
    /// What happened.
    public var kind: Kind

    /// Makes an event.
    public init(number: EventNumber, date: WallInstant, kind: Kind) {
        self.number = number
        self.date = date
        self.kind = kind
    }
}

/// A delivered request (§3.3).
public struct DeliveredNotification: Hashable, Sendable {
    /// The request.
    public var request: NotificationRequest
    /// The date that the person sees.
    public var date: WallInstant
    /// The number of the delivery in its center.
    public var delivery: DeliveryNumber

    /// Makes a notification.
    public init(request: NotificationRequest, date: WallInstant, delivery: DeliveryNumber) {
        self.request = request
        self.date = date
        self.delivery = delivery
    }
}

/// Who removed a request or a notification; the numbers are stored.
public enum RemovalReason: UInt8, Hashable, Sendable {
    /// The app.
    case app = 1
    /// The person dismissed the notification or acted on it (NC-2).
    case person = 2
    /// The list of delivered notifications was full.
    case retention = 4
}
