internal import NotificationCore
internal import NotificationProtocol

extension SettingsChange {
    /// Reads the fields of `settings` that a mask names.
    ///
    /// - Throws: `UPDATE_MASK_INVALID` for a field that the person cannot change, or the refusal of
    ///   a field of `settings` whose value the person cannot choose.
    init(_ settings: Belfry_V1_NotificationSettings, _ paths: [String]) throws(Refusal) {
        self.init()
        try Self.checkPathCount(paths)
        for (index, path) in paths.enumerated() {
            switch path {
            case "authorization_status":
                allowsNotifications = try Self.permission(settings.authorizationStatus)
            case "sound_setting": sound = try Self.isOn(settings.soundSetting, path)
            case "badge_setting": badge = try Self.isOn(settings.badgeSetting, path)
            case "alert_setting": alert = try Self.isOn(settings.alertSetting, path)
            case "notification_center_setting":
                notificationCenter = try Self.isOn(settings.notificationCenterSetting, path)
            case "lock_screen_setting": lockScreen = try Self.isOn(settings.lockScreenSetting, path)
            case "car_play_setting": carPlay = try Self.isOn(settings.carPlaySetting, path)
            case "critical_alert_setting":
                criticalAlert = try Self.isOn(settings.criticalAlertSetting, path)
            case "announcement_setting":
                announcement = try Self.isOn(settings.announcementSetting, path)
            case "time_sensitive_setting":
                timeSensitive = try Self.isOn(settings.timeSensitiveSetting, path)
            case "scheduled_delivery_setting":
                scheduledDelivery = try Self.isOn(settings.scheduledDeliverySetting, path)
            case "direct_messages_setting":
                directMessages = try Self.isOn(settings.directMessagesSetting, path)
            case "alert_style": alertStyle = try choice(settings.alertStyle, "settings.\(path)")
            case "show_previews_setting":
                showPreviews = try choice(settings.showPreviewsSetting, "settings.\(path)")
            default:
                throw .invalid(
                    "update_mask.paths[\(index)]",
                    "names nothing that a person can change, as alert_setting is",
                    reason: .updateMaskInvalid
                )
            }
        }
    }

    /// Refuses a mask with more paths than any message has fields.
    static func checkPathCount(_ paths: [String]) throws(Refusal) {
        guard paths.count <= mostPaths else {
            throw .invalid(
                "update_mask.paths",
                "names at most \(mostPaths) fields",
                reason: .updateMaskInvalid
            )
        }
    }

    private static let mostPaths = 64

    private static func permission(
        _ wire: Belfry_V1_AuthorizationStatus
    ) throws(Refusal) -> Bool {
        switch wire {
        case .authorized: true
        case .denied: false
        case .notDetermined, .provisional, .ephemeral, .UNRECOGNIZED:
            throw .invalid(
                "settings.authorization_status",
                "a person chooses between DENIED and AUTHORIZED"
            )
        }
    }

    private static func isOn(
        _ wire: Belfry_V1_NotificationSetting,
        _ path: String
    ) throws(Refusal) -> Bool {
        switch wire {
        case .enabled: true
        case .disabled: false
        case .notSupported, .UNRECOGNIZED:
            throw .invalid(
                "settings.\(path)",
                "a person chooses between DISABLED and ENABLED"
            )
        }
    }
}
