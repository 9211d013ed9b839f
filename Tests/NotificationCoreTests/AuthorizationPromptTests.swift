internal import NotificationCore
internal import Testing

@Suite("Prompts (§4, A-7)")
struct AuthorizationPromptTests {
    typealias Answer = AuthorizationPrompt.Answer
    typealias Kind = AuthorizationPrompt.Kind

    /// The settings in which a prompt of `kind` is open; the app has asked for alerts and sounds.
    private static func settings(
        for kind: Kind,
        entitlements: Entitlements = []
    ) throws -> NotificationSettings {
        kind == .initial
            ? NotificationSettings() : try .quiet([.alert, .sound], entitlements: entitlements)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let kind: Kind
        var options: AuthorizationOptions = [.alert, .sound]
        let answer: Answer
        var entitlements: Entitlements = []
        var isSummaryOn = false
        let expected: SettingsSnapshot
        var testDescription: String { name }
    }

    private static let quietly: Set<Setting> = [.alert, .sound, .badge, .lockScreen]

    private static let first: [Case] = [
        Case(
            name: "user grants: all that was asked for",
            kind: .initial,
            answer: .allow([.alert, .sound]),
            expected: .init(.authorized, on: .alerts.union([.sound]), .banner)
        ),
        Case(
            name: "user grants: sound only",
            kind: .initial,
            answer: .allow(.sound),
            expected: .init(.authorized, on: [.sound], off: .alerts)
        ),
        Case(
            name: "user grants: alert only",
            kind: .initial,
            answer: .allow(.alert),
            expected: .init(.authorized, on: .alerts, off: [.sound], .banner)
        ),
        Case(
            name: "user denies",
            kind: .initial,
            answer: .deny,
            expected: .init(.denied, off: [.alert, .sound])
        ),
        Case(
            name: "A-8 critical allowed by name",
            kind: .initial,
            options: [.sound, .criticalAlert],
            answer: .allow([.sound, .criticalAlert]),
            entitlements: .criticalAlerts,
            expected: .init(.authorized, on: [.sound, .criticalAlert])
        ),
        Case(
            name: "A-8 critical not allowed with the rest",
            kind: .initial,
            options: [.sound, .criticalAlert],
            answer: .allow(.sound),
            entitlements: .criticalAlerts,
            expected: .init(.authorized, on: [.sound], off: [.criticalAlert])
        ),
        Case(
            name: "A-8 critical asked for without the entitlement",
            kind: .initial,
            options: [.sound, .criticalAlert],
            answer: .allow(.sound),
            expected: .init(.authorized, on: [.sound])
        ),
        Case(
            name: "an own settings screen, after critical without the entitlement",
            kind: .initial,
            options: [.criticalAlert, .providesAppNotificationSettings],
            answer: .allow(.providesAppNotificationSettings),
            expected: .init(.authorized)
        ),
    ]

    private static let quiet: [Case] = [
        Case(
            name: "D-3 upgrade allowed",
            kind: .upgrade,
            answer: .allow([.alert, .sound]),
            expected: .init(.authorized, on: .alerts.union([.sound]), .banner)
        ),
        Case(
            name: "D-3 upgrade allowed, time-sensitive by entitlement",
            kind: .upgrade,
            answer: .allow(.sound),
            entitlements: .timeSensitive,
            expected: .init(.authorized, on: [.sound, .timeSensitive], off: .alerts)
        ),
        Case(
            name: "D-3 upgrade denied",
            kind: .upgrade,
            answer: .deny,
            expected: .init(.denied, off: .alerts.union([.sound]))
        ),
        Case(
            name: "A-7 keep, immediately",
            kind: .quiet,
            answer: .keep(.immediately),
            expected: .init(.authorized, on: [.notificationCenter], off: quietly)
        ),
        Case(
            name: "A-7 keep, immediately, with the summary on",
            kind: .quiet,
            answer: .keep(.immediately),
            isSummaryOn: true,
            expected: .init(
                .authorized,
                on: [.notificationCenter],
                off: quietly.union([.scheduledDelivery])
            )
        ),
        Case(
            name: "A-7 keep, scheduled summary",
            kind: .quiet,
            answer: .keep(.scheduledSummary),
            isSummaryOn: true,
            expected: .init(
                .authorized,
                on: [.notificationCenter, .scheduledDelivery],
                off: quietly
            )
        ),
        Case(
            name: "A-7 keep while an upgrade is asked, with more options",
            kind: .upgrade,
            options: [.carPlay],
            answer: .keep(.immediately),
            expected: .init(
                .authorized,
                on: [.notificationCenter],
                off: quietly.union([.carPlay])
            )
        ),
        Case(
            name: "A-7 turn off",
            kind: .quiet,
            answer: .turnOff,
            expected: .init(.denied, off: .alerts.union([.sound]))
        ),
        Case(
            name: "A-7 turn off while an upgrade is asked",
            kind: .upgrade,
            answer: .turnOff,
            expected: .init(.denied, off: .alerts.union([.sound]))
        ),
    ]

    @Test("An answer decides the settings", arguments: first + quiet)
    func answer(_ row: Case) throws {
        let before = try Self.settings(for: row.kind, entitlements: row.entitlements)
        let asked = row.kind == .quiet ? row.options.union(.provisional) : row.options
        let prompt = AuthorizationPrompt(asking: asked, under: before)
        #expect(prompt.kind == row.kind)
        let after = try before.answering(
            row.answer,
            to: prompt,
            entitlements: row.entitlements,
            isSummaryOn: row.isSummaryOn
        )
        #expect(SettingsSnapshot(after) == row.expected)
        #expect(after.requestedOptions == before.requestedOptions.union(row.options))
        let again = after.requesting(row.options, entitlements: row.entitlements)
        #expect(again == .settled(after), "A-2 later calls just report")
        #expect(after.isGranted == (row.expected.status == .authorized), "A-3")
    }

    struct Misfit: CustomTestStringConvertible, Sendable {
        let name: String
        let kind: Kind
        var options: AuthorizationOptions = [.alert, .sound]
        let answer: Answer
        var reason = Reason.answerInvalid
        var testDescription: String { name }
    }

    @Test(
        "An answer that does not fit is refused",
        arguments: [
            Misfit(name: "more than asked", kind: .initial, answer: .allow([.alert, .badge])),
            Misfit(name: "provisional", kind: .initial, answer: .allow([.alert, .provisional])),
            Misfit(name: "allow nothing", kind: .initial, answer: .allow([])),
            Misfit(
                name: "A-8 only critical, without the entitlement",
                kind: .initial,
                options: [.alert, .criticalAlert],
                answer: .allow(.criticalAlert)
            ),
            Misfit(
                name: "A-8 critical beside the rest, without the entitlement",
                kind: .initial,
                options: [.alert, .criticalAlert],
                answer: .allow([.alert, .criticalAlert])
            ),
            Misfit(name: "A-7 keep a first one", kind: .initial, answer: .keep(.immediately)),
            Misfit(name: "A-7 turn off a first one", kind: .initial, answer: .turnOff),
            Misfit(name: "A-7 allow a quiet one", kind: .quiet, answer: .allow(.alert)),
            Misfit(name: "A-7 deny a quiet one", kind: .quiet, answer: .deny),
            Misfit(name: "more than asked, upgrade", kind: .upgrade, answer: .allow(.carPlay)),
            Misfit(
                name: "A-7 scheduled summary that is off",
                kind: .quiet,
                answer: .keep(.scheduledSummary),
                reason: .summaryOff
            ),
        ]
    )
    func misfit(_ row: Misfit) throws {
        let before = try Self.settings(for: row.kind)
        let prompt = AuthorizationPrompt(kind: row.kind, options: row.options)
        let refusal = try #require(throws: Refusal.self) {
            try before.answering(row.answer, to: prompt)
        }
        #expect(refusal.reason == row.reason)
        #expect(refusal.fields.map(\.path) == [[.answer]])
        #expect(
            refusal.kind == (row.reason == .summaryOff ? .failedPrecondition : .invalidArgument)
        )
    }

    @Test("A-4: A prompt ends when the person decides in the settings", arguments: Kind.allCases)
    func ended(kind: Kind) throws {
        let prompt = AuthorizationPrompt(kind: kind, options: .alert)
        for status in AuthorizationStatus.allCases {
            let isOpen = status == (kind == .initial ? .notDetermined : .provisional)
            #expect(prompt.isOpen(for: status) == isOpen, "\(status)")
            guard !isOpen else { continue }
            var settings = NotificationSettings()
            settings.authorizationStatus = status
            let refusal = try #require(throws: Refusal.self) {
                try settings.answering(kind == .quiet ? .turnOff : .deny, to: prompt)
            }
            #expect(refusal.kind == .failedPrecondition)
            #expect(refusal.reason == .promptEnded)
        }
    }

    struct Joining: CustomTestStringConvertible, Sendable {
        let name: String
        let kind: Kind
        let later: AuthorizationOptions
        let expectedKind: Kind
        let expected: AuthorizationOptions
        var testDescription: String { name }
    }

    @Test(
        "A later call joins the open prompt",
        arguments: [
            Joining(
                name: "more options",
                kind: .initial,
                later: [.badge, .sound],
                expectedKind: .initial,
                expected: [.alert, .badge, .sound]
            ),
            Joining(
                name: "D-23 provisional while the person sees the prompt",
                kind: .initial,
                later: [.sound, .provisional],
                expectedKind: .upgrade,
                expected: [.alert, .sound]
            ),
            Joining(
                name: "an upgrade stays one",
                kind: .upgrade,
                later: [.sound, .provisional],
                expectedKind: .upgrade,
                expected: [.alert, .sound]
            ),
            Joining(
                name: "a quiet grant stays one",
                kind: .quiet,
                later: [.badge, .provisional],
                expectedKind: .quiet,
                expected: [.alert, .badge]
            ),
            Joining(
                name: "D-3 a quiet grant becomes an upgrade",
                kind: .quiet,
                later: .alert,
                expectedKind: .upgrade,
                expected: .alert
            ),
        ]
    )
    func joining(_ row: Joining) {
        var prompt = AuthorizationPrompt(kind: row.kind, options: .alert)
        prompt.join(row.later)
        let expected = AuthorizationPrompt(kind: row.expectedKind, options: row.expected)
        #expect(prompt == expected)
    }

    @Test("An upgrade asks for all that was asked for quietly too")
    func upgradeAsksForAll() throws {
        let quiet = try NotificationSettings.quiet([.alert, .sound])
        let prompt = AuthorizationPrompt(asking: .badge, under: quiet)
        #expect(prompt.kind == .upgrade)
        #expect(prompt.options == [.alert, .sound, .badge])
        #expect(AuthorizationPrompt(asking: .provisional, under: quiet).kind == .quiet)
    }

    @Test("A-7: What the person changed while it was quiet is kept")
    func keepsChoices() throws {
        var change = SettingsChange()
        change.sound = true
        let loud = try NotificationSettings.quiet([.alert, .sound]).updating(change)
        #expect(loud.authorizationStatus == .provisional)
        let prompt = AuthorizationPrompt(kind: .quiet, options: [.alert, .sound])
        let kept = try loud.answering(.keep(.immediately), to: prompt)
        #expect(kept.sound == .enabled)
        #expect(kept.alert == .disabled)
    }

    @Test(
        "A-7: After KEEP no option that is asked for is on without the person",
        arguments: 0..<512
    )
    func keptStaysQuiet(bits: Int) throws {
        let asked = AuthorizationOptions(rawValue: UInt32(bits)).subtracting(.provisional)
        let quiet = try NotificationSettings.quiet(asked)
        let prompt = AuthorizationPrompt(kind: .quiet, options: asked)
        let kept = [
            try quiet.answering(.keep(.immediately), to: prompt),
            try quiet.updating(.allowing(true)),
        ]
        for kept in kept {
            let later = try kept.settled([.alert, .sound, .badge])
            for setting in Self.quietly {
                #expect(later[keyPath: setting.path] == .disabled, "\(asked) \(setting)")
            }
            #expect(later.looksLike(kept), "\(asked)")
        }
    }

    @Test(
        "D-3, A-5: What the person chose stands, whatever is asked for",
        arguments: Setting.allCases
    )
    func choicesStand(setting: Setting) throws {
        let all = AuthorizationOptions(rawValue: 511).subtracting(.provisional)
        let entitlements: Entitlements = [.criticalAlerts, .timeSensitive]
        let loud = NotificationSettings().granted(.alert, entitlements: entitlements)
        let quiet = try NotificationSettings.quiet(.alert, entitlements: entitlements)
        for (before, asked) in [(loud, all), (quiet, all.union(.provisional))] {
            for isOn in [false, true] {
                let change = SettingsChange.switching(setting, to: isOn)
                guard let chosen = try? before.updating(change, entitlements: entitlements) else {
                    continue
                }
                let after = try chosen.settled(asked, entitlements: entitlements)
                #expect(after[keyPath: setting.path] == (isOn ? .enabled : .disabled))
            }
        }
    }

    @Test("A-7: Turning it off leaves nothing on, whatever the person had switched on")
    func turnOffEndsAll() throws {
        var change = SettingsChange()
        change.lockScreen = true
        change.alert = true
        let loud = try NotificationSettings.quiet([.alert, .sound]).updating(change)
        let prompt = AuthorizationPrompt(kind: .quiet, options: [.alert, .sound])
        let off = try loud.answering(.turnOff, to: prompt)
        #expect(SettingsSnapshot(off) == SettingsSnapshot(.denied, off: .alerts.union([.sound])))
    }

    @Test("D-30: After TURN_OFF a new option is as after any denial", arguments: [true, false])
    func afterTurnOff(isQuiet: Bool) throws {
        let prompt = AuthorizationPrompt(kind: isQuiet ? .quiet : .initial, options: .alert)
        let before = isQuiet ? try NotificationSettings.quiet(.alert) : NotificationSettings()
        let off = try before.answering(isQuiet ? .turnOff : .deny, to: prompt)
        let alertsFirst = try off.updating(.switching(.alert, to: true)).updating(.allowing(true))
        for back in [alertsFirst, try off.updating(.allowing(true))] {
            let later = try back.settled(.sound)
            #expect(later.sound == .enabled)
            #expect(later.badge == .notSupported)
        }
    }
}
