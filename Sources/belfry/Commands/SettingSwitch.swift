internal import NotificationProtocol

/// A setting that is on or off for each app, in the order in which people are shown them.
enum SettingSwitch: CaseIterable {
    case alert, sound, badge, notificationCenter, lockScreen, timeSensitive, criticalAlert
    case scheduledDelivery, directMessages, announcement, carPlay

    /// Its field, and the name of that field in a mask.
    var field:
        (WritableKeyPath<Belfry_V1_NotificationSettings, Belfry_V1_NotificationSetting>, String)
    {
        switch self {
        case .alert: (\.alertSetting, "alert_setting")
        case .sound: (\.soundSetting, "sound_setting")
        case .badge: (\.badgeSetting, "badge_setting")
        case .notificationCenter: (\.notificationCenterSetting, "notification_center_setting")
        case .lockScreen: (\.lockScreenSetting, "lock_screen_setting")
        case .timeSensitive: (\.timeSensitiveSetting, "time_sensitive_setting")
        case .criticalAlert: (\.criticalAlertSetting, "critical_alert_setting")
        case .scheduledDelivery: (\.scheduledDeliverySetting, "scheduled_delivery_setting")
        case .directMessages: (\.directMessagesSetting, "direct_messages_setting")
        case .announcement: (\.announcementSetting, "announcement_setting")
        case .carPlay: (\.carPlaySetting, "car_play_setting")
        }
    }

    /// Its name on a screen.
    var label: String {
        switch self {
        case .alert: "Alerts"
        case .sound: "Sounds"
        case .badge: "Badges"
        case .notificationCenter: "In this list"
        case .lockScreen: "On the lock screen"
        case .timeSensitive: "Time-sensitive"
        case .criticalAlert: "Critical alerts"
        case .scheduledDelivery: "Wait for the summary"
        case .directMessages: "Direct messages"
        case .announcement: "Read aloud"
        case .carPlay: "In the car"
        }
    }
}
