/// Names a delivered notification, so that an act on it never lands on another (W-12).
public struct NotificationReference: Hashable, Sendable {
    /// Whose it is.
    public var center: CenterName
    /// Its identifier.
    public var identifier: String
    /// The number of its delivery.
    public var delivery: UInt64

    /// Names a notification.
    public init(center: CenterName, identifier: String, delivery: UInt64) {
        self.center = center
        self.identifier = identifier
        self.delivery = delivery
    }
}
