internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import NotificationService

@Suite("Times between the wire and the core")
struct ScalarTests {
    @Test(
        "An instant goes out with nanoseconds that count forward, and comes back",
        arguments: [
            (0, 0, 0), (1, 0, 1), (-1, -1, 999_999_999), (-1_000_000_000, -1, 0),
            (.max, 9_223_372_036, 854_775_807), (-9_214_560_000_999_999_999, -9_214_560_001, 1),
        ] as [(Int64, Int64, Int32)]
    )
    func instant(nanoseconds: Int64, seconds: Int64, nanos: Int32) throws {
        let wire = Google_Protobuf_Timestamp(WallInstant(nanoseconds: nanoseconds))
        #expect(wire.seconds == seconds)
        #expect(wire.nanos == nanos)
        #expect(try WallInstant(wire, "to").nanoseconds == nanoseconds)
    }

    @Test(
        "An instant that no clock shows is refused",
        arguments: [
            (0, -1), (0, 1_000_000_000), (.max, 0), (.min, 0), (9_223_372_036, 854_775_808),
            (-9_223_372_037, 0), (253_402_300_799, 0),
        ] as [(Int64, Int32)]
    )
    func badInstant(seconds: Int64, nanos: Int32) {
        let wire = Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos)
        let refusal = #expect(throws: Refusal.self) { try WallInstant(wire, "to") }
        #expect(refusal?.fields.map(\.path) == [.written("to")])
    }

    @Test(
        "A duration goes out with one sign, and comes back",
        arguments: [
            (0, 0, 0), (1, 0, 1), (-1, 0, -1), (-1_000_000_001, -1, -1),
            (.max, 9_223_372_036, 854_775_807), (.min, -9_223_372_036, -854_775_808),
        ] as [(Int64, Int64, Int32)]
    )
    func duration(nanoseconds: Int64, seconds: Int64, nanos: Int32) throws {
        let wire = Google_Protobuf_Duration(nanoseconds: nanoseconds)
        #expect(wire.seconds == seconds)
        #expect(wire.nanos == nanos)
        #expect(try Int64(wire, "by") == nanoseconds)
    }

    @Test("A duration that no integer holds becomes the longest, for its limit to refuse")
    func longDuration() throws {
        let long = Google_Protobuf_Duration(seconds: .max, nanos: 999_999_999)
        #expect(try Int64(long, "by") == .max)
        let back = Google_Protobuf_Duration(seconds: .min, nanos: -999_999_999)
        #expect(try Int64(back, "by") == .min)
    }

    @Test(
        "A duration of two signs or with a second of nanoseconds is refused",
        arguments: [(1, -1), (-1, 1), (0, 1_000_000_000), (0, .min)] as [(Int64, Int32)]
    )
    func badDuration(seconds: Int64, nanos: Int32) {
        let wire = Google_Protobuf_Duration(seconds: seconds, nanos: nanos)
        let refusal = #expect(throws: Refusal.self) { try Int64(wire, "by") }
        #expect(refusal?.fields.map(\.path) == [.written("by")])
    }
}
