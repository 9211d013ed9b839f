internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import NotificationService

@Suite("Permission, settings and badge over the wire (§4, §12)")
struct SettingsTests {
    @Test("A grant tells the settings, and the event after which they hold")
    func grant() async throws {
        let service = try TestService()
        defer { service.stop() }
        let center = service.center()
        let answer = try await center.requestAuthorization([.alert, .badge, .badge])
        #expect(answer.granted)
        #expect(answer.status == .authorized)
        #expect(answer.promptID == "")
        let settings = try await center.notificationSettings()
        #expect(settings.asOfEvent == 1)
        #expect(
            settings.settings
                == .with {
                    $0.authorizationStatus = .authorized
                    $0.alertSetting = .enabled
                    $0.badgeSetting = .enabled
                    $0.notificationCenterSetting = .enabled
                    $0.lockScreenSetting = .enabled
                    $0.alertStyle = .banner
                }
        )
    }

    /// A setting of the wire.
    typealias Setting =
        any KeyPath<Belfry_V1_NotificationSettings, Belfry_V1_NotificationSetting> & Sendable

    @Test(
        "Each option enables its own setting",
        arguments: zip(
            [.badge, .sound, .carPlay, .announcement, .timeSensitive]
                as [Belfry_V1_AuthorizationOption],
            [
                \.badgeSetting, \.soundSetting, \.carPlaySetting, \.announcementSetting,
                \.timeSensitiveSetting,
            ] as [Setting]
        )
    )
    func option(option: Belfry_V1_AuthorizationOption, setting: Setting) async throws {
        let service = try TestService()
        defer { service.stop() }
        let center = service.center()
        _ = try await center.requestAuthorization([option])
        let settings = try await center.notificationSettings().settings
        #expect(settings[keyPath: setting] == .enabled)
        #expect(settings.alertSetting == .notSupported)
    }

    @Test("The person is asked and answers; who does not wait is told the prompt")
    func ask() async throws {
        let service = try TestService(prompts: .ask)
        defer { service.stop() }
        let center = service.center()
        let asked = try await center.requestAuthorization([.alert, .badge], wait: .zero)
        #expect(!asked.granted)
        #expect(asked.status == .notDetermined)
        #expect(asked.promptID != "")
        async let waiting = center.requestAuthorization([.sound])
        // Both calls are answered with the person's answer, whether they were told or had not yet
        // begun to wait.
        let settings = try await service.person.answerPrompt(asked.promptID, .allow)
        #expect(settings.alertSetting == .enabled)
        let told = try await waiting
        #expect(told.granted)
        #expect(told.status == .authorized)
        #expect(told.promptID == "")
        let quiet = service.center("org.example.quiet")
        let provisional = try await quiet.requestAuthorization([.alert, .provisional])
        #expect(provisional.status == .provisional)
        #expect(provisional.promptID == "")
    }

    @Test("The badge is set and told; without its permission it is refused")
    func badge() async throws {
        let service = try TestService()
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        for count: Int32 in [7, 7, .max, 0] {
            #expect(try await center.setBadgeCount(count) == count)
        }
        let quiet = service.center("org.example.quiet")
        _ = try await quiet.requestAuthorization([.alert])
        Expected(.permissionDenied, "NOTIFICATIONS_NOT_ALLOWED", unCode: 1)
            .check(try await refusal { _ = try await quiet.setBadgeCount(1) })
    }

    @Test("Each setting goes out by its own name, with Apple's numbers")
    func settings() {
        typealias Wire = Belfry_V1_NotificationSettings
        let paths:
            [(
                WritableKeyPath<NotificationSettings, NotificationSetting>,
                KeyPath<Wire, Belfry_V1_NotificationSetting>
            )] = [
                (\.sound, \.soundSetting), (\.badge, \.badgeSetting), (\.alert, \.alertSetting),
                (\.notificationCenter, \.notificationCenterSetting),
                (\.lockScreen, \.lockScreenSetting), (\.carPlay, \.carPlaySetting),
                (\.criticalAlert, \.criticalAlertSetting),
                (\.announcement, \.announcementSetting),
                (\.timeSensitive, \.timeSensitiveSetting),
                (\.scheduledDelivery, \.scheduledDeliverySetting),
                (\.directMessages, \.directMessagesSetting),
            ]
        for (core, wire) in paths {
            for value in NotificationSetting.allCases {
                var settings = NotificationSettings()
                settings[keyPath: core] = value
                let told = Wire(settings)
                #expect(told[keyPath: wire].rawValue == Int(value.rawValue))
                #expect(
                    paths.count { told[keyPath: $0.1] != .notSupported }
                        == (value == .notSupported ? 0 : 1)
                )
            }
        }
    }

    @Test("Status, style and previews go out with Apple's numbers")
    func enumerations() {
        for status in AuthorizationStatus.allCases {
            var settings = NotificationSettings()
            settings.authorizationStatus = status
            let told = Belfry_V1_NotificationSettings(settings).authorizationStatus
            #expect(told.rawValue == Int(status.rawValue))
            #expect(Belfry_V1_AuthorizationStatus.allCases.contains(told))
        }
        for style in AlertStyle.allCases {
            var settings = NotificationSettings()
            settings.alertStyle = style
            let told = Belfry_V1_NotificationSettings(settings).alertStyle
            #expect(told.rawValue == Int(style.rawValue))
        }
        for previews in ShowPreviews.allCases {
            var settings = NotificationSettings()
            settings.showPreviews = previews
            settings.providesAppNotificationSettings = true
            let told = Belfry_V1_NotificationSettings(settings)
            #expect(told.showPreviewsSetting.rawValue == Int(previews.rawValue))
            #expect(told.providesAppNotificationSettings)
        }
    }
}
