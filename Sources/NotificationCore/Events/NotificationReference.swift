/// Names one delivery of a notification, so that an act on it never acts on another delivery
/// (W-12).
package struct NotificationReference: Hashable, Sendable {
    package var center: CenterName
    package var identifier: String
    package var delivery: DeliveryNumber

    package init(center: CenterName, identifier: String, delivery: DeliveryNumber) {
        self.center = center
        self.identifier = identifier
        self.delivery = delivery
    }
}
