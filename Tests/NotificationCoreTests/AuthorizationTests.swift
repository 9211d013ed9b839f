internal import NotificationCore
internal import Testing

@Suite("Authorization (§4)")
struct AuthorizationTests {
    private let never = NotificationSettings()

    /// The settings after a request that asks nobody; records an issue where it asks.
    private func settled(
        _ settings: NotificationSettings,
        _ options: AuthorizationOptions
    ) throws -> NotificationSettings {
        switch settings.requesting(options) {
        case .settled(let settings): return settings
        case .prompt: throw Prompted()
        }
    }

    private struct Prompted: Error {}

    @Test("An app that never asked has nothing")
    func neverAsked() {
        #expect(never.authorizationStatus == .notDetermined)
        #expect(!never.isGranted)
        for setting in Setting.allCases { #expect(never[keyPath: setting.path] == .notSupported) }
        #expect(never.alertStyle == .none)
        #expect(never.requestedOptions == [])
    }

    @Test("The first request without provisional asks the person")
    func firstRequest() {
        #expect(never.requesting([.alert, .sound]) == .prompt)
        #expect(never.requesting([]) == .settled(never), "there is nothing to ask")
    }

    @Test("S-1: After a grant of alert, sound and badge the rest is not supported")
    func typicalGrant() {
        let settings = never.granted([.alert, .sound, .badge])
        #expect(settings.authorizationStatus == .authorized)
        #expect(settings.isGranted)
        let enabled: Set<Setting> = [.notificationCenter, .sound, .badge, .lockScreen, .alert]
        for setting in Setting.allCases {
            let expected = enabled.contains(setting) ? NotificationSetting.enabled : .notSupported
            #expect(settings[keyPath: setting.path] == expected, "\(setting)")
        }
        #expect(settings.alertStyle == .banner)
        #expect(!settings.providesAppNotificationSettings)
        #expect(settings.requestedOptions == [.alert, .sound, .badge])
    }

    @Test(
        "A grant enables what was asked for, and nothing else",
        arguments: zip(
            [.badge, .sound, .carPlay, .announcement, .timeSensitive] as [AuthorizationOptions],
            [.badge, .sound, .carPlay, .announcement, .timeSensitive] as [Setting]
        )
    )
    func grantOfOne(option: AuthorizationOptions, enabled: Setting) {
        let settings = never.granted(option)
        for setting in Setting.allCases {
            let expected = setting == enabled ? NotificationSetting.enabled : .notSupported
            #expect(settings[keyPath: setting.path] == expected, "\(setting)")
        }
        #expect(settings.alertStyle == .none)
    }

    @Test("A-8: Critical alerts need a grant of their own")
    func criticalAlerts() {
        let granted = never.granted([.alert, .criticalAlert])
        #expect(granted.criticalAlert == .notSupported)
        #expect(granted.requestedOptions.contains(.criticalAlert))
    }

    @Test("The option of an own settings screen is echoed")
    func ownSettingsScreen() {
        #expect(
            never.granted([.alert, .providesAppNotificationSettings])
                .providesAppNotificationSettings
        )
    }

    @Test("A denial disables what was asked for")
    func denial() {
        let settings = never.denied([.alert, .sound])
        #expect(settings.authorizationStatus == .denied)
        #expect(settings.alert == .disabled)
        #expect(settings.sound == .disabled)
        #expect(settings.badge == .notSupported)
        #expect(settings.alertStyle == .none)
    }

    @Test(
        "A-3: Granted says that one or more options were granted",
        arguments: zip(AuthorizationStatus.allCases, [false, false, true, true, true])
    )
    func isGranted(status: AuthorizationStatus, expected: Bool) {
        var settings = never
        settings.authorizationStatus = status
        #expect(settings.isGranted == expected)
        #expect(status.allowsNotifications == expected)
    }

    @Test("A-2: After a denial nobody is asked again, and it stays denied")
    func afterDenial() throws {
        let denied = never.denied([.alert])
        for options in [[.alert], [.alert, .sound], [.provisional]] as [AuthorizationOptions] {
            let after = try settled(denied, options)
            #expect(after.authorizationStatus == .denied)
            #expect(!after.isGranted)
            #expect(after.alert == .disabled)
            #expect(after.sound == .notSupported)
        }
    }

    @Test("A-5, A-6: Provisional is granted without a prompt, and quiet")
    func provisional() throws {
        let settings = try settled(never, [.alert, .sound, .badge, .provisional])
        #expect(settings.authorizationStatus == .provisional)
        #expect(settings.isGranted)
        for setting in [Setting.alert, .sound, .badge, .lockScreen] {
            #expect(settings[keyPath: setting.path] == .disabled)
        }
        #expect(settings.notificationCenter == .enabled)
        #expect(settings.alertStyle == .none)
        #expect(settings.requestedOptions == [.alert, .sound, .badge])
    }

    @Test("A-5: Asking for provisional again changes nothing but what is remembered")
    func provisionalAgain() throws {
        let first = try settled(never, [.alert, .provisional])
        var expected = first
        expected.requestedOptions = [.alert, .sound]
        #expect(try settled(first, [.sound, .provisional]) == expected)
    }

    @Test("D-3: Without provisional while provisional, the person is asked once")
    func upgrade() throws {
        let quiet = try settled(never, [.alert, .sound, .badge, .provisional])
        #expect(quiet.requesting([.alert]) == .prompt)

        let granted = quiet.granted([.alert, .carPlay])
        #expect(granted.authorizationStatus == .authorized)
        for setting in [Setting.alert, .sound, .badge, .carPlay, .notificationCenter, .lockScreen] {
            #expect(granted[keyPath: setting.path] == .enabled, "\(setting)")
        }
        #expect(granted.alertStyle == .banner)

        let denied = quiet.denied([.alert])
        #expect(denied.authorizationStatus == .denied)
        #expect(try !settled(denied, [.alert]).isGranted)
    }

    @Test("An upgrade from provisional leaves what was never asked for not supported")
    func upgradeOfLess() throws {
        let quiet = try settled(never, [.sound, .provisional])
        let granted = quiet.granted([.sound])
        #expect(granted.sound == .enabled)
        #expect(granted.alert == .notSupported)
        #expect(granted.badge == .notSupported)
        #expect(granted.lockScreen == .notSupported)
        #expect(granted.notificationCenter == .notSupported)
        #expect(granted.alertStyle == .none)
    }

    @Test("D-3: New options of an authorized app are enabled without a prompt")
    func merge() throws {
        let first = never.granted([.sound])
        let more = try settled(first, [.sound, .badge, .alert])
        #expect(more.authorizationStatus == .authorized)
        for setting in [Setting.alert, .sound, .badge, .notificationCenter, .lockScreen] {
            #expect(more[keyPath: setting.path] == .enabled, "\(setting)")
        }
        #expect(more.alertStyle == .banner)
        #expect(more.requestedOptions == [.sound, .badge, .alert])
        #expect(try settled(more, [.criticalAlert]).criticalAlert == .notSupported)
    }

    @Test("D-3: What the person switched off stays off when it is asked for again")
    func mergeKeepsChoices() throws {
        var settings = never.granted([.alert, .sound])
        settings.sound = .disabled
        settings.alert = .disabled
        settings.alertStyle = .none
        settings.notificationCenter = .disabled
        var expected = settings
        expected.badge = .enabled
        expected.requestedOptions.insert(.badge)
        #expect(try settled(settings, [.alert, .sound, .badge]) == expected)
    }

    @Test("A-2: Asking again for the same reports the same")
    func again() throws {
        let settings = never.granted([.alert, .sound, .badge])
        #expect(try settled(settings, [.alert, .sound, .badge]) == settings)
        #expect(try settled(settings, [.alert, .provisional]) == settings)
    }
}

/// Each of the person's settings that is on, off or not supported.
enum Setting: CaseIterable {
    case sound, badge, alert, notificationCenter, lockScreen, carPlay, criticalAlert, announcement
    case timeSensitive, scheduledDelivery, directMessages

    var path: KeyPath<NotificationSettings, NotificationSetting> {
        switch self {
        case .sound: \.sound
        case .badge: \.badge
        case .alert: \.alert
        case .notificationCenter: \.notificationCenter
        case .lockScreen: \.lockScreen
        case .carPlay: \.carPlay
        case .criticalAlert: \.criticalAlert
        case .announcement: \.announcement
        case .timeSensitive: \.timeSensitive
        case .scheduledDelivery: \.scheduledDelivery
        case .directMessages: \.directMessages
        }
    }
}
