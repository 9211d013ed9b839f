internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("A plain instant as a trigger (CAL-17)")
struct InstantTriggerTests {
    private let trigger = Trigger.at(.newYear)

    private func now(_ nanoseconds: Int64) -> Now {
        Now(
            elapsed: ElapsedInstant(nanoseconds: 0),
            wall: WallInstant.newYear.advanced(byNanoseconds: nanoseconds)
        )
    }

    @Test(
        "It comes once, where it is still to come",
        arguments: [(-1, true), (0, false), (1, false)]
    )
    func comes(row: (nanoseconds: Int64, comes: Bool)) {
        let base = ElapsedInstant(nanoseconds: 0)
        let due = trigger.nextFire(base: base, after: now(row.nanoseconds), in: .utc)
        #expect(due == (row.comes ? .wall(.newYear) : nil))
        #expect(trigger.nextFire(base: base, following: .wall(.newYear), in: .utc) == nil)
    }

    @Test("It waits for an instant, repeats never, and has no zone and no bounds")
    func facts() {
        #expect(trigger.isAwaited)
        #expect(!trigger.repeats)
        #expect(trigger.timeZone == nil)
        #expect(trigger.maxOccurrences == nil)
        #expect(trigger.region == nil)
        #expect(trigger.accepted(in: .utc) == trigger)
        let passed = trigger.passed(from: .wall(.newYear), to: now(5), in: .utc)
        #expect(passed.latest == .wall(.newYear))
        #expect(passed.earlierCount == 0)
    }
}
