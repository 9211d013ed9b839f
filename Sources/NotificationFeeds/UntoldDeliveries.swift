internal import NotificationCore
internal import NotificationStore

/// Deliveries that left the list before a watcher was told of them, each with the older delivery
/// that the watcher still shows in its place.
///
/// News are rendered when they are told. So a delivery that came and left before that is skipped,
/// and the delivery that replaced it has to name, as replaced, a delivery that the watcher knows.
struct UntoldDeliveries: Sendable {
    private var places: [NotificationReference: NotificationReference?] = [:]

    /// Notes that a delivery is skipped, and which told delivery it had replaced.
    mutating func skip(_ delivery: NotificationReference, inPlaceOf told: NotificationReference?) {
        places[delivery] = .some(told)
    }

    /// Gives the delivery that a watcher knows in the place of a delivery that left the list: the
    /// delivery itself, if it was told; nil where the watcher knows none.
    mutating func take(_ delivery: NotificationReference) -> NotificationReference? {
        places.removeValue(forKey: delivery) ?? delivery
    }

    /// Forgets the deliveries of an unregistered app.
    mutating func forget(_ center: CenterName) {
        places = places.filter { $0.key.center != center }
    }
}
