internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import NotificationService

@Suite("Apps, categories and the person's choices over the wire")
struct InstallationTests {
    let service: TestService

    init() throws { service = try TestService() }

    private func center(_ app: String) -> Belfry_V1_Center { .with { $0.appID = app } }

    @Test("An app is told as it is registered, and listed by its name")
    func register() async throws {
        let manifest = Belfry_V1_AppManifest.with { manifest in
            manifest.names = [.with { ($0.language, $0.name) = ("pt", "Lembretes") }]
            manifest.language = "pt"
            manifest.entitlements.criticalAlerts = true
            manifest.entitlements.timeSensitive = true
            manifest.entitlements.filtering = true
            manifest.backgroundModes = [.remoteNotification]
            manifest.extensions = [
                .with { item in
                    item.extensionID = "org.example.a.service"
                    item.kind = .service
                }
            ]
            manifest.ephemeral = true
        }
        let app = try await service.installation.registerApp(center("org.example.a"), manifest)
        #expect(app.manifest == manifest)
        #expect(app.center.deviceID == "local")
        #expect(app.registeredAt.seconds == 1_767_225_600)
        let plain = try await service.installation.registerApp(center("org.example.b"))
        #expect(plain.manifest == .with { $0.language = "en" })
        let first = try await service.person.listApps(pageSize: 1)
        #expect(first.apps.map(\.name) == ["Lembretes"])
        let rest = try await service.person.listApps(pageSize: 1, pageToken: first.nextPageToken)
        #expect(rest.apps.map(\.name) == ["org.example.b"])
        #expect(rest.nextPageToken == "")
        let revoked = try await service.installation.unregisterApp(center("org.example.a"))
        #expect(revoked.isEmpty)
        #expect(try await service.person.listApps().apps.count == 1)
    }

    @Test("The app that has settings of its own is told that the person wants them")
    func openSettings() async throws {
        let center = try await service.authorizedCenter()
        let app = center.center.appID
        let error = try await refusal { try await service.person.openSettings(of: app) }
        Expected(.failedPrecondition, "NO_APP_SETTINGS").check(error)
        _ = try await center.requestAuthorization([.providesAppNotificationSettings])
        let stream = try await service.subscribe()
        try await service.person.openSettings(of: app)
        let told = try await stream.events(1)
        #expect(told.map(\.openSettings) == [Belfry_V1_OpenSettingsEvent()])
    }

    @Test("What the person chooses is told, and the app is told with an event")
    func choices() async throws {
        let center = try await service.authorizedCenter()
        let settings = Belfry_V1_NotificationSettings.with { settings in
            settings.soundSetting = .disabled
            settings.alertStyle = .alert
            settings.showPreviewsSetting = .never
        }
        let told = try await service.person.updateSettings(
            of: center.center.appID,
            settings,
            paths: ["sound_setting", "alert_style", "show_previews_setting"],
            grouping: .byApp
        )
        #expect(told.grouping == .byApp)
        #expect(told.asOfEvent == 2)
        #expect(told.settings.soundSetting == .disabled)
        #expect(told.settings.badgeSetting == .enabled)
        let now = try await center.notificationSettings()
        #expect(now.settings == told.settings)
        let app = try #require(try await service.person.listApps().apps.first)
        #expect(app.settings == told.settings)
        #expect(app.grouping == .byApp)
    }

    @Test("Each field of the settings is changed by its own name", arguments: [true, false])
    func fields(isOn: Bool) async throws {
        var change = Belfry_V1_NotificationSettings()
        change.authorizationStatus = isOn ? .authorized : .denied
        let wire: Belfry_V1_NotificationSetting = isOn ? .enabled : .disabled
        for (path, setting) in Self.settings {
            change[keyPath: setting] = wire
            let parsed = try SettingsChange(change, [path])
            let values = [
                parsed.sound, parsed.badge, parsed.alert, parsed.notificationCenter,
                parsed.lockScreen, parsed.carPlay, parsed.criticalAlert, parsed.announcement,
                parsed.timeSensitive, parsed.scheduledDelivery, parsed.directMessages,
            ]
            #expect(values.compactMap { $0 } == [isOn], "\(path)")
            let index = try #require(Self.settings.firstIndex { $0.0 == path })
            #expect(values[index] == isOn)
        }
        #expect(try SettingsChange(change, ["authorization_status"]).allowsNotifications == isOn)
    }

    private typealias Setting = WritableKeyPath<
        Belfry_V1_NotificationSettings, Belfry_V1_NotificationSetting
    >

    private static var settings: [(String, Setting)] {
        [
            ("sound_setting", \.soundSetting), ("badge_setting", \.badgeSetting),
            ("alert_setting", \.alertSetting),
            ("notification_center_setting", \.notificationCenterSetting),
            ("lock_screen_setting", \.lockScreenSetting),
            ("car_play_setting", \.carPlaySetting),
            ("critical_alert_setting", \.criticalAlertSetting),
            ("announcement_setting", \.announcementSetting),
            ("time_sensitive_setting", \.timeSensitiveSetting),
            ("scheduled_delivery_setting", \.scheduledDeliverySetting),
            ("direct_messages_setting", \.directMessagesSetting),
        ]
    }

    @Test("A category goes out as it came in, with its warnings")
    func categories() async throws {
        let category = Belfry_V1_NotificationCategory.with { category in
            category.identifier = "invite"
            category.actions = [
                .with { action in
                    action.identifier = "reply"
                    action.title = "Reply"
                    action.options = [.authenticationRequired, .foreground]
                    action.icon.systemImageName = "bubble"
                    action.textInput.buttonTitle = "Send"
                    action.textInput.placeholder = "Text"
                },
                .with { action in
                    action.identifier = "no"
                    action.icon.templateImageName = "cross"
                },
            ]
            category.intentIdentifiers = ["Intent"]
            category.hiddenPreviewsBodyPlaceholder = "%u invitations"
            category.categorySummaryFormat = "%u more from %@"
            category.options = [.customDismissAction, .allowAnnouncement]
            category.localizedHiddenPreviewsBodyPlaceholder.key = "hidden"
            category.localizedCategorySummaryFormat.key = "summary"
            category.localizedCategorySummaryFormat.args = ["a"]
            category.actions[1].localizedTitle.key = "no"
            category.actions[1].localizedTitle.args = ["%@", ""]
        }
        let center = service.center()
        #expect(try await center.setCategories([category]).isEmpty)
        #expect(try await center.categories() == [category])
        var other = category
        other.identifier = "other"
        other.actions[0].title = "Answer"
        let warnings = try await center.upsertCategories([other])
        #expect(warnings.map(\.kind) == [.actionMeaningDiffers])
        #expect(warnings.map(\.path) == ["categories[0].actions[0].identifier"])
        #expect(try await center.removeCategories(["other", "none"]) == ["other"])
        #expect(try await center.categories() == [category])
    }

    @Test("What a device shows is in its person's language, and the app has what it added")
    func stringTable() async throws {
        let center = try await service.authorizedCenter()
        let app = center.center.appID
        let content = Belfry_V1_NotificationContent.with { content in
            content.title = "Hello"
            content.localizedTitle.key = "hello"
            content.localizedTitle.args = ["Ann"]
        }
        try await center.add("a") { $0.content = content }
        let strings: [String: Belfry_V1_LocalizedString] = [
            "hello": .with { $0.text = "Hi, %@" },
            "bye": .with { string in
                string.plural.zero = "0"
                string.plural.other = "x"
            },
        ]
        func title() async throws -> String? {
            let groups = try await service.person.listNotificationCenter().groups
            return groups.first?.notifications.first?.title
        }
        #expect(try await title() == "Hello")
        let set = service.installation.setStringTable
        #expect(try await set(app, "EN", strings, "") == 2)
        #expect(try await title() == "Hi, Ann")
        let delivered = try await center.listDelivered().notifications.first
        #expect(delivered?.request.content.localizedTitle == content.localizedTitle)
        #expect(try await set(app, "en", [:], "") == 0)
        #expect(try await title() == "Hello")
    }
}
