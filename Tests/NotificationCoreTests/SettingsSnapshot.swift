internal import NotificationCore

/// The settings that an app sees, as a table writes them: those that are on, and those that are
/// off.
///
/// All others are not supported.
struct SettingsSnapshot: Equatable, Sendable {
    var status: AuthorizationStatus
    var on: Set<Setting>
    var off: Set<Setting>
    var style: AlertStyle

    init(
        _ status: AuthorizationStatus,
        on: Set<Setting> = [],
        off: Set<Setting> = [],
        _ style: AlertStyle = .none
    ) {
        self.status = status
        self.on = on
        self.off = off
        self.style = style
    }

    init(_ settings: NotificationSettings) {
        self.init(
            settings.authorizationStatus,
            on: Set(Setting.allCases.filter { settings[keyPath: $0.path] == .enabled }),
            off: Set(Setting.allCases.filter { settings[keyPath: $0.path] == .disabled }),
            settings.alertStyle
        )
    }
}

extension Set<Setting> {
    /// The settings that go on together with alerts.
    static let alerts: Set<Setting> = [.alert, .notificationCenter, .lockScreen]
}

extension NotificationSettings {
    /// The settings of an app that was granted `options` quietly.
    static func quiet(
        _ options: AuthorizationOptions,
        entitlements: Entitlements = []
    ) throws -> NotificationSettings {
        let step = NotificationSettings()
            .requesting(options.union(.provisional), entitlements: entitlements)
        guard case .settled(let settings) = step else { throw PersonWasAsked() }
        return settings
    }

    /// The settings after a request of options that asks nobody.
    func settled(
        _ options: AuthorizationOptions,
        entitlements: Entitlements = [],
        isEphemeral: Bool = false
    ) throws -> NotificationSettings {
        let step = requesting(options, entitlements: entitlements, isEphemeral: isEphemeral)
        guard case .settled(let settings) = step else { throw PersonWasAsked() }
        return settings
    }
}

extension SettingsChange {
    static func switching(_ setting: Setting, to isOn: Bool) -> SettingsChange {
        var change = SettingsChange()
        switch setting {
        case .sound: change.sound = isOn
        case .badge: change.badge = isOn
        case .alert: change.alert = isOn
        case .notificationCenter: change.notificationCenter = isOn
        case .lockScreen: change.lockScreen = isOn
        case .carPlay: change.carPlay = isOn
        case .criticalAlert: change.criticalAlert = isOn
        case .announcement: change.announcement = isOn
        case .timeSensitive: change.timeSensitive = isOn
        case .scheduledDelivery: change.scheduledDelivery = isOn
        case .directMessages: change.directMessages = isOn
        }
        return change
    }

    static func allowing(_ isAllowed: Bool) -> SettingsChange {
        var change = SettingsChange()
        change.allowsNotifications = isAllowed
        return change
    }

    static func styling(_ style: AlertStyle) -> SettingsChange {
        var change = SettingsChange()
        change.alertStyle = style
        return change
    }
}

/// A request that should have been settled asked the person.
struct PersonWasAsked: Error {}
