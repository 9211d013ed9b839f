/// What the person lets an app do on a device (§3.9).
public struct NotificationSettings: Hashable, Sendable {
    /// Whether the app may notify, on the whole.
    public var authorizationStatus = AuthorizationStatus.notDetermined
    /// Sounds.
    public var sound = NotificationSetting.notSupported
    /// Badges.
    public var badge = NotificationSetting.notSupported
    /// Alerts.
    public var alert = NotificationSetting.notSupported
    /// The list of delivered notifications.
    public var notificationCenter = NotificationSetting.notSupported
    /// The lock screen.
    public var lockScreen = NotificationSetting.notSupported
    /// A car's display.
    public var carPlay = NotificationSetting.notSupported
    /// Critical sounds.
    public var criticalAlert = NotificationSetting.notSupported
    /// Spoken notifications.
    public var announcement = NotificationSetting.notSupported
    /// Time-sensitive notifications.
    public var timeSensitive = NotificationSetting.notSupported
    /// The scheduled summary.
    public var scheduledDelivery = NotificationSetting.notSupported
    /// Direct messages.
    public var directMessages = NotificationSetting.notSupported
    /// The style of alerts while unlocked.
    public var alertStyle = AlertStyle.none
    /// When the text may be seen.
    public var showPreviews = ShowPreviews.always
    /// Whether the app said that it has its own settings screen.
    public var providesAppNotificationSettings = false
    /// Every option that the app ever asked for.
    public var requestedOptions: AuthorizationOptions = []

    /// Makes the settings of an app that never asked.
    public init() {}

    /// Whether an app and a person see no difference: ``requestedOptions`` is not shown to them.
    public func looksLike(_ other: NotificationSettings) -> Bool {
        var same = other
        same.requestedOptions = requestedOptions
        return self == same
    }
}

/// What `RequestAuthorization` leads to, before the person is asked.
public enum AuthorizationStep: Hashable, Sendable {
    /// The settings are known without asking the person.
    case settled(NotificationSettings)
    /// The person has to be asked.
    case prompt
}
