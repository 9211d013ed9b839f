internal import NotificationCore
internal import NotificationStore

/// Deliveries that were gone again before a watcher could be told of them, each with the delivery
/// that it still shows in their place.
///
/// What a watcher is told is rendered as it looks then. So one that came and went meanwhile is
/// passed over, and what was told to come in its place has to name one that the watcher knows.
struct UntoldDeliveries: Sendable {
    private var places: [NotificationReference: NotificationReference?] = [:]

    /// Notes that a delivery is not told, which took the place of one that was.
    mutating func skip(_ delivery: NotificationReference, inPlaceOf told: NotificationReference?) {
        places[delivery] = .some(told)
    }

    /// Gives the delivery that a watcher knows where the store means another one, which is gone
    /// now: itself, if it was told; nil where the watcher knows none.
    mutating func take(_ delivery: NotificationReference) -> NotificationReference? {
        places.removeValue(forKey: delivery) ?? delivery
    }

    /// Forgets those of an app that is gone.
    mutating func forget(_ center: CenterName) {
        places = places.filter { $0.key.center != center }
    }
}
