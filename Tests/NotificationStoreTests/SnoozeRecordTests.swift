internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Records of snoozes")
struct SnoozeRecordTests {
    @Test("A snooze is written and read again, on either clock, and no part of it is one")
    func snoozed() throws {
        for due in [
            Due.elapsed(ElapsedInstant(nanoseconds: 2)), .wall(WallInstant(nanoseconds: 3)),
        ] {
            var record = SnoozedRecord(
                sequence: 1,
                due: due,
                date: WallInstant(nanoseconds: 4),
                event: 5
            )
            #expect(try SnoozedRecord(record.bytes) == record)
            record.waitsSince = Now(
                elapsed: ElapsedInstant(nanoseconds: 6),
                wall: WallInstant(nanoseconds: 7)
            )
            #expect(try SnoozedRecord(record.bytes) == record)
            for count in record.bytes.indices {
                #expect(throws: RowProblem.self) {
                    _ = try SnoozedRecord(Array(record.bytes.prefix(count)))
                }
            }
        }
    }
}
