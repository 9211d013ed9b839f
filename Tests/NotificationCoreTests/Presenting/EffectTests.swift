internal import NotificationCore
internal import Testing

private typealias Place = ArrivalCase<VisualAlert?>

/// The level that remains, and the effects of a content that asks for all of them.
struct LevelEffects: Sendable {
    let level: InterruptionLevel
    let options: PresentationOptions
    let wakesScreen: Bool

    init(_ level: InterruptionLevel, _ options: PresentationOptions, wakes: Bool) {
        self.level = level
        self.options = options
        wakesScreen = wakes
    }
}

@Suite("Effects of a delivery (§8, §16.1)")
struct EffectTests {
    /// The table of §8, row by row, for an arrival without Focus and summary.
    private struct Table {
        let content: NotificationContent
        let settings: NotificationSettings
        let isLocked: Bool

        var isQuiet: Bool { settings.authorizationStatus == .provisional }
        var isLoud: Bool { content.interruptionLevel >= .active && !isQuiet }
        var hasText: Bool { content.title + content.subtitle + content.body != "" }
        var alert: Bool {
            let place =
                isLocked ? settings.lockScreen == .enabled : settings.alertStyle != AlertStyle.none
            return hasText && settings.alert == .enabled && place && isLoud
        }
        var list: Bool { hasText && settings.notificationCenter == .enabled }
        var sound: Bool {
            (content.sound != nil || content.interruptionLevel == .critical)
                && settings.sound == .enabled && isLoud
        }
        var badge: Bool { content.badge != nil && settings.badge == .enabled }
    }

    private static let switches: [NotificationSetting] = [.enabled, .disabled]

    private static func settings(status: AuthorizationStatus) -> [NotificationSettings] {
        (0..<32).flatMap { bits in
            [AlertStyle.none, .banner, .alert].map { style in
                var settings = NotificationSettings()
                settings.authorizationStatus = status
                settings.alert = switches[bits & 1]
                settings.sound = switches[bits >> 1 & 1]
                settings.badge = switches[bits >> 2 & 1]
                settings.notificationCenter = switches[bits >> 3 & 1]
                settings.lockScreen = switches[bits >> 4 & 1]
                settings.alertStyle = style
                settings.criticalAlert = .enabled
                settings.timeSensitive = .enabled
                return settings
            }
        }
    }

    private static func contents(level: InterruptionLevel) -> [NotificationContent] {
        (0..<8).map { bits in
            var content = NotificationContent()
            content.interruptionLevel = level
            content.body = bits & 1 == 0 ? "" : "Body"
            content.sound = bits & 2 == 0 ? nil : Sound()
            content.badge = bits & 4 == 0 ? nil : 1
            return content
        }
    }

    @Test(
        "The effect table: every content under every setting, locked and unlocked",
        arguments: [AuthorizationStatus.authorized, .provisional, .ephemeral],
        InterruptionLevel.allCases
    )
    func table(status: AuthorizationStatus, level: InterruptionLevel) {
        for settings in Self.settings(status: status) {
            for content in Self.contents(level: level) {
                for isLocked in [false, true] {
                    let table = Table(content: content, settings: settings, isLocked: isLocked)
                    var device = DeviceState()
                    device.isLocked = isLocked
                    let decision = Arrival(
                        content: Boxed(content.head),
                        app: "app",
                        settings: settings,
                        device: Boxed(device)
                    ).decision()
                    #expect(decision.options.contains(.banner) == table.alert)
                    #expect(decision.options.contains(.list) == table.list)
                    #expect(decision.options.contains(.sound) == table.sound)
                    #expect(decision.options.contains(.badge) == table.badge)
                    #expect((decision.visualAlert != nil) == table.alert)
                    #expect((decision.sound != nil) == table.sound)
                    #expect(decision.wakesScreen == (table.alert || table.sound))
                }
            }
        }
    }

    @Test(
        "DEL-1: Where the alert shows",
        arguments: [
            Place("unlocked, banner", .banner) { _ in },
            Place("unlocked, alert", .alert) { $0.settings.alertStyle = .alert },
            Place("unlocked, none", nil) { $0.settings.alertStyle = .none },
            Place("locked", .lockScreen) { $0.device.isLocked = true },
            Place("locked, style none", .lockScreen) {
                $0.device.isLocked = true
                $0.settings.alertStyle = .none
            },
            Place("locked, lock screen off", nil) {
                $0.device.isLocked = true
                $0.settings.lockScreen = .disabled
            },
            Place("locked, lock screen not supported", nil) {
                $0.device.isLocked = true
                $0.settings.lockScreen = .notSupported
            },
            Place("unlocked, lock screen off", .banner) {
                $0.settings.lockScreen = .disabled
            },
        ]
    )
    func place(row: ArrivalCase<VisualAlert?>) {
        let decision = row.arrival.decision()
        #expect(decision.visualAlert == row.expected)
        #expect(decision.options.contains(.banner) == (row.expected != nil))
    }

    @Test(
        "16.1: What a level does",
        arguments: [
            ArrivalCase("16.1 passive", LevelEffects(.passive, [.badge, .list], wakes: false)) {
                $0.content.interruptionLevel = .passive
            },
            ArrivalCase("16.1 active", LevelEffects(.active, .everything, wakes: true)) { _ in },
            ArrivalCase(
                "16.1 time sensitive",
                LevelEffects(.timeSensitive, .everything, wakes: true)
            ) {
                $0.content.interruptionLevel = .timeSensitive
            },
            ArrivalCase("16.1 critical", LevelEffects(.critical, .everything, wakes: true)) {
                $0.content.interruptionLevel = .critical
            },
            ArrivalCase(
                "16.1 critical sounds by itself",
                LevelEffects(.critical, .everything, wakes: true)
            ) {
                $0.content.interruptionLevel = .critical
                $0.content.sound = nil
            },
            ArrivalCase("wake: sound only", LevelEffects(.active, [.sound], wakes: true)) {
                $0.content.hasAlertText = false
                $0.content.badge = nil
            },
            ArrivalCase(
                "wake: a badge alone does not",
                LevelEffects(.active, [.badge], wakes: false)
            ) {
                $0.content.hasAlertText = false
                $0.content.sound = nil
            },
        ]
    )
    func level(row: ArrivalCase<LevelEffects>) {
        let decision = row.arrival.decision()
        #expect(decision.level == row.expected.level)
        #expect(decision.options == row.expected.options)
        #expect(decision.wakesScreen == row.expected.wakesScreen)
        #expect(decision.mode == .immediate)
        #expect(!decision.hasTimedOut)
    }

    /// A level, whether critical alerts and time-sensitive ones are allowed, and what remains.
    static let levels: [(InterruptionLevel, Bool, Bool, InterruptionLevel)] = [
        (.critical, true, true, .critical), (.critical, true, false, .critical),
        (.critical, false, true, .timeSensitive), (.critical, false, false, .active),
        (.timeSensitive, true, true, .timeSensitive), (.timeSensitive, true, false, .active),
        (.active, false, false, .active), (.passive, true, true, .passive),
    ]

    @Test("INT-2: A level is lowered to the first one that the person allows", arguments: levels)
    func lowered(
        level: InterruptionLevel,
        isCriticalAllowed: Bool,
        isTimeSensitiveAllowed: Bool,
        expected: InterruptionLevel
    ) {
        for withheld in [NotificationSetting.disabled, .notSupported] {
            var arrival = Arrival.withAllEffects
            arrival.content.interruptionLevel = level
            arrival.settings.criticalAlert = isCriticalAllowed ? .enabled : withheld
            arrival.settings.timeSensitive = isTimeSensitiveAllowed ? .enabled : withheld
            #expect(level.lowered(to: arrival.settings) == expected)
            #expect(arrival.decision().level == expected)
        }
    }

    @Test("A-6: A provisional grant is quiet, whatever the level and the app's place in a summary")
    func provisional() {
        for level in InterruptionLevel.allCases {
            var arrival = Arrival.withAllEffects
            arrival.content.interruptionLevel = level
            arrival.content.sound = Sound(isCritical: true)
            arrival.settings.authorizationStatus = .provisional
            arrival.device.summary.isEnabled = true
            arrival.device.summary.apps = ["app"]
            arrival.device.focus = Focus()
            let decision = arrival.decision()
            #expect(decision.mode == .quiet)
            #expect(decision.options == [.badge, .list])
            #expect(!decision.wakesScreen && !decision.vibrates)
        }
    }
}
