/// The person's changes to the settings of an app.
///
/// A setting whose field is nil stays as it is. No field can say "not supported", which the person
/// cannot choose.
package struct SettingsChange: Hashable, Sendable {
    /// Whether the app may notify at all: false withdraws the permission, true gives it back.
    package var allowsNotifications: Bool?
    package var sound: Bool?
    package var badge: Bool?
    package var alert: Bool?
    package var notificationCenter: Bool?
    package var lockScreen: Bool?
    package var carPlay: Bool?
    /// Critical sounds: true is the separate grant that they need.
    package var criticalAlert: Bool?
    /// Whether notifications are read aloud.
    package var announcement: Bool?
    package var timeSensitive: Bool?
    package var scheduledDelivery: Bool?
    package var directMessages: Bool?
    package var alertStyle: AlertStyle?
    package var showPreviews: ShowPreviews?

    package init() {}
}

extension NotificationSettings {
    /// Gives the settings after the person changed them.
    ///
    /// The permission as a whole is changed first, so that one change can give it back together
    /// with single settings. Withdrawing the permission keeps the other choices, and they hold
    /// again when the permission is given back; where nothing is on by then, all that the app asked
    /// for is granted. A permission that is given back is never provisional, since the person has
    /// decided; authorizing a quiet grant keeps it as quiet as it is. Alerts that are switched on
    /// show as banners where they had no style.
    ///
    /// - Parameters:
    ///   - change: What to change.
    ///   - entitlements: What the app was registered with.
    ///   - isEphemeral: Whether the app was registered as ephemeral: there for a limited time.
    ///   - isSummaryOn: Whether the person has the scheduled summary on, so that the app may be
    ///     put into it.
    /// - Returns: The settings, with the whole change applied.
    /// - Throws: `UPDATE_MASK_EMPTY` for a change without any field; `AUTHORIZATION_NOT_DETERMINED`
    ///   where the app never asked; `SETTING_NOT_SUPPORTED` with each setting that this app does
    ///   not have.
    package func updating(
        _ change: SettingsChange,
        entitlements: Entitlements = [],
        isEphemeral: Bool = false,
        isSummaryOn: Bool = false
    ) throws(Refusal) -> NotificationSettings {
        guard change != SettingsChange() else { throw .updateMaskEmpty }
        guard authorizationStatus != .notDetermined else { throw .authorizationNotDetermined }
        var settings = self
        switch change.allowsNotifications {
        case true? where !authorizationStatus.allowsNotifications:
            settings = givenBack(entitlements: entitlements, isEphemeral: isEphemeral)
        case true? where authorizationStatus == .provisional:
            settings.authorizationStatus = isEphemeral ? .ephemeral : .authorized
        case false?: settings.authorizationStatus = .denied
        case true?, nil: break
        }
        let unsupported = change.unsupportedSettings(in: settings, isSummaryOn: isSummaryOn)
        guard unsupported.isEmpty else { throw .settingsNotSupported(unsupported) }
        change.applySwitches(to: &settings)
        if change.alert == true && settings.alertStyle == .none { settings.alertStyle = .banner }
        if let alertStyle = change.alertStyle { settings.alertStyle = alertStyle }
        if let showPreviews = change.showPreviews { settings.showPreviews = showPreviews }
        return settings
    }
}

extension SettingsChange {
    /// A setting, the person's choice for it, and its name in a refusal.
    private typealias Switch = (
        setting: WritableKeyPath<NotificationSettings, NotificationSetting>, isOn: Bool?,
        field: Field
    )

    private var switches: [Switch] {
        [
            (\.sound, sound, .soundSetting),
            (\.badge, badge, .badgeSetting),
            (\.alert, alert, .alertSetting),
            (\.notificationCenter, notificationCenter, .notificationCenterSetting),
            (\.lockScreen, lockScreen, .lockScreenSetting),
            (\.carPlay, carPlay, .carPlaySetting),
            (\.criticalAlert, criticalAlert, .criticalAlertSetting),
            (\.announcement, announcement, .announcementSetting),
            (\.timeSensitive, timeSensitive, .timeSensitiveSetting),
            (\.scheduledDelivery, scheduledDelivery, .scheduledDeliverySetting),
            (\.directMessages, directMessages, .directMessagesSetting),
        ]
    }

    /// The settings in the change that this app does not have.
    ///
    /// The summary, where it is on, takes any app: it is the person's own list, and no app has to
    /// ask for it.
    fileprivate func unsupportedSettings(
        in settings: NotificationSettings,
        isSummaryOn: Bool
    ) -> [Field] {
        var fields: [Field] = []
        for (setting, isOn, field) in switches where isOn != nil {
            let isOffered = setting == \.scheduledDelivery && isSummaryOn
            if settings[keyPath: setting] == .notSupported && !isOffered { fields.append(field) }
        }
        if alertStyle != nil && settings.alert == .notSupported {
            fields.append(.alertStyle)
        }
        return fields
    }

    fileprivate func applySwitches(to settings: inout NotificationSettings) {
        for (setting, isOn, _) in switches {
            guard let isOn else { continue }
            settings[keyPath: setting] = isOn ? .enabled : .disabled
        }
    }
}

extension Refusal {
    fileprivate static let updateMaskEmpty = invalid(
        [.changes],
        "name at least one setting",
        reason: .updateMaskEmpty
    )

    fileprivate static let authorizationNotDetermined = Refusal(
        .failedPrecondition,
        reason: .authorizationNotDetermined,
        message: """
            the app has not been allowed or refused anything yet: \
            answer its prompt first
            """,
        fields: [WrongField([.settings, .authorizationStatus], "nobody has decided yet")]
    )

    fileprivate static func settingsNotSupported(_ fields: [Field]) -> Refusal {
        let problem = "the app never asked for it, or it is not available to this app"
        return Refusal(
            .failedPrecondition,
            reason: .settingNotSupported,
            message: problem,
            fields: fields.map { WrongField([.settings, $0], problem) }
        )
    }
}
