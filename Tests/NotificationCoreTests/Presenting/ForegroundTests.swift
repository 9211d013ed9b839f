internal import NotificationCore
internal import Testing

private typealias Cut = ArrivalCase<PresentationOptions>

@Suite("The app in front (§9)")
struct ForegroundTests {
    /// Where the app is, and the effects of a content that asks for all; absent asks the app.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let presence: AppPresence
        let expected: PresentationOptions?
        /// The content's own options for an app in front.
        let own: PresentationOptions?

        init(
            _ rule: String,
            _ presence: AppPresence,
            _ expected: PresentationOptions?,
            own: PresentationOptions? = nil
        ) {
            self.rule = rule
            self.presence = presence
            self.expected = expected
            self.own = own
        }

        var testDescription: String { rule }
    }

    @Test(
        "Who decides",
        arguments: [
            Row("FG-1 not running", .notRunning, .everything),
            Row("FG-1 suspended", .suspended, .everything),
            Row("FG-1 background", .background, .everything),
            Row("FG-3 no delegate", .foreground(.none), .everything),
            Row("FG-3 delegate without the method", .foreground(.withoutWillPresent), []),
            Row("FG-3 delegate with the method", .foreground(.asks), nil),
            Row("FG-8 standing answer", .foreground(.standing([.list])), [.list]),
            Row("FG-8 standing answer none", .foreground(.standing([])), []),
            Row("FG-5 standing alert", .foreground(.standing([.alert])), [.list, .banner]),
            Row("FG-9 before asking", .foreground(.asks), [.sound], own: [.sound]),
            Row("FG-9 none", .foreground(.asks), [], own: []),
            Row("FG-9 alert", .foreground(.asks), [.list, .banner], own: [.alert]),
            Row("FG-9 no delegate", .foreground(.none), [.badge], own: [.badge]),
            Row("FG-9 no method", .foreground(.withoutWillPresent), [.list], own: [.list]),
            Row("FG-9 standing", .foreground(.standing([.badge])), [.list], own: [.list]),
            Row("FG-9 not in front", .background, .everything, own: []),
        ]
    )
    func step(row: Row) {
        var arrival = Arrival.withAllEffects
        arrival.content.foregroundPresentation = row.own
        switch arrival.step(presence: row.presence) {
        case .ask: #expect(row.expected == nil)
        case .settled(let decision): #expect(decision.options == row.expected)
        }
    }

    @Test("FG-4: The app is asked also where nothing could be presented")
    func asksInVain() {
        var arrival = Arrival.withAllEffects
        arrival.settings = NotificationSettings()
        arrival.settings.authorizationStatus = .authorized
        arrival.device.focus = Focus()
        #expect(arrival.step(presence: .foreground(.asks)) == .ask)
    }

    /// A reply, and the effects that remain of all.
    static let replies: [(PresentationOptions, PresentationOptions)] = [
        ([], []), (.badge, .badge), (.sound, .sound), (.list, .list), (.banner, .banner),
        ([.list, .banner], [.list, .banner]), (.alert, [.list, .banner]),
        ([.alert, .sound], [.list, .banner, .sound]), (.everything, .everything),
        (PresentationOptions(rawValue: 1 << 9), []),
    ]

    @Test("FG-3, FG-5: Only the effects of the reply", arguments: replies)
    func reply(options: PresentationOptions, expected: PresentationOptions) {
        let decision = Arrival.withAllEffects.decision(afterAnswer: options)
        #expect(decision.options == expected)
        #expect(!decision.hasTimedOut)
        #expect((decision.sound != nil) == expected.contains(.sound))
        #expect((decision.visualAlert != nil) == expected.contains(.banner))
        #expect(decision.wakesScreen == !expected.isDisjoint(with: [.sound, .banner]))
    }

    @Test(
        "FG-3: The reply is still cut by what the person allows",
        arguments: [
            Cut("FG-3 nothing cut", .everything) { _ in },
            Cut("FG-3 alerts off", [.badge, .sound, .list]) {
                $0.settings.alert = .disabled
            },
            Cut("FG-3 list off", [.badge, .sound, .banner]) {
                $0.settings.notificationCenter = .disabled
            },
            Cut("FG-3 sounds off", [.badge, .list, .banner]) {
                $0.settings.sound = .disabled
            },
            Cut("FG-3 badges off", [.sound, .list, .banner]) {
                $0.settings.badge = .disabled
            },
            Cut("FG-3 passive", [.badge, .list]) {
                $0.content.interruptionLevel = .passive
            },
            Cut("FG-3 Focus", [.badge, .list]) { $0.device.focus = Focus() },
            Cut("FG-3 muted", [.badge, .list, .banner]) { $0.device.isMuted = true },
            Cut("FG-3 provisional", [.badge, .list]) {
                $0.settings.authorizationStatus = .provisional
            },
        ]
    )
    func cut(row: ArrivalCase<PresentationOptions>) {
        #expect(row.arrival.decision(afterAnswer: .everything).options == row.expected)
    }

    @Test("FG-6: Without the list no entry remains; P-1: a banner alone is shown and not kept")
    func notPresented() {
        let decision = Arrival.withAllEffects.decision(afterAnswer: .banner)
        #expect(!decision.options.contains(.list))
        #expect(decision.visualAlert == .banner)
    }

    /// A profile, the effects after a missed deadline, and where the app then counts to be.
    static let missed: [(Profile, PresentationOptions, AppPresence)] = [
        (.server, .list, .background), (.ios, [], .foreground(.asks)),
    ]

    @Test("D-14: A missed deadline", arguments: missed)
    func missedDeadline(profile: Profile, options: PresentationOptions, after: AppPresence) {
        let decision = Arrival.withAllEffects.decisionAfterMissedDeadline(profile)
        #expect(decision.options == options)
        #expect(decision.visualAlert == nil && decision.sound == nil)
        #expect(!decision.wakesScreen && !decision.vibrates)
        #expect(decision.hasTimedOut)
        #expect(AppPresence.foreground(.asks).afterMissedDeadline(profile) == after)
        #expect(AppPresence.suspended.afterMissedDeadline(profile) == .suspended)
        #expect(AppPresence.notRunning.afterMissedDeadline(profile) == .notRunning)
    }

    @Test("D-14: A missed deadline lists only what the person allows to be listed")
    func missedDeadlineWithoutList() {
        var arrival = Arrival.withAllEffects
        arrival.settings.notificationCenter = .disabled
        #expect(arrival.decisionAfterMissedDeadline(.server).options == [])
    }
}
