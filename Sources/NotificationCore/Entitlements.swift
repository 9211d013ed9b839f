/// The rights that a vendor can give an app (A-8, 2.1, NSE-5); the bits are stored.
package struct Entitlements: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The app may ask for critical alerts; the person still grants them separately.
    package static let criticalAlerts = Entitlements(rawValue: 1)
    /// Notifications may be time-sensitive, without asking.
    package static let timeSensitive = Entitlements(rawValue: 2)
    /// Notifications may be messages and calls from people.
    package static let communication = Entitlements(rawValue: 8)
    /// The service extension may drop a notification.
    package static let filtering = Entitlements(rawValue: 4)
    /// The app receives pushes of the environment for development (REG-1).
    package static let developmentPushes = Entitlements(rawValue: 16)
    /// The app receives pushes of the environment for production.
    package static let productionPushes = Entitlements(rawValue: 32)
}
