internal import TestSupport
internal import Testing

@testable internal import NotificationCore

@Suite("Snoozing (SNZ-1, SNZ-2, SNZ-4)")
struct SnoozeTests {
    private let now = Now(elapsed: ElapsedInstant(nanoseconds: 1_000), wall: .newYear)

    private static let year: Int64 = 366 * 86_400 * 1_000_000_000
    private static let ends: [(SnoozeEnd, Bool)] = [
        (.after(nanoseconds: 1), true),
        (.after(nanoseconds: 0), false),
        (.after(nanoseconds: -1), false),
        (.after(nanoseconds: .min), false),
        (.after(nanoseconds: year), true),
        (.after(nanoseconds: year + 1), false),
        (.after(nanoseconds: .max), false),
        (.at(WallInstant.newYear), false),
        (.at(WallInstant.newYear.advanced(byNanoseconds: 1)), true),
        (.at(WallInstant.newYear.advanced(byNanoseconds: year)), true),
        (.at(WallInstant.newYear.advanced(byNanoseconds: year + 1)), false),
        (.at(WallInstant(nanoseconds: .max)), false),
        (.at(WallInstant(nanoseconds: .min)), false),
    ]

    @Test("A snooze ends later than now, and within 366 days", arguments: ends)
    func bounds(end: SnoozeEnd, isAccepted: Bool) throws {
        guard isAccepted else {
            let refusal = #expect(throws: Refusal.self) { try end.due(at: now) }
            #expect(refusal?.reason == .snoozeInvalid)
            var path: FieldPath = [.until]
            if case .after = end { path = [.duration] }
            #expect(refusal?.fields.map(\.path) == [path])
            return
        }
        switch (end, try end.due(at: now)) {
        case (.after(let nanoseconds), .elapsed(let due)):
            #expect(due.nanoseconds == 1_000 + nanoseconds)
        case (.at(let instant), .wall(let due)): #expect(due == instant)
        default: Issue.record("a duration counts elapsed time, an instant the wall clock")
        }
    }

    @Test("While the wall clock is not set, an instant may lie any time ahead")
    func unsetClock() throws {
        let unset = Now(elapsed: now.elapsed, wall: WallInstant(nanoseconds: 0))
        #expect(try SnoozeEnd.at(.newYear).due(at: unset) == .wall(.newYear))
    }

    private func category(_ offer: SnoozeOffer?) -> NotificationCategory {
        NotificationCategory(
            identifier: "c",
            actions: (0..<12).map { NotificationAction(identifier: "\($0)", title: "\($0)") },
            snooze: offer
        )
    }

    @Test("The button comes after the actions, and is not counted with them")
    func button() {
        let offer = SnoozeOffer(nanoseconds: 600)
        let roomy = category(offer).displayedActions(hasRoom: true)
        #expect(roomy.count == 11)
        #expect(roomy.last?.identifier == NotificationAction.snoozeIdentifier)
        #expect(roomy.last?.title == "Snooze")
        #expect(category(offer).displayedActions(hasRoom: false).map(\.title).last == "Snooze")
        #expect(category(offer).displayedActions(hasRoom: false).count == 3)
        #expect(category(nil).displayedActions(hasRoom: true).count == 10)
        let named = SnoozeOffer(nanoseconds: 600, title: "In 10 minutes")
        #expect(category(named).displayedActions(hasRoom: true).last?.title == "In 10 minutes")
    }

    @Test("The button snoozes without the app and without an unlock; it takes no text")
    func act() throws {
        let press = PersonAct.action(identifier: NotificationAction.snoozeIdentifier, text: nil)
        let decision = try press.decision(
            for: category(SnoozeOffer(nanoseconds: 600)),
            isLocked: true
        )
        #expect(
            decision
                == ActDecision(
                    response: nil,
                    needsUnlock: false,
                    launch: .none,
                    leavesList: true,
                    snooze: .after(nanoseconds: 600)
                )
        )
        #expect(throws: Refusal.unknownAction) {
            try press.decision(for: category(nil), isLocked: false)
        }
        let typed = PersonAct.action(identifier: NotificationAction.snoozeIdentifier, text: "t")
        let refusal = #expect(throws: Refusal.self) {
            try typed.decision(for: category(SnoozeOffer(nanoseconds: 600)), isLocked: false)
        }
        #expect(refusal?.reason == .textNotExpected)
    }

    @Test("No action of an app has the button's identifier, and an offer has a length")
    func reserved() {
        let identifier = NotificationAction.snoozeIdentifier
        let taken = NotificationCategory(
            identifier: "c",
            actions: [NotificationAction(identifier: identifier, title: "x")]
        )
        #expect(throws: Refusal.self) { try taken.validate() }
        let path: FieldPath = [.snooze, .duration]
        for nanoseconds in [0, -1, Limits.snoozeNanoseconds + 1] {
            let refusal = #expect(throws: Refusal.self) {
                try category(SnoozeOffer(nanoseconds: nanoseconds)).validate()
            }
            #expect(refusal?.fields.map(\.path) == [path])
        }
        #expect(throws: Never.self) {
            try category(SnoozeOffer(nanoseconds: Limits.snoozeNanoseconds)).validate()
        }
    }

    @Test("ADD-13: What comes back alerts, also where its updates are quiet")
    func quiet() {
        var content = NotificationContent()
        content.updatesQuietly = true
        #expect(!content.head.afterSnooze.updatesQuietly)
    }

    @Test("What comes back applies no badge")
    func badge() {
        var content = NotificationContent()
        content.badge = 3
        content.badgeMode = .increment
        #expect(content.head.afterSnooze.badge == nil)
    }

    @Test("A newer occurrence replaces what is snoozed, as what is in the list")
    func replacement() {
        var content = NotificationContent()
        content.title = "t"
        let center = CenterState(name: .local("org.example.app"))
        let changes = center.changes(
            settling: .delivered(Presentation([.list])),
            of: Boxed(content.head),
            under: IdentifierState(isSnoozed: true),
            within: SettlementLimits(arriving: 1, delivered: 1)
        )
        #expect(changes == [.replaceDelivered, .deliver(Presentation([.list]))])
        for outcome in [Outcome.missed, .suppressed(.notAuthorized)] {
            let changes = center.changes(
                settling: outcome,
                of: Boxed(content.head),
                under: IdentifierState(isSnoozed: true),
                within: SettlementLimits(arriving: 1, delivered: 1)
            )
            #expect(!changes.contains(.replaceDelivered))
        }
    }
}
