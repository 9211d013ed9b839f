internal import NotificationProtocol
internal import Testing

/// The numbers of the enums are Apple's, by which clients in any language know them.
struct AppleValueTests {
    @Test("Presentation and authorization options have Apple's bits")
    func optionSets() {
        let presentation: [Belfry_V1_PresentationOption] = [.badge, .sound, .alert, .list, .banner]
        #expect(presentation.map(\.rawValue) == [1, 2, 4, 8, 16])
        let authorization: [Belfry_V1_AuthorizationOption] = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings,
            .provisional, .announcement, .timeSensitive,
        ]
        #expect(authorization.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
    }

    @Test("Settings, levels and weekdays have Apple's numbers")
    func plainEnums() {
        let statuses: [Belfry_V1_AuthorizationStatus] = [
            .notDetermined, .denied, .authorized, .provisional, .ephemeral,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        let settings: [Belfry_V1_NotificationSetting] = [.notSupported, .disabled, .enabled]
        #expect(settings.map(\.rawValue) == [0, 1, 2])
        let styles: [Belfry_V1_AlertStyle] = [.none, .banner, .alert]
        #expect(styles.map(\.rawValue) == [0, 1, 2])
        let previews: [Belfry_V1_ShowPreviewsSetting] = [.always, .whenAuthenticated, .never]
        #expect(previews.map(\.rawValue) == [0, 1, 2])
        let levels: [Belfry_V1_InterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
        #expect(levels.map(\.rawValue) == [0, 1, 2, 3])
        #expect(Belfry_V1_Weekday.sunday.rawValue == 1)
        #expect(Belfry_V1_Weekday.saturday.rawValue == 7)
    }
}
