internal import NotificationCore
internal import Testing

@Suite("The person's changes (§4, A-4, A-11)")
struct SettingsChangeTests {
    /// An app that was granted every option, and was put into the summary.
    private let everything: NotificationSettings = {
        let all = AuthorizationOptions(rawValue: 511).subtracting(.provisional)
        var settings = NotificationSettings().granted(all, entitlements: .criticalAlerts)
        settings.scheduledDelivery = .enabled
        settings.directMessages = .enabled
        return settings
    }()

    @Test("A-11: Each setting can be switched, and nothing else moves", arguments: Setting.allCases)
    func switches(setting: Setting) throws {
        for isOn in [false, true] {
            let after = try everything.updating(
                .switching(setting, to: isOn),
                entitlements: .criticalAlerts
            )
            let expected = isOn ? NotificationSetting.enabled : .disabled
            for other in Setting.allCases {
                let before = everything[keyPath: other.path]
                #expect(after[keyPath: other.path] == (other == setting ? expected : before))
            }
            #expect(after.authorizationStatus == .authorized)
            #expect(after.alertStyle == .banner)
        }
    }

    @Test(
        "3.9: A setting that the app does not have is refused by name",
        arguments: Setting.allCases
    )
    func notSupported(setting: Setting) throws {
        var settings = everything
        settings[keyPath: setting.writablePath] = .notSupported
        let refusal = try #require(throws: Refusal.self) {
            try settings.updating(.switching(setting, to: true))
        }
        #expect(refusal.kind == .failedPrecondition)
        #expect(refusal.reason == .settingNotSupported)
        #expect(refusal.fields.map(\.path) == [[.settings, setting.field]])
        #expect(refusal.namesFields)
    }

    @Test("Every field that is not supported is named")
    func severalNotSupported() throws {
        let settings = NotificationSettings().granted(.badge)
        var change = SettingsChange.switching(.sound, to: false)
        change.badge = false
        change.carPlay = true
        change.alertStyle = .alert
        let refusal = try #require(throws: Refusal.self) { try settings.updating(change) }
        #expect(
            refusal.fields.map(\.path) == [
                [.settings, .soundSetting], [.settings, .carPlaySetting], [.settings, .alertStyle],
            ]
        )
    }

    @Test("SSM-1: An app may be put into the summary where the person has it on")
    func summary() throws {
        let settings = NotificationSettings().granted(.alert)
        let change = SettingsChange.switching(.scheduledDelivery, to: true)
        #expect(throws: Refusal.self) { try settings.updating(change) }
        let after = try settings.updating(change, isSummaryOn: true)
        #expect(after.scheduledDelivery == .enabled)
        #expect(throws: Refusal.self) {
            try settings.updating(.switching(.directMessages, to: true), isSummaryOn: true)
        }
    }

    @Test("A change of nothing is refused")
    func empty() throws {
        let refusal = try #require(throws: Refusal.self) { try everything.updating(.init()) }
        #expect(refusal.reason == .updateMaskEmpty)
        #expect(refusal.fields.map(\.path) == [[.changes]])
    }

    @Test("Before the app has asked there is nothing to change")
    func neverAsked() throws {
        let changes: [SettingsChange] = [
            .allowing(true), .allowing(false), .switching(.sound, to: true),
        ]
        for change in changes {
            let refusal = try #require(throws: Refusal.self) {
                try NotificationSettings().updating(change)
            }
            #expect(refusal.kind == .failedPrecondition)
            #expect(refusal.reason == .authorizationNotDetermined)
            #expect(refusal.fields.map(\.path) == [[.settings, .authorizationStatus]])
        }
    }

    @Test("Style and previews are chosen", arguments: AlertStyle.allCases, ShowPreviews.allCases)
    func styles(style: AlertStyle, previews: ShowPreviews) throws {
        var change = SettingsChange()
        change.alertStyle = style
        change.showPreviews = previews
        let after = try everything.updating(change)
        #expect(after.alertStyle == style)
        #expect(after.showPreviews == previews)
        #expect(SettingsSnapshot(after).on == SettingsSnapshot(everything).on)
    }

    @Test("A-7: Alerts switched on after a quiet grant show as banners, unless a style is chosen")
    func alertsAfterKeep() throws {
        let quiet = try NotificationSettings.quiet([.alert, .sound])
        let prompt = AuthorizationPrompt(kind: .quiet, options: [.alert, .sound])
        let kept = try quiet.answering(.keep(.immediately), to: prompt)
        #expect(kept.alertStyle == .none)
        var change = SettingsChange.switching(.alert, to: true)
        let shown = try kept.updating(change)
        #expect(shown.alertStyle == .banner)
        change.alertStyle = AlertStyle.none
        #expect(try kept.updating(change).alertStyle == .none)
        change.alertStyle = nil
        let modal = try shown.updating(.styling(.alert))
        #expect(try modal.updating(change).alertStyle == .alert)
    }
}

extension Setting {
    fileprivate var writablePath: WritableKeyPath<NotificationSettings, NotificationSetting> {
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

    /// The field of the settings in a refusal.
    fileprivate var field: Field {
        switch self {
        case .sound: .soundSetting
        case .badge: .badgeSetting
        case .alert: .alertSetting
        case .notificationCenter: .notificationCenterSetting
        case .lockScreen: .lockScreenSetting
        case .carPlay: .carPlaySetting
        case .criticalAlert: .criticalAlertSetting
        case .announcement: .announcementSetting
        case .timeSensitive: .timeSensitiveSetting
        case .scheduledDelivery: .scheduledDeliverySetting
        case .directMessages: .directMessagesSetting
        }
    }
}
