/// An effect or a right that an app asks the person for (§2.1); the bits are Apple's.
package struct AuthorizationOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Change the app's badge.
    package static let badge = AuthorizationOptions(rawValue: 1)
    package static let sound = AuthorizationOptions(rawValue: 2)
    package static let alert = AuthorizationOptions(rawValue: 4)
    /// Show in a car.
    package static let carPlay = AuthorizationOptions(rawValue: 8)
    /// Critical sounds; needs an entitlement.
    package static let criticalAlert = AuthorizationOptions(rawValue: 16)
    /// The app has its own settings screen for notifications.
    package static let providesAppNotificationSettings = AuthorizationOptions(rawValue: 32)
    /// Grant without a prompt, delivered quietly.
    package static let provisional = AuthorizationOptions(rawValue: 64)
    /// May be spoken; always included, as Apple has it.
    package static let announcement = AuthorizationOptions(rawValue: 128)
    /// May pass Focus; an entitlement has replaced it.
    package static let timeSensitive = AuthorizationOptions(rawValue: 256)
}

/// Whether an app may notify, on the whole (§2.2); the numbers are Apple's.
package enum AuthorizationStatus: UInt8, Hashable, Sendable, CaseIterable {
    /// The person was never asked; may become any other status.
    case notDetermined = 0
    /// The person refused.
    case denied = 1
    /// The person agreed.
    case authorized = 2
    /// Granted quietly; the person has not yet kept or refused the grant.
    case provisional = 3
    /// Granted for a limited time.
    case ephemeral = 4

    /// Whether requests are accepted and delivered (§6.2 step 2).
    package var allowsNotifications: Bool { self != .notDetermined && self != .denied }
}

/// The state of one permission (§2.3); the numbers are Apple's.
package enum NotificationSetting: UInt8, Hashable, Sendable, CaseIterable {
    /// Never asked for, or not available to this app.
    case notSupported = 0
    case disabled = 1
    case enabled = 2
}

/// How an alert shows while the device is unlocked (§2.4); the numbers are Apple's.
package enum AlertStyle: UInt8, Hashable, Sendable, CaseIterable {
    /// No visual alert.
    case none = 0
    /// A banner that leaves by itself.
    case banner = 1
    /// The alert stays until the person acts.
    case alert = 2
}

/// When a notification's text may be seen (§2.5); the numbers are Apple's.
package enum ShowPreviews: UInt8, Hashable, Sendable, CaseIterable {
    /// Also while locked.
    case always = 0
    /// Only while unlocked.
    case whenAuthenticated = 1
    case never = 2
}
