/// The person's choices for an app on a device (§3.9).
package struct NotificationSettings: Hashable, Sendable {
    /// Whether the app may notify, on the whole.
    package var authorizationStatus = AuthorizationStatus.notDetermined
    package var sound = NotificationSetting.notSupported
    package var badge = NotificationSetting.notSupported
    package var alert = NotificationSetting.notSupported
    package var notificationCenter = NotificationSetting.notSupported
    package var lockScreen = NotificationSetting.notSupported
    package var carPlay = NotificationSetting.notSupported
    package var criticalAlert = NotificationSetting.notSupported
    /// Notifications that are read aloud.
    package var announcement = NotificationSetting.notSupported
    package var timeSensitive = NotificationSetting.notSupported
    package var scheduledDelivery = NotificationSetting.notSupported
    package var directMessages = NotificationSetting.notSupported
    package var alertStyle = AlertStyle.none
    /// When the text of notifications may be seen.
    package var showPreviews = ShowPreviews.always
    /// Whether the app said that it has its own settings screen.
    package var providesAppNotificationSettings = false
    /// Every option that the app ever asked for.
    package var requestedOptions: AuthorizationOptions = []

    /// Makes the settings of an app that never asked.
    package init() {}

    /// Whether an app and a person see no difference: ``requestedOptions`` is not shown to them.
    package func looksLike(_ other: NotificationSettings) -> Bool {
        var same = other
        same.requestedOptions = requestedOptions
        return self == same
    }
}

/// The step that `RequestAuthorization` leads to, before the person is asked.
package enum AuthorizationStep: Hashable, Sendable {
    /// The settings are known without asking the person.
    case settled(NotificationSettings)
    /// The person has to be asked.
    case prompt
}
