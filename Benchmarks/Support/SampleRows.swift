internal import NotificationCore
package import NotificationRecords

/// The rows that the usual request leaves: its own, and those of its delivery.
package struct SampleRows {
    package let request: RequestRecord
    package let event: EventRun
    /// Its place in the list of delivered notifications.
    package let delivered: DeliveredRecord

    package init() {
        var generator = SplitMix64()
        let date = WallInstant(nanoseconds: 1_767_225_600_000_000_000)
        request = RequestRecord(
            center: 7,
            request: .reminder(inSeconds: 3_600, using: &generator),
            base: ElapsedInstant(nanoseconds: 86_400_000_000_000),
            addedAt: date
        )
        let kind = EventRecord.Kind.delivered(
            EventRecord.Delivered(
                fired: .init(sequence: 123_456, lateByNanoseconds: 250_000, collapsedCount: 0),
                delivery: 123_000,
                presentation: Presentation([.banner, .list, .sound]),
                replaced: nil
            )
        )
        event = EventRun([
            EventRecord(
                date: date,
                byteCount: EventRecord.byteCount(of: kind, request.request.head),
                kind: kind
            )
        ])
        delivered = DeliveredRecord(
            sequence: 123_456,
            identifier: request.request.identifier,
            at: Now(elapsed: ElapsedInstant(nanoseconds: 1), wall: date),
            event: 654_321
        )
    }

    /// Encodes each row, and decodes it again.
    package func encodeAndDecode() throws {
        keep(try RequestRecord(request.bytes))
        keep(try EventRun(event.bytes))
        keep(try DeliveredRecord(delivered.bytes))
    }
}

/// Takes a result, so that the compiler does not leave out what made it.
@inline(never)
package func keep<Value>(_ value: Value) {}
