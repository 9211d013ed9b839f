/// Names one delivery of a notification, so that an act on it never acts on another delivery
/// (W-12).
package struct NotificationReference: Hashable, Sendable {
    /// The center of the notification.
    package var center: CenterName
    /// The notification's identifier.
    package var identifier: String
    /// The number of the notification's delivery.
    package var delivery: DeliveryNumber

    /// Names a notification.
    package init(center: CenterName, identifier: String, delivery: DeliveryNumber) {
        self.center = center
        self.identifier = identifier
        self.delivery = delivery
    }
}
