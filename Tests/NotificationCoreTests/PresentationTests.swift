internal import NotificationCore
internal import Testing

private let all: PresentationOptions = [.badge, .sound, .list, .banner]

private var grantedQuietly: NotificationSettings {
    switch NotificationSettings().requesting([.alert, .sound, .badge, .provisional]) {
    case .settled(let settings): settings
    case .prompt: NotificationSettings()
    }
}

@Suite("Presentation (§8)")
struct PresentationTests {
    /// A content with all effects under settings that allow all, changed; and what remains of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let expected: PresentationOptions
        let change: @Sendable (inout NotificationContent, inout NotificationSettings) -> Void

        init(
            _ rule: String,
            _ expected: PresentationOptions,
            _ change:
                @escaping @Sendable (inout NotificationContent, inout NotificationSettings) -> Void
        ) {
            self.rule = rule
            self.expected = expected
            self.change = change
        }

        var testDescription: String { rule }
    }

    private func expect(_ row: Row) {
        var content = NotificationContent()
        content.title = "Title"
        content.sound = Sound()
        content.badge = 3
        var settings = NotificationSettings().granted([.alert, .sound, .badge])
        row.change(&content, &settings)
        #expect(content.presentation(under: settings) == row.expected)
    }

    @Test(
        "What the content asks for",
        arguments: [
            Row("all", all) { _, _ in },
            Row("a subtitle is alert text", all) { content, _ in
                content.title = ""
                content.subtitle = "x"
            },
            Row("a body is alert text", all) { content, _ in
                content.title = ""
                content.body = "x"
            },
            Row("no sound", [.badge, .list, .banner]) { content, _ in content.sound = nil },
            Row("no badge", [.sound, .list, .banner]) { content, _ in content.badge = nil },
            Row("badge 0 is a badge", all) { content, _ in content.badge = 0 },
            Row("DEL-2: badge only leaves no list entry", .badge) { content, _ in
                content.title = ""
                content.sound = nil
            },
            Row("DEL-2: sound only leaves no list entry", .sound) { content, _ in
                content.title = ""
                content.badge = nil
            },
        ]
    )
    func contentAsks(row: Row) { expect(row) }

    @Test(
        "What the person allows",
        arguments: [
            Row("alerts off: the list stays", [.badge, .sound, .list]) { _, settings in
                settings.alert = .disabled
            },
            Row("alerts not supported", [.badge, .sound, .list]) { _, settings in
                settings.alert = .notSupported
            },
            Row("alert style none: no banner", [.badge, .sound, .list]) { _, settings in
                settings.alertStyle = .none
            },
            Row("alert style alert is shown too", all) { _, settings in
                settings.alertStyle = .alert
            },
            Row("list off: the banner stays", [.badge, .sound, .banner]) { _, settings in
                settings.notificationCenter = .disabled
            },
            Row("list not supported", [.badge, .sound, .banner]) { _, settings in
                settings.notificationCenter = .notSupported
            },
            Row("sounds off", [.badge, .list, .banner]) { _, settings in
                settings.sound = .disabled
            },
            Row("sounds not supported", [.badge, .list, .banner]) { _, settings in
                settings.sound = .notSupported
            },
            Row("B-1: badges off", [.sound, .list, .banner]) { _, settings in
                settings.badge = .disabled
            },
            Row("B-1: badges not supported", [.sound, .list, .banner]) { _, settings in
                settings.badge = .notSupported
            },
            Row("lock screen off: unlocked is not affected", all) { _, settings in
                settings.lockScreen = .disabled
            },
            Row("S-2: nothing", []) { _, settings in
                settings = NotificationSettings()
                settings.authorizationStatus = .authorized
            },
        ]
    )
    func personAllows(row: Row) { expect(row) }

    @Test(
        "How strongly it interrupts",
        arguments: [
            Row("passive: list and badge only", [.badge, .list]) { content, _ in
                content.interruptionLevel = .passive
            },
            Row("active", all) { content, _ in content.interruptionLevel = .active },
            Row("time sensitive", all) { content, _ in
                content.interruptionLevel = .timeSensitive
            },
            Row("critical", all) { content, _ in content.interruptionLevel = .critical },
            Row("critical sounds without a sound", all) { content, settings in
                content.interruptionLevel = .critical
                content.sound = nil
                settings.criticalAlert = .enabled
            },
            Row("D-25 not permitted it adds none", [.badge, .list, .banner]) { content, _ in
                content.interruptionLevel = .critical
                content.sound = nil
            },
            Row("critical under sounds off", [.badge, .list, .banner]) { content, settings in
                content.interruptionLevel = .critical
                settings.sound = .disabled
            },
            Row("passive sound only: nothing", []) { content, _ in
                content.interruptionLevel = .passive
                content.title = ""
                content.badge = nil
            },
        ]
    )
    func levels(row: Row) { expect(row) }

    @Test(
        "A-6: A provisional grant is quiet, whatever the settings say",
        arguments: [
            Row("as granted", .list) { _, settings in
                settings = grantedQuietly
            },
            Row("with all switched on", [.list, .badge]) { _, settings in
                settings.authorizationStatus = .provisional
            },
            Row("critical too", .list) { content, settings in
                content.interruptionLevel = .critical
                settings = grantedQuietly
            },
        ]
    )
    func quietly(row: Row) { expect(row) }

    @Test("Alert, which Apple deprecated, is never given")
    func deprecated() {
        for level in InterruptionLevel.allCases {
            var content = NotificationContent()
            content.title = "Title"
            content.interruptionLevel = level
            let settings = NotificationSettings().granted([.alert, .sound, .badge])
            #expect(!content.presentation(under: settings).contains(.alert))
        }
    }
}

extension NotificationContent {
    /// Gives the effects on a device that lies unlocked, the app not in front (§8).
    ///
    /// A text alert goes to the list and, where the level allows, to a banner; a request with only
    /// a badge or a sound leaves nothing in the list (DEL-2).
    ///
    /// - Parameter settings: What the person allows. Its status allows notifications.
    /// - Returns: The effects; empty where nothing could be perceived.
    fileprivate func presentation(under settings: NotificationSettings) -> PresentationOptions {
        Arrival(
            content: Boxed(head),
            app: "",
            settings: settings,
            device: Boxed(DeviceState())
        ).decision().options
    }
}
