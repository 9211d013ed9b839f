internal import Foundation
internal import NotificationCore
internal import Testing

@testable internal import belfry

struct RuleShiftTests {
    /// The local time of a text, in seconds since 1970: "20261224T180000".
    private static func local(_ text: String) throws -> Int {
        guard case .local(let second) = try #require(RecurrenceMoment(text)) else { return 0 }
        return second
    }

    @Test(
        "A rule is moved where one has the moved times",
        arguments: [
            ("FREQ=DAILY", "20261224T180000", -900, "FREQ=DAILY"),
            ("FREQ=DAILY", "20261224T000000", -900, "FREQ=DAILY"),
            ("FREQ=MONTHLY;BYDAY=1MO", "20261207T180000", -900, "FREQ=MONTHLY;BYDAY=1MO"),
            ("FREQ=MONTHLY;BYDAY=1MO", "20261207T000000", -900, nil),
            (
                "FREQ=DAILY;BYHOUR=9,18", "20261224T090000", -900,
                "FREQ=DAILY;BYHOUR=8,17;BYMINUTE=45;BYSECOND=0"
            ),
            ("FREQ=DAILY;BYHOUR=0,18", "20261224T180000", -900, nil),
            ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0,30", "20261224T090000", -900, nil),
            (
                "FREQ=DAILY;BYHOUR=9;BYMINUTE=15,30", "20261224T091500", -900,
                "FREQ=DAILY;BYHOUR=9;BYMINUTE=0,15;BYSECOND=0"
            ),
            ("FREQ=DAILY;BYDAY=MO", "20261207T090000", -86_400, "FREQ=DAILY;BYDAY=SU"),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA;WKST=SU", "20261207T090000", -86_400,
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,FR;WKST=SA"
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "20261207T090000", 86_400,
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=TU"
            ),
            ("FREQ=WEEKLY;BYMONTH=1;BYDAY=MO", "20270104T090000", -86_400, nil),
            ("FREQ=MONTHLY", "20261215T090000", -86_400, "FREQ=MONTHLY"),
            ("FREQ=MONTHLY", "20261201T090000", -86_400, nil),
            ("FREQ=MONTHLY", "20261231T090000", -86_400, nil),
            (
                "FREQ=MONTHLY;BYMONTHDAY=15,2", "20261215T090000", -86_400,
                "FREQ=MONTHLY;BYMONTHDAY=14,1"
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-1", "20261231T090000", -86_400,
                "FREQ=MONTHLY;BYMONTHDAY=-2"
            ),
            ("FREQ=MONTHLY;BYMONTHDAY=1", "20261201T090000", -86_400, nil),
            ("FREQ=YEARLY", "20261224T090000", -604_800, "FREQ=YEARLY"),
            ("FREQ=YEARLY", "20270101T090000", -86_400, "FREQ=YEARLY"),
            ("FREQ=YEARLY", "20270301T090000", -86_400, nil),
            ("FREQ=YEARLY", "20280229T090000", -86_400, nil),
            ("FREQ=HOURLY;INTERVAL=5", "20261224T180000", -900, "FREQ=HOURLY;INTERVAL=5"),
            ("FREQ=HOURLY;BYDAY=MO", "20261207T000000", -900, nil),
            (
                "FREQ=DAILY;UNTIL=20261231", "20261224T180000", -900,
                "FREQ=DAILY;UNTIL=20261231T234459"
            ),
            (
                "FREQ=DAILY;UNTIL=20261231T180000Z", "20261224T180000", -900,
                "FREQ=DAILY;UNTIL=20261231T174500Z"
            ),
            ("RRULE:FREQ=DAILY;COUNT=5", "20261224T180000", -900, "FREQ=DAILY;COUNT=5"),
        ] as [(String, String, Int, String?)]
    )
    func moved(rule: String, start: String, distance: Int, expected: String?) throws {
        let start = try Self.local(start)
        #expect(RuleShift(rule, from: start, by: distance).rule == expected)
        // Hold each rule against the core, which is asked for the times one by one.
        guard let expected else { return }
        func times(_ rule: String, _ start: Int) throws -> [Int64] {
            let trigger = try RecurrenceTrigger(
                text: .rule(rule),
                start: start,
                timeZone: "UTC",
                repeats: true
            )
            var times: [Int64] = []
            var last = WallInstant(second: start - 1)
            while times.count < 200, let next = trigger.nextFire(after: last, in: .utc) {
                times.append(next.nanoseconds / 1_000_000_000)
                last = next
            }
            return times
        }
        #expect(
            try times(expected, start + distance)
                == (try times(rule, start).map { $0 + Int64(distance) })
        )
    }
}
