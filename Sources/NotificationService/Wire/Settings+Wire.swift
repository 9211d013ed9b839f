internal import NotificationCore
internal import NotificationProtocol

extension Belfry_V1_NotificationSettings {
    init(_ settings: NotificationSettings) {
        self.init()
        authorizationStatus = .init(settings.authorizationStatus)
        soundSetting = .init(settings.sound)
        badgeSetting = .init(settings.badge)
        alertSetting = .init(settings.alert)
        notificationCenterSetting = .init(settings.notificationCenter)
        lockScreenSetting = .init(settings.lockScreen)
        carPlaySetting = .init(settings.carPlay)
        criticalAlertSetting = .init(settings.criticalAlert)
        announcementSetting = .init(settings.announcement)
        timeSensitiveSetting = .init(settings.timeSensitive)
        scheduledDeliverySetting = .init(settings.scheduledDelivery)
        directMessagesSetting = .init(settings.directMessages)
        alertStyle = Belfry_V1_AlertStyle(rawValue: Int(settings.alertStyle.rawValue)) ?? .none
        showPreviewsSetting =
            Belfry_V1_ShowPreviewsSetting(rawValue: Int(settings.showPreviews.rawValue)) ?? .always
        providesAppNotificationSettings = settings.providesAppNotificationSettings
    }
}

extension Belfry_V1_AuthorizationStatus {
    init(_ status: AuthorizationStatus) {
        self = Self(rawValue: Int(status.rawValue)) ?? .notDetermined
    }
}

extension Belfry_V1_NotificationSetting {
    init(_ setting: NotificationSetting) {
        self = Self(rawValue: Int(setting.rawValue)) ?? .notSupported
    }
}
