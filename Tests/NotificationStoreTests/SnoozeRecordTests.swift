internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Records from before snoozes")
struct SnoozeRecordTests {
    @Test("An event of version 4 and a question of version 1 are no returns from a snooze")
    func fired() throws {
        var writer = ByteWriter(version: 4, capacity: 64)
        writer.put(Int64(2))
        writer.putVarint(300)
        writer.put(UInt8(3))
        writer.put(4 as RequestNumber)
        writer.put(Int64(5))
        writer.put(Int64(6))
        let fired = EventRecord.Fired(sequence: 4, lateByNanoseconds: 5, collapsedCount: 6)
        let event = EventRecord(
            date: WallInstant(nanoseconds: 2),
            byteCount: 300,
            kind: .missed(fired)
        )
        #expect(try EventRecord(writer.sealed()) == event)
        var question = ByteWriter(version: 1, capacity: 64)
        question.put(Int64(7))
        question.put(Int64(8))
        question.put(UInt8(1))
        question.put(4 as RequestNumber)
        question.put(Int64(5))
        question.put(Int64(6))
        let callback = CallbackRecord(
            openedAt: WallInstant(nanoseconds: 7),
            deadline: ElapsedInstant(nanoseconds: 8),
            question: .willPresent(fired)
        )
        #expect(try CallbackRecord(question.sealed()) == callback)
    }

    @Test("An identifier of version 3 is not snoozed")
    func identifier() throws {
        var writer = ByteWriter(version: 3, capacity: 64)
        writer.put(UInt8(0))
        writer.put(UInt8(0))
        writer.put(UInt8(1))
        writer.put(9 as DeliveryNumber)
        #expect(try IdentifierRecord(writer.sealed()) == IdentifierRecord(delivered: 9))
    }

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
