internal import NotificationCore
internal import Testing

@Suite("Badges (§12)")
struct BadgeTests {
    /// A badge before, what a delivery carries, and the badge after.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let before: Int32
        let badge: Int32?
        let mode: BadgeMode
        let after: Int32

        init(_ rule: String, _ before: Int32, _ badge: Int32?, _ mode: BadgeMode, _ after: Int32) {
            self.rule = rule
            self.before = before
            self.badge = badge
            self.mode = mode
            self.after = after
        }

        var testDescription: String { rule }
    }

    private func center(badge: Int32) throws -> CenterState {
        var center = CenterState(name: try CenterName(app: "org.example", device: ""))
        center.settings = center.settings.granted([.alert, .badge])
        center.badge = badge
        return center
    }

    @Test(
        "A delivery applies its badge",
        arguments: [
            Row("B-1: none leaves it", 5, nil, .set, 5),
            Row("B-1: none leaves it, incrementing", 5, nil, .increment, 5),
            Row("B-1: 0 removes it", 5, 0, .set, 0),
            Row("B-1: a number shows it", 5, 3, .set, 3),
            Row("B-2: it is absolute", 5, 5, .set, 5),
            Row("B-6: increment adds", 5, 3, .increment, 8),
            Row("B-6: increment of 0", 5, 0, .increment, 5),
            Row("B-6: increment stops at the greatest", .max - 1, 3, .increment, .max),
        ]
    )
    func delivery(row: Row) throws {
        var content = NotificationContent()
        content.badge = row.badge
        content.badgeMode = row.mode
        let center = try center(badge: row.before)
        func badges(_ options: PresentationOptions) -> [Int32] {
            center.changes(
                settling: .delivered(Presentation(options)),
                of: Boxed(content.head),
                under: IdentifierState(),
                within: SettlementLimits(arriving: 1, delivered: 1)
            ).compactMap { change in
                if case .setBadge(let badge) = change { badge } else { nil }
            }
        }
        #expect(badges(.badge) == (row.before == row.after ? [] : [row.after]))
        #expect(badges([.list, .banner, .sound]) == [])
    }

    @Test(
        "B-3: The app sets a badge of 0 to 2^31 - 1",
        arguments: [0, 1, 7, Int64(Int32.max)]
    )
    func setBadgeCount(count: Int64) throws {
        var center = try center(badge: 7)
        let hasChanged = try center.setBadgeCount(count)
        #expect(hasChanged == (count != 7))
        #expect(Int64(center.badge) == count)
    }

    @Test(
        "B-3: Any other count is error 1600 and changes nothing",
        arguments: [-1, Int64(Int32.max) + 1, .min, .max]
    )
    func badCount(count: Int64) throws {
        var center = try center(badge: 7)
        let refusal = #expect(throws: Refusal.self) { _ = try center.setBadgeCount(count) }
        #expect(refusal?.unErrorCode == 1600)
        #expect(refusal?.fields.map(\.path) == [[.count]])
        #expect(center.badge == 7)
    }

    @Test(
        "B-3: Without permission for badges it is error 1 and changes nothing",
        arguments: [
            (NotificationSettings(), .notAsked),
            (NotificationSettings().denied([.badge]), .denied),
            (NotificationSettings().granted([.alert]), .setting(.badgeSetting, .notSupported)),
            (NotificationSettings().granted([.badge]).denied([.badge]), .denied),
        ] as [(NotificationSettings, MissingPermission)]
    )
    func notPermitted(settings: NotificationSettings, missing: MissingPermission) throws {
        var center = try center(badge: 7)
        center.settings = settings
        #expect(throws: Refusal.notAllowed(missing)) { _ = try center.setBadgeCount(1) }
        #expect(center.badge == 7)
    }

    @Test("B-3: A person who forbade notifications but not badges forbids badges too")
    func deniedOnTheWhole() throws {
        var center = try center(badge: 7)
        center.settings.authorizationStatus = .denied
        #expect(throws: Refusal.notAllowed(.denied)) { _ = try center.setBadgeCount(1) }
    }
}
