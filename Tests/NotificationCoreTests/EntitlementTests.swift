internal import NotificationCore
internal import Testing

@Suite("Entitlements and authorization (§4, A-8)")
struct EntitlementTests {
    private let never = NotificationSettings()

    struct FirstCall: CustomTestStringConvertible, Sendable {
        let name: String
        let options: AuthorizationOptions
        let entitlements: Entitlements
        /// Absent where the person is asked.
        let status: AuthorizationStatus?

        init(
            _ name: String,
            _ options: AuthorizationOptions,
            _ entitlements: Entitlements,
            _ status: AuthorizationStatus?
        ) {
            self.name = name
            self.options = options
            self.entitlements = entitlements
            self.status = status
        }

        var testDescription: String { name }
    }

    @Test(
        "Who is asked at the first call",
        arguments: [
            FirstCall("A-2 alert", [.alert], [], nil),
            FirstCall("A-3 critical alone, no entitlement", [.criticalAlert], [], .notDetermined),
            FirstCall(
                "A-3 critical alone, another entitlement",
                [.criticalAlert],
                [.timeSensitive, .filtering],
                .notDetermined
            ),
            FirstCall(
                "A-5 critical alone and quietly, no entitlement",
                [.criticalAlert, .provisional],
                [],
                .provisional
            ),
            FirstCall("A-8 critical alone, entitled", [.criticalAlert], [.criticalAlerts], nil),
            FirstCall("A-8 critical and more, no entitlement", [.criticalAlert, .badge], [], nil),
            FirstCall(
                "A-8 critical and an own settings screen, no entitlement",
                [.criticalAlert, .providesAppNotificationSettings],
                [],
                nil
            ),
            FirstCall("A-5 provisional", [.alert, .provisional], [], .provisional),
            FirstCall("2.1 time-sensitive as an option", [.timeSensitive], [], nil),
        ]
    )
    func firstCall(_ call: FirstCall) {
        switch (never.requesting(call.options, entitlements: call.entitlements), call.status) {
        case (.prompt, nil): break
        case (.settled(let settings), let status?):
            #expect(settings.authorizationStatus == status)
            #expect(settings.isGranted == status.allowsNotifications)
            #expect(settings.requestedOptions == call.options.subtracting(.provisional))
        case (let step, _): Issue.record("\(step)")
        }
    }

    @Test("A-3: After critical alerts alone the app may still ask for more")
    func afterCriticalAlone() throws {
        let settings = try never.settled([.criticalAlert])
        #expect(!settings.isGranted)
        #expect(settings.requesting([.alert]) == .prompt)
        #expect(SettingsSnapshot(settings) == SettingsSnapshot(.notDetermined))
    }

    @Test("A-3: While provisional, critical alerts without the entitlement ask nobody")
    func criticalWhileProvisional() throws {
        let quiet = try NotificationSettings.quiet([.alert])
        let after = try quiet.settled([.criticalAlert])
        #expect(SettingsSnapshot(after) == SettingsSnapshot(quiet))
        #expect(
            quiet.requesting([.criticalAlert], entitlements: .criticalAlerts) == .prompt
        )
    }

    struct Grant: CustomTestStringConvertible, Sendable {
        let name: String
        let options: AuthorizationOptions
        let entitlements: Entitlements
        let expected: SettingsSnapshot

        init(
            _ name: String,
            _ options: AuthorizationOptions,
            _ entitlements: Entitlements,
            _ expected: SettingsSnapshot
        ) {
            self.name = name
            self.options = options
            self.entitlements = entitlements
            self.expected = expected
        }

        var testDescription: String { name }
    }

    @Test(
        "What a grant of the whole enables",
        arguments: [
            Grant(
                "S-1 alert, sound, badge",
                [.alert, .sound, .badge],
                [],
                SettingsSnapshot(.authorized, on: .alerts.union([.sound, .badge]), .banner)
            ),
            Grant(
                "S-1 alert was not requested",
                [.badge, .sound, .carPlay],
                [],
                SettingsSnapshot(.authorized, on: [.badge, .sound, .carPlay])
            ),
            Grant(
                "A-8 critical, no entitlement",
                [.sound, .criticalAlert],
                [],
                SettingsSnapshot(.authorized, on: [.sound])
            ),
            Grant(
                "A-8 critical, entitled, needs its own grant",
                [.sound, .criticalAlert],
                .criticalAlerts,
                SettingsSnapshot(.authorized, on: [.sound], off: [.criticalAlert])
            ),
            Grant(
                "A-8 critical alone, entitled, is its own grant",
                [.criticalAlert],
                .criticalAlerts,
                SettingsSnapshot(.authorized, on: [.criticalAlert])
            ),
            Grant(
                "A-8 the entitlement alone asks for nothing",
                [.sound],
                .criticalAlerts,
                SettingsSnapshot(.authorized, on: [.sound])
            ),
            Grant(
                "2.1 time-sensitive by entitlement",
                [.sound],
                .timeSensitive,
                SettingsSnapshot(.authorized, on: [.sound, .timeSensitive])
            ),
            Grant(
                "2.1 time-sensitive by option",
                [.sound, .timeSensitive],
                [],
                SettingsSnapshot(.authorized, on: [.sound, .timeSensitive])
            ),
        ]
    )
    func grant(_ grant: Grant) throws {
        let granted = never.granted(grant.options, entitlements: grant.entitlements)
        #expect(SettingsSnapshot(granted) == grant.expected)

        var ephemeral = grant.expected
        ephemeral.status = .ephemeral
        let settled = try never.settled(
            grant.options,
            entitlements: grant.entitlements,
            isEphemeral: true
        )
        #expect(SettingsSnapshot(settled) == ephemeral, "2.2 ephemeral, without a prompt")
    }

    @Test("2.2: An ephemeral app is never granted quietly, and more is merged")
    func ephemeral() throws {
        let settings = try never.settled([.alert, .provisional], isEphemeral: true)
        #expect(
            SettingsSnapshot(settings) == SettingsSnapshot(.ephemeral, on: .alerts, .banner)
        )
        let more = try settings.settled([.sound], isEphemeral: true)
        #expect(more.authorizationStatus == .ephemeral)
        #expect(more.sound == .enabled)
    }

    @Test("D-3: Critical alerts asked for later are off until they are granted on their own")
    func laterCritical() throws {
        let first = never.granted([.sound], entitlements: .criticalAlerts)
        let more = try first.settled([.criticalAlert, .badge], entitlements: .criticalAlerts)
        #expect(
            SettingsSnapshot(more)
                == SettingsSnapshot(.authorized, on: [.sound, .badge], off: [.criticalAlert])
        )
        var change = SettingsChange()
        change.criticalAlert = true
        let granted = try more.updating(change, entitlements: .criticalAlerts)
        #expect(granted.criticalAlert == .enabled)
        let again = try granted.settled([.criticalAlert], entitlements: .criticalAlerts)
        #expect(again == granted)
    }

    @Test("A denial leaves nothing on that an entitlement gives")
    func denial() {
        let denied = never.denied(
            [.alert, .criticalAlert],
            entitlements: [.criticalAlerts, .timeSensitive]
        )
        #expect(
            SettingsSnapshot(denied)
                == SettingsSnapshot(.denied, off: [.alert, .criticalAlert, .timeSensitive])
        )
        #expect(never.denied([.criticalAlert]).criticalAlert == .notSupported)
    }

    @Test("A registration with other entitlements moves the settings along")
    func adapted() throws {
        let none = never.granted([.sound, .criticalAlert])
        let both = none.adapted(to: [.criticalAlerts, .timeSensitive])
        #expect(
            SettingsSnapshot(both)
                == SettingsSnapshot(
                    .authorized,
                    on: [.sound, .timeSensitive],
                    off: [.criticalAlert]
                )
        )
        #expect(both.adapted(to: [.criticalAlerts, .timeSensitive]) == both)
        #expect(both.adapted(to: .filtering) == none)
        #expect(never.adapted(to: [.criticalAlerts, .timeSensitive]) == never)
        let quiet = try NotificationSettings.quiet([.sound], entitlements: .timeSensitive)
        #expect(quiet.timeSensitive == .disabled)
        #expect(quiet.granted([], entitlements: .timeSensitive).timeSensitive == .enabled)
    }

    @Test("A-5: What else was asked for quietly is off, not unsupported")
    func quietOptions() throws {
        let quiet = try NotificationSettings.quiet([.carPlay, .announcement])
        #expect(
            SettingsSnapshot(quiet)
                == SettingsSnapshot(
                    .provisional,
                    on: [.notificationCenter],
                    off: [.alert, .sound, .badge, .lockScreen, .carPlay, .announcement]
                )
        )
        let more = try quiet.settled([.timeSensitive, .provisional])
        #expect(more.timeSensitive == .disabled)
    }
}
