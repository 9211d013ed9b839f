internal import NotificationCore
internal import Testing

private let listed = Presentation([.list, .banner])
private let banner = Presentation(.banner)

@Suite("By which changes an occurrence is settled (§8, §9)")
struct SettlementTests {
    /// The state in which an occurrence is settled, and the changes that follow.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let outcome: Outcome
        var identifier = IdentifierState()
        /// Occurrences that wait for the app's answer, of at most two.
        var arriving = 0
        /// Notifications in the list, of at most two.
        var delivered = 0
        var badge: Int32?
        var updatesQuietly = false
        var profile = Profile.server
        let changes: [SettlementChange]

        init(
            _ rule: String,
            _ outcome: Outcome,
            _ changes: [SettlementChange],
            _ set: (inout Row) -> Void = { _ in }
        ) {
            self.rule = rule
            self.outcome = outcome
            self.changes = changes
            set(&self)
        }

        var testDescription: String { rule }
    }

    private static let loud = Presentation([.list, .banner, .sound, .badge], vibrates: true)
    private static let muffled = Presentation([.list, .badge])
    private static let anyDelivery: [SettlementChange] = [.deliver(listed)]

    @Test(
        "What is known decides the changes and their order",
        arguments: [
            Row("§7.6: too late is recorded as missed", .missed, [.miss]) {
                $0.identifier = IdentifierState(isDelivered: true)
                $0.arriving = 1
            },
            Row(
                "D-4: without permission it is withheld, and all else stays",
                .suppressed(.notAuthorized),
                [.suppress(.notAuthorized)]
            ) {
                $0.identifier = IdentifierState(isDelivered: true)
                $0.arriving = 1
            },
            Row(
                "§8 step 9: the app shows it itself",
                .suppressed(.notPresented),
                [.suppress(.notPresented)]
            ),
            Row(
                "§8 step 9: the app has brought up to date what was there",
                .suppressed(.notPresented),
                [.replaceDelivered, .suppress(.notPresented)]
            ) { $0.identifier = IdentifierState(isDelivered: true) },
            Row(
                "ADD-12: what has the same replacement key goes as well",
                .delivered(listed),
                [.replaceDelivered, .removeOfKey, .deliver(listed)]
            ) {
                $0.identifier = IdentifierState(isDelivered: true, isKeyDelivered: true)
                $0.delivered = 2
            },
            Row("ADD-12: the delivery of its key stays until the app answers", .asks, [.ask]) {
                $0.identifier = IdentifierState(isKeyDelivered: true)
                $0.arriving = 1
            },
            Row("§9: the app is asked", .asks, [.ask]),
            Row("§9: what is in the list stays until it answers", .asks, [.ask]) {
                $0.identifier.isDelivered = true
            },
            Row("ADD-4: a delivery joins the list", .delivered(listed), anyDelivery),
            Row(
                "a delivery takes the place of its identifier's",
                .delivered(listed),
                [.replaceDelivered, .deliver(listed)]
            ) {
                $0.identifier.isDelivered = true
                $0.delivered = 2
            },
            Row("ADD-13: a quiet update", .delivered(loud), [.replaceDelivered, .deliver(muffled)])
            {
                $0.identifier.isDelivered = true
                $0.updatesQuietly = true
            },
            Row(
                "ADD-13: a quiet update of what is snoozed",
                .delivered(loud),
                [.replaceDelivered, .deliver(muffled)]
            ) {
                $0.identifier.isSnoozed = true
                $0.updatesQuietly = true
            },
            Row(
                "ADD-13: a quiet update by the replacement key",
                .delivered(loud),
                [.removeOfKey, .deliver(muffled)]
            ) {
                $0.identifier.isKeyDelivered = true
                $0.updatesQuietly = true
            },
            Row("ADD-13: what updates nothing alerts", .delivered(loud), [.deliver(loud)]) {
                $0.updatesQuietly = true
            },
            Row(
                "ADD-4: an update that does not say so alerts again",
                .delivered(loud),
                [.replaceDelivered, .deliver(loud)]
            ) { $0.identifier.isDelivered = true },
            Row("D-19: the list is full", .delivered(listed), anyDelivery + [.removeOldest]) {
                $0.delivered = 2
            },
            Row("D-19: a banner takes no place", .delivered(banner), [.deliver(banner)]) {
                $0.delivered = 2
            },
            Row(
                "B-1: a badge that is another",
                .delivered(Presentation([.list, .badge])),
                [.deliver(Presentation([.list, .badge])), .setBadge(4)]
            ) { $0.badge = 4 },
            Row(
                "B-1: a badge that is the same",
                .delivered(Presentation([.list, .badge])),
                [.deliver(Presentation([.list, .badge]))]
            ) { $0.badge = 3 },
            Row("B-1: a badge that is withheld", .delivered(listed), anyDelivery) { $0.badge = 4 },
            Row(
                "B-5: a badge of 0 clears the list, as Apple's does",
                .delivered(Presentation([.list, .badge])),
                [.deliver(Presentation([.list, .badge])), .clearDelivered, .setBadge(0)]
            ) {
                $0.badge = 0
                $0.delivered = 2
                $0.profile = .ios
            },
            Row(
                "B-5: the server's own way leaves the list",
                .delivered(Presentation([.list, .badge])),
                [.deliver(Presentation([.list, .badge])), .setBadge(0), .removeOldest]
            ) {
                $0.badge = 0
                $0.delivered = 2
            },
        ]
    )
    func changes(row: Row) throws {
        var center = CenterState(name: try CenterName(app: "org.example", device: ""))
        center.settings = center.settings.granted([.alert, .badge])
        center.badge = 3
        center.arrivingCount = row.arriving
        center.deliveredCount = row.delivered
        var content = NotificationContent()
        content.title = "Title"
        content.badge = row.badge
        content.updatesQuietly = row.updatesQuietly
        let changes = center.changes(
            settling: row.outcome,
            of: Boxed(content.head),
            under: row.identifier,
            within: SettlementLimits(arriving: 2, delivered: 2),
            profile: row.profile
        )
        #expect(changes == row.changes)
    }

    @Test(
        "FG-3, ADD-12: What was arriving gives way to what is shown or asked about",
        arguments: [
            (Outcome.delivered(listed), true), (.asks, true), (.suppressed(.notPresented), true),
            (.suppressed(.notAuthorized), false), (.suppressed(.filtered), false), (.missed, false),
        ]
    )
    func withdrawal(outcome: Outcome, withdrawsOlder: Bool) {
        #expect(outcome.withdrawsOlder == withdrawsOlder)
    }

    @Test("FD-5: An app that leaves too many unanswered is not asked again")
    func silent() throws {
        var center = CenterState(name: try CenterName(app: "org.example", device: ""))
        center.settings = center.settings.granted([.alert])
        center.arrivingCount = 2
        var content = NotificationContent()
        content.title = "Title"
        let limits = SettlementLimits(arriving: 2, delivered: 2)
        let changes = center.changes(
            settling: .asks,
            of: Boxed(content.head),
            under: IdentifierState(isDelivered: true),
            within: limits
        )
        let outcome = center.outcomeAfterDeadline(of: Boxed(content.head))
        guard case .delivered(let presentation) = outcome else {
            Issue.record("a silent app's notification is delivered")
            return
        }
        #expect(presentation.hasTimedOut)
        #expect(changes == [.replaceDelivered, .deliver(presentation)])
    }
}
