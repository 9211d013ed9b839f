/// Names one delivery of a notification, so that an act on it never acts on another delivery
/// (W-12).
public struct NotificationReference: Hashable, Sendable {
    /// The center of the notification.
    public var center: CenterName
    /// The notification's identifier.
    public var identifier: String
    /// The number of the notification's delivery.
    public var delivery: DeliveryNumber

    /// Names a notification.
    public init(center: CenterName, identifier: String, delivery: DeliveryNumber) {
        self.center = center
        self.identifier = identifier
        self.delivery = delivery
    }
}
