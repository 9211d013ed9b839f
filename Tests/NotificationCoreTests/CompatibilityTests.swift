internal import NotificationCore
internal import Testing

@Suite("Old side effects (B-5, D-17)")
struct CompatibilityTests {
    /// A delivered badge, its effects, and whether the list is cleared where the flag is set.
    static let rows: [(String, Int32?, BadgeMode, PresentationOptions, Bool)] = [
        ("B-5: 0", 0, .set, .badge, true), ("B-5: 1", 1, .set, .badge, false),
        ("B-5: none", nil, .set, .badge, false), ("B-5: withheld", 0, .set, .list, false),
        ("B-5: increment of 0", 0, .increment, .badge, false),
    ]

    @Test(
        "A delivery that sets the badge to 0 clears the list only where that is asked for",
        arguments: rows
    )
    func delivery(
        rule: String,
        badge: Int32?,
        mode: BadgeMode,
        options: PresentationOptions,
        clears: Bool
    ) {
        var content = NotificationContent()
        content.badge = badge
        content.badgeMode = mode
        let flag = Compatibility.badgeZeroClearsDelivered
        #expect(flag.clearsDelivered(byDelivering: content.head, with: options) == clears)
        #expect(!Compatibility().clearsDelivered(byDelivering: content.head, with: options))
    }

    @Test(
        "B-5: So does an app that sets its badge to 0",
        arguments: [(0, true), (1, false), (Int64(Int32.max), false)]
    )
    func setBadgeCount(count: Int64, clears: Bool) {
        let flag = Compatibility.badgeZeroClearsDelivered
        #expect(flag.clearsDelivered(bySettingBadgeTo: count) == clears)
        #expect(!Compatibility().clearsDelivered(bySettingBadgeTo: count))
    }
}
