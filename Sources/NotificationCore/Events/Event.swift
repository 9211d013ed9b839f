/// A numbered fact in a center's log, as a subscriber is told.
package struct Event: Hashable, Sendable {
    /// The kind of an event that carries the requests concerned.
    package typealias Kind = EventKind<Fired, Delivered>

    /// A due occurrence.
    package struct Fired: Hashable, Sendable {
        package var request: NotificationRequest
        /// How late the occurrence fired, in nanoseconds.
        package var lateByNanoseconds: Int64
        /// When it was due by the clock of its firing, where it waited since; nil elsewhere.
        package var due: WallInstant?
        /// How many earlier occurrences this one stands for as well.
        package var collapsedCount: Int64
        /// The delivery that was snoozed and comes back; nil for a due occurrence of the request.
        package var snoozedDelivery: DeliveryNumber?
        /// The outcome of the app's service extension; nil where none was asked.
        package var extensionOutcome: ExtensionOutcome?

        package init(
            request: NotificationRequest,
            lateByNanoseconds: Int64,
            collapsedCount: Int64,
            snoozedDelivery: DeliveryNumber? = nil,
            extensionOutcome: ExtensionOutcome? = nil
        ) {
            self.request = request
            self.lateByNanoseconds = lateByNanoseconds
            self.collapsedCount = collapsedCount
            self.snoozedDelivery = snoozedDelivery
            self.extensionOutcome = extensionOutcome
        }
    }

    package struct Delivered: Hashable, Sendable {
        package var notification: DeliveredNotification
        /// The effects of the delivery.
        package var presentation: Presentation
        package var lateByNanoseconds: Int64
        package var collapsedCount: Int64
        /// The earlier delivery that this delivery replaced in the list.
        package var replacedDelivery: DeliveryNumber?
        /// The delivery that was snoozed and came back as this one.
        package var snoozedDelivery: DeliveryNumber?
        package var extensionOutcome: ExtensionOutcome?

        package init(
            notification: DeliveredNotification,
            presentation: Presentation,
            lateByNanoseconds: Int64,
            collapsedCount: Int64,
            replacedDelivery: DeliveryNumber?,
            snoozedDelivery: DeliveryNumber? = nil,
            extensionOutcome: ExtensionOutcome? = nil
        ) {
            self.notification = notification
            self.presentation = presentation
            self.lateByNanoseconds = lateByNanoseconds
            self.collapsedCount = collapsedCount
            self.replacedDelivery = replacedDelivery
            self.extensionOutcome = extensionOutcome
            self.snoozedDelivery = snoozedDelivery
        }
    }

    /// A notification that the person snoozed.
    package struct Snoozed: Hashable, Sendable {
        package var identifier: String
        /// The number of the notification's delivery, which left the list.
        package var delivery: DeliveryNumber
        /// When the notification comes back, unless the clock is set before that.
        package var until: WallInstant

        package init(identifier: String, delivery: DeliveryNumber, until: WallInstant) {
            self.identifier = identifier
            self.delivery = delivery
            self.until = until
        }
    }

    package struct Removed: Hashable, Sendable {
        /// The remover of the request or notification.
        package var reason: RemovalReason
        package var identifier: String
        /// The delivery's number; nil for a pending request.
        package var delivery: DeliveryNumber?

        package init(reason: RemovalReason, identifier: String, delivery: DeliveryNumber?) {
            self.reason = reason
            self.identifier = identifier
            self.delivery = delivery
        }
    }

    /// A notification that the device shows.
    package struct Shown: Hashable, Sendable {
        package var identifier: String
        package var delivery: DeliveryNumber

        package init(identifier: String, delivery: DeliveryNumber) {
            self.identifier = identifier
            self.delivery = delivery
        }
    }

    /// A push that the app was to work on in the background, and is no longer waiting.
    package struct BackgroundPush: Hashable, Sendable {
        /// The push, as the UUID that its provider knows.
        package var apnsID: String
        package var end: BackgroundPushEnd

        package init(apnsID: String, end: BackgroundPushEnd) {
            self.apnsID = apnsID
            self.end = end
        }
    }

    /// A response that is no longer open.
    package struct Responded: Hashable, Sendable {
        package var identifier: String
        package var delivery: DeliveryNumber
        package var actionIdentifier: String
        /// The typed text of the response; nil where the action takes no text.
        package var userText: String?

        package init(
            identifier: String,
            delivery: DeliveryNumber,
            actionIdentifier: String,
            userText: String? = nil
        ) {
            self.identifier = identifier
            self.delivery = delivery
            self.actionIdentifier = actionIdentifier
            self.userText = userText
        }
    }

    /// The event's number in its center; numbers begin at 1 and have no gaps.
    package var number: EventNumber
    /// When the event happened.
    package var date: WallInstant
    package var kind: Kind

    package init(number: EventNumber, date: WallInstant, kind: Kind) {
        self.number = number
        self.date = date
        self.kind = kind
    }
}

/// A delivered request (§3.3).
package struct DeliveredNotification: Hashable, Sendable {
    package var request: NotificationRequest
    package var date: WallInstant
    package var delivery: DeliveryNumber

    package init(request: NotificationRequest, date: WallInstant, delivery: DeliveryNumber) {
        self.request = request
        self.date = date
        self.delivery = delivery
    }
}

/// The remover of a request or a notification; the numbers are stored.
package enum RemovalReason: UInt8, Hashable, Sendable {
    case app = 1
    /// The person dismissed the notification or acted on it (NC-2).
    case person = 2
    /// The provider took its push back.
    case provider = 3
    /// The list of delivered notifications was full.
    case retention = 4
    /// A delivery with the same replacement key took the notification's place (ADD-12).
    case replaced = 5
}
