/// What the person lets an app do on a device (semantics.md 3.9).
public struct NotificationSettings: Hashable, Sendable {
    /// The permission on the whole.
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
}

/// What `RequestAuthorization` leads to, before anybody is asked.
public enum AuthorizationStep: Hashable, Sendable {
    /// The settings are known without asking the person.
    case settled(NotificationSettings)
    /// The person has to be asked (semantics.md A-2).
    case prompt
}

extension NotificationSettings {
    /// Whether at least one asked-for option is granted (semantics.md A-3).
    public var isGranted: Bool { authorizationStatus.allowsNotifications }

    /// Decides what asking for `options` leads to (semantics.md 4, D-3).
    ///
    /// - Parameter options: What the app asks for.
    /// - Returns: The settings after it, or that the person has to be asked.
    public func requesting(_ options: AuthorizationOptions) -> AuthorizationStep {
        switch authorizationStatus {
        case .notDetermined:
            return options.contains(.provisional) ? .settled(grantedQuietly(options)) : .prompt
        case .provisional:
            return options.contains(.provisional) ? .settled(remembering(options)) : .prompt
        case .authorized, .ephemeral:
            return .settled(merging(options))
        case .denied:
            return .settled(remembering(options))
        }
    }

    /// Gives the settings after the person allowed `options`.
    ///
    /// What was never asked for is not supported, whatever a quiet grant had set.
    public func granted(_ options: AuthorizationOptions) -> NotificationSettings {
        var settings = remembering(options)
        let requested = settings.requestedOptions
        settings.authorizationStatus = .authorized
        settings.set([.badge, .sound, .alert], to: .notSupported)
        settings.set(requested, to: .enabled)
        let hasAlerts = requested.contains(.alert)
        settings.notificationCenter = hasAlerts ? .enabled : .notSupported
        settings.lockScreen = hasAlerts ? .enabled : .notSupported
        settings.alertStyle = hasAlerts ? .banner : .none
        return settings
    }

    /// Gives the settings after the person refused `options`.
    public func denied(_ options: AuthorizationOptions) -> NotificationSettings {
        var settings = remembering(options)
        settings.authorizationStatus = .denied
        settings.set(settings.requestedOptions, to: .disabled)
        settings.alertStyle = .none
        return settings
    }

    private func grantedQuietly(_ options: AuthorizationOptions) -> NotificationSettings {
        var settings = remembering(options)
        settings.authorizationStatus = .provisional
        settings.alert = .disabled
        settings.sound = .disabled
        settings.badge = .disabled
        settings.lockScreen = .disabled
        settings.notificationCenter = .enabled
        settings.alertStyle = .none
        return settings
    }

    /// Newly asked options are enabled without a prompt; those known keep what the person chose.
    private func merging(_ options: AuthorizationOptions) -> NotificationSettings {
        let new = options.subtracting(requestedOptions)
        var settings = remembering(options)
        settings.set(new, to: .enabled)
        if new.contains(.alert) {
            settings.notificationCenter = .enabled
            settings.lockScreen = .enabled
            settings.alertStyle = .banner
        }
        return settings
    }

    private func remembering(_ options: AuthorizationOptions) -> NotificationSettings {
        var settings = self
        settings.requestedOptions.formUnion(options.subtracting(.provisional))
        settings.providesAppNotificationSettings =
            settings.requestedOptions.contains(.providesAppNotificationSettings)
        return settings
    }

    /// Critical alerts are left out: they need an entitlement and a grant of their own.
    private mutating func set(
        _ options: AuthorizationOptions,
        to value: NotificationSetting
    ) {
        if options.contains(.badge) { badge = value }
        if options.contains(.sound) { sound = value }
        if options.contains(.alert) { alert = value }
        if options.contains(.carPlay) { carPlay = value }
        if options.contains(.announcement) { announcement = value }
        if options.contains(.timeSensitive) { timeSensitive = value }
    }
}
