internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords

@Suite("Records from before trace contexts (W-24)")
struct UntracedRecordTests {
    @Test("A request of version 6 is read as it was written then")
    func request() throws {
        // It waits for a minute, and has its checksum.
        let then: [UInt8] = [
            0x86, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18,
            0x86, 0x72, 0x51, 0xed, 0xfa, 0x00, 0x00, 0x00, 0x04, 0x6f, 0x6e, 0x63, 0x65, 0x01,
            0x01, 0x00, 0x00, 0x00, 0x0d, 0xf8, 0x47, 0x58, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07,
            0x41, 0x20, 0x74, 0x69, 0x74, 0x6c, 0x65, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x8e, 0x14, 0xb7, 0xbb, 0x66, 0x7a, 0x5b,
            0xf3,
        ]
        let trigger = try TimeIntervalTrigger(
            intervalNanoseconds: 60 * .nanosecondsPerSecond,
            repeats: false
        )
        var content = NotificationContent()
        content.title = "A title"
        let record = RequestRecord(
            center: 1,
            request: NotificationRequest(
                identifier: "once",
                content: content,
                trigger: .timeInterval(trigger)
            ),
            base: ElapsedInstant(nanoseconds: 0),
            addedAt: .newYear
        )
        #expect(try RequestRecord(then) == record)
        // That there are no trace context, buttons, progress and quiet update takes a byte each.
        #expect(record.bytes.count == then.count + 4)
    }

    @Test("A background push of version 1 is read as it was written then")
    func backgroundPush() throws {
        var writer = ByteWriter(version: 1, capacity: 64)
        writer.put("a")
        writer.put("c")
        writer.put(Int64(7))
        writer.put("{}")
        let record = BackgroundPushRecord(
            apnsID: "a",
            collapseIdentifier: "c",
            end: .wall(WallInstant(nanoseconds: 7)),
            payload: "{}"
        )
        #expect(try BackgroundPushRecord(writer.sealed()) == record)
    }
}
