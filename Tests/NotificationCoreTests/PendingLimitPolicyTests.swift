internal import NotificationCore
internal import Testing

@Suite("Which pending requests stay (§6.4, D-2)")
struct PendingLimitPolicyTests {
    /// One-a-minute requests, in the order of adding: "0" fires first.
    private func minutely(_ count: Int) -> [PendingCandidate] {
        (0..<count).map { index in
            PendingCandidate(
                identifier: "\(index)",
                sequence: RequestNumber(rawValue: UInt64(index)),
                due: .elapsed(ElapsedInstant(nanoseconds: Int64(index + 1) * 60_000_000_000))
            )
        }
    }

    private let now = Now(elapsed: .init(nanoseconds: 0), wall: .init(nanoseconds: 0))

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var policy: PendingLimitPolicy
        var count: Int
        var evicted: [Int]
    }

    static let cases = [
        Case(testDescription: "64 all stay", policy: .keepSoonest, count: 64, evicted: []),
        Case(testDescription: "LIM-1 65", policy: .keepSoonest, count: 65, evicted: [64]),
        Case(
            testDescription: "LIM-1 70",
            policy: .keepSoonest,
            count: 70,
            evicted: [69, 68, 67, 66, 65, 64]
        ),
        Case(testDescription: "LIM-2 65", policy: .keepLatestAdded, count: 65, evicted: [0]),
        Case(
            testDescription: "LIM-2 70",
            policy: .keepLatestAdded,
            count: 70,
            evicted: [0, 1, 2, 3, 4, 5]
        ),
        Case(testDescription: "D-2 refuses", policy: .rejectNew, count: 70, evicted: []),
    ]

    @Test("Of 64 that may stay", arguments: cases)
    func limit(example: Case) {
        let candidates = minutely(example.count).shuffled()
        let evicted = example.policy.evicted(from: candidates, limit: 64, now: now)
        #expect(evicted.map(\.identifier) == example.evicted.map { "\($0)" })
    }

    @Test("Of those that fire at one instant, on either clock, the later added stay")
    func ties() {
        let instant: Int64 = 90_000_000_000
        let candidates = [
            PendingCandidate(
                identifier: "wall",
                sequence: 1,
                due: .wall(WallInstant(nanoseconds: instant))
            ),
            PendingCandidate(
                identifier: "elapsed",
                sequence: 2,
                due: .elapsed(ElapsedInstant(nanoseconds: instant))
            ),
            PendingCandidate(
                identifier: "soon",
                sequence: 0,
                due: .wall(WallInstant(nanoseconds: instant - 1))
            ),
        ]
        let evicted = PendingLimitPolicy.keepSoonest.evicted(from: candidates, limit: 1, now: now)
        #expect(evicted.map(\.identifier) == ["wall", "elapsed"])
    }

    @Test("D-22: The profile ios has 64, and keeps the soonest", arguments: Profile.allCases)
    func profile(profile: Profile) {
        let isIOS = profile == .ios
        #expect(profile.pendingLimitPolicy == (isIOS ? .keepSoonest : .rejectNew))
        #expect((profile.pendingPerCenter == 64) == isIOS)
    }
}
