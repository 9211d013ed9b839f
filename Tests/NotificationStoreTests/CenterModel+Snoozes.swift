internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The notifications that the person snoozes (SNZ-1, SNZ-2).

extension CenterModel {
    /// A notification that left the list, and comes back.
    struct Snoozed {
        var notification: DeliveredNotification
        /// On the elapsed clock; no other one ends then.
        var until: Int64
        /// When it was to come back first, where it waits since.
        var waitsSince: Int64?
    }

    /// The person snoozes a notification of the list, or one that is snoozed for another time.
    mutating func snooze(_ identifier: String, until end: Int64) -> Result<WallInstant, Refused> {
        if snoozed[identifier] != nil {
            snoozed[identifier]?.until = end
            snoozed[identifier]?.waitsSince = nil
        } else if snoozed.count >= limits.snoozedPerCenter {
            return .failure(Refused(.snoozeLimit))
        } else if let index = delivered.firstIndex(where: { $0.request.identifier == identifier }) {
            snoozed[identifier] = Snoozed(
                notification: delivered.remove(at: index),
                until: end
            )
        }
        guard let snooze = snoozed[identifier] else {
            return .failure(Refused(.notificationNotFound))
        }
        record(
            .snoozed(
                Event.Snoozed(
                    identifier: identifier,
                    delivery: snooze.notification.delivery,
                    until: Self.wall(end)
                )
            )
        )
        return .success(Self.wall(end))
    }

    /// Delivers a snoozed notification again, unless something newer is in its place.
    ///
    /// - Returns: Whether it came back.
    mutating func comeBack(_ identifier: String) -> Bool {
        guard let snooze = snoozed[identifier] else { return false }
        let request = snooze.notification.request
        let key = Self.key(of: request)
        func isMate(_ other: NotificationRequest) -> Bool {
            other.identifier != identifier && Self.key(of: other) == key
        }
        let isMateArriving = arriving.values.contains { isMate($0.fired.request) }
        if isMateArriving || arriving[identifier] != nil {
            // The snooze waits until the newer occurrence is settled: at the latest when the app's
            // time is over.
            snoozed[identifier]?.waitsSince = snooze.waitsSince ?? elapsed
            snoozed[identifier]?.until = elapsed + Limits.willPresentNanoseconds
            return false
        }
        snoozed[identifier] = nil
        var fired = Event.Fired(request)
        fired.snoozedDelivery = snooze.notification.delivery
        if let since = snooze.waitsSince {
            fired.due = Self.wall(since)
            fired.lateByNanoseconds = elapsed - since
        }
        deliver(fired)
        return true
    }

    /// Removes the snooze of an identifier; false where there is none.
    mutating func endSnooze(_ identifier: String, _ reason: RemovalReason) -> Bool {
        guard let gone = snoozed.removeValue(forKey: identifier) else { return false }
        let delivery = gone.notification.delivery
        record(.removed(.init(reason: reason, identifier: identifier, delivery: delivery)))
        return true
    }
}
