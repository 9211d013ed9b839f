internal import NotificationCore
internal import Testing

@Suite("Withdrawing and giving back (§4, A-4, D-4)")
struct WithdrawalTests {
    private let granted = NotificationSettings().granted([.alert, .sound, .badge])

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let settings: NotificationSettings
        var entitlements: Entitlements = []
        var isEphemeral = false
        /// Absent where it is as it was before.
        let expected: SettingsSnapshot?
        var testDescription: String { name }
    }

    private static func cases() throws -> [Case] {
        let never = NotificationSettings()
        let quiet = try NotificationSettings.quiet([.alert])
        let prompt = AuthorizationPrompt(kind: .quiet, options: .alert)
        return [
            Case(name: "A-4 authorized", settings: never.granted([.alert, .sound]), expected: nil),
            Case(
                name: "A-4 with a choice of the person's",
                settings: try never.granted([.alert, .sound])
                    .updating(.switching(.sound, to: false)),
                expected: nil
            ),
            Case(
                name: "A-4 ephemeral",
                settings: try never.settled(.alert, isEphemeral: true),
                isEphemeral: true,
                expected: nil
            ),
            Case(
                name: "A-7 kept quietly stays quiet",
                settings: try quiet.answering(.keep(.immediately), to: prompt),
                expected: nil
            ),
            Case(
                name: "provisional is decided by then, and stays quiet",
                settings: quiet,
                expected: .init(
                    .authorized,
                    on: [.notificationCenter],
                    off: [.alert, .sound, .badge, .lockScreen]
                )
            ),
            Case(
                name: "refused at the prompt, as if granted",
                settings: never.denied([.alert, .criticalAlert], entitlements: .criticalAlerts),
                entitlements: .criticalAlerts,
                expected: .init(.authorized, on: .alerts, off: [.criticalAlert], .banner)
            ),
            Case(
                name: "refused at the prompt, with the alert that the person switched on",
                settings: try never.denied([.alert, .sound]).updating(.switching(.alert, to: true)),
                expected: .init(.authorized, on: .alerts, off: [.sound], .banner)
            ),
            Case(
                name: "refused at the prompt, while the summary holds the app",
                settings: try never.denied(.alert)
                    .updating(.switching(.scheduledDelivery, to: true), isSummaryOn: true),
                expected: .init(.authorized, on: .alerts.union([.scheduledDelivery]), .banner)
            ),
            Case(
                name: "D-3 asked for while withdrawn",
                settings: try never.granted(.sound)
                    .updating(.allowing(false))
                    .settled([.alert, .criticalAlert]),
                entitlements: .criticalAlerts,
                expected: .init(
                    .authorized,
                    on: .alerts.union([.sound]),
                    off: [.criticalAlert],
                    .banner
                )
            ),
        ]
    }

    /// Those of a quiet grant that the person turned off.
    private static func turnedOff() throws -> [Case] {
        let prompt = AuthorizationPrompt(kind: .quiet, options: .alert)
        return [
            Case(
                name: "A-7 turned off, as if granted",
                settings: try NotificationSettings.quiet([.alert])
                    .answering(.turnOff, to: prompt),
                expected: .init(.authorized, on: .alerts, .banner)
            ),
            Case(
                name: "A-7 turned off, with what the person had switched on beside it",
                settings: try NotificationSettings.quiet([.alert], entitlements: .timeSensitive)
                    .updating(.switching(.timeSensitive, to: true))
                    .answering(.turnOff, to: prompt, entitlements: .timeSensitive),
                entitlements: .timeSensitive,
                expected: .init(.authorized, on: .alerts.union([.timeSensitive]), .banner)
            ),
        ]
    }

    @Test("What is given back", arguments: try cases() + turnedOff())
    func givingBack(_ row: Case) throws {
        let withdrawn = try row.settings.updating(.allowing(false))
        #expect(withdrawn.authorizationStatus == .denied)
        #expect(!withdrawn.isGranted, "A-3")
        #expect(
            SettingsSnapshot(withdrawn).on == SettingsSnapshot(row.settings).on,
            "choices are kept"
        )
        let back = try withdrawn.updating(
            .allowing(true),
            entitlements: row.entitlements,
            isEphemeral: row.isEphemeral
        )
        #expect(SettingsSnapshot(back) == row.expected ?? SettingsSnapshot(row.settings))
    }

    @Test("Giving back what was not withdrawn changes nothing but that it is decided")
    func notWithdrawn() throws {
        #expect(try granted.updating(.allowing(true)) == granted)
        let quiet = try NotificationSettings.quiet(.alert)
        let authorized = try quiet.updating(.allowing(true))
        var expected = SettingsSnapshot(quiet)
        expected.status = .authorized
        #expect(SettingsSnapshot(authorized) == expected, "a quiet grant stays as quiet")
    }

    @Test("What is given back may be changed in the same step")
    func givenBackAndChanged() throws {
        var change = SettingsChange.allowing(true)
        change.sound = false
        let denied = NotificationSettings().denied([.alert, .sound])
        let back = try denied.updating(change)
        #expect(
            SettingsSnapshot(back)
                == SettingsSnapshot(.authorized, on: .alerts, off: [.sound], .banner)
        )
    }

    @Test("A-1, D-1, D-4: While it is withdrawn nothing is accepted or delivered")
    func whileWithdrawn() throws {
        var content = NotificationContent()
        content.title = "Tea"
        var center = CenterState(name: try CenterName(app: "org.example.tea", device: ""))
        center.settings = granted
        center.pendingCount = 1
        center.settings = try center.settings.updating(.allowing(false))
        #expect(center.outcome(of: Boxed(content.head)) == .suppressed(.notAuthorized))
        #expect(center.pendingCount == 1)
        #expect(throws: Refusal.notAllowed(.denied)) {
            try center.checkAdd(trigger: nil, replacesPending: false, pendingLimit: 64)
        }
        center.settings = try center.settings.updating(.allowing(true))
        let listed = Presentation([.list, .banner])
        #expect(center.outcome(of: Boxed(content.head)) == .delivered(listed))
        try center.checkAdd(trigger: nil, replacesPending: false, pendingLimit: 64)
    }

    @Test("S-2: Settings cut effects, never the content that may be added")
    func settingsDoNotGate() throws {
        var content = NotificationContent()
        content.title = "Tea"
        content.sound = Sound()
        content.badge = 1
        var center = CenterState(name: try CenterName(app: "org.example.tea", device: ""))
        center.settings = NotificationSettings().granted(.sound)
        try center.checkAdd(trigger: nil, replacesPending: false, pendingLimit: 64)
        #expect(center.outcome(of: Boxed(content.head)) == .delivered(Presentation(.sound)))
    }
}
