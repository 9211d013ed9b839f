internal import BelfryGRPC
internal import StandardServices
internal import SwiftProtobuf
internal import Testing

@Suite("Details of a status")
struct DetailsTests {
    private static let details: [ErrorDetail] = [
        .errorInfo(reason: "OVERLOADED", domain: "belfry", metadata: ["b": "2", "a": "1"]),
        .badRequest([FieldViolation(field: "content.title", description: "is too long")]),
        .retryInfo(delayNanoseconds: 1_500_000_000),
    ]

    @Test("A status with details arrives as it was sent")
    func arrive() async throws {
        let sent = Status(
            code: .resourceExhausted,
            message: "voll: 100 % \u{1F514}",
            details: Self.details
        )
        var router = Router()
        router.unary("/test.Fail/Now") { _, call in call.finish(sent) }
        let test = try TestServer(router)
        defer { test.stop() }
        let error = await #expect(throws: sent) {
            try await test.channel.unary("/test.Fail/Now", [])
        }
        #expect(error?.details == Self.details)
    }

    @Test("The bytes repeat code and message, and are the same for the same details")
    func bytes() throws {
        let metadata = Dictionary(uniqueKeysWithValues: (0..<20).map { ("key\($0)", "\($0)") })
        let statuses = (0..<10).map { _ in
            Status(
                code: .notFound,
                message: "gone",
                details: [.errorInfo(reason: "GONE", domain: "belfry", metadata: metadata)]
            )
        }
        #expect(Set(statuses.map(\.detailBytes)).count == 1)
        let wire = try Google_Rpc_Status(serializedBytes: statuses[0].detailBytes)
        #expect(wire.code == 5)
        #expect(wire.message == "gone")
        #expect(wire.details.map(\.typeURL) == ["type.googleapis.com/google.rpc.ErrorInfo"])
        #expect(Status(code: .notFound, message: "gone", details: []).detailBytes == [])
    }

    /// A status whose one detail has these bytes.
    private static func status(_ type: String, _ value: [UInt8]) throws -> Status {
        let any = try Google_Protobuf_Any(
            serializedBytes: [10, UInt8(type.utf8.count)] + Array(type.utf8)
                + [18, UInt8(value.count)] + value
        )
        let wire = Google_Rpc_Status.with { $0.details = [any] }
        return Status(code: .unknown, message: "", detailBytes: try wire.serializedBytes())
    }

    @Test("What a client cannot read gives no details")
    func unread() throws {
        #expect(Status(code: .unknown, message: "", detailBytes: [26, 200]).details == [])
        let prefix = "type.googleapis.com/google.rpc."
        #expect(try Self.status(prefix + "Help", []).details == [])
        #expect(try Self.status("ErrorInfo", []).details == [])
        #expect(try Self.status(prefix + "ErrorInfo", [10, 200]).details == [])
        let empty = ErrorDetail.errorInfo(reason: "", domain: "", metadata: [:])
        #expect(try Self.status(prefix + "ErrorInfo", []).details == [empty])
    }

    @Test(
        "A time to retry that no Int64 holds is the nearest that one does",
        arguments: [
            (.max, 0, .max), (.min, 0, .min), (9_223_372_036, 999_999_999, .max),
            (-9_223_372_036, -999_999_999, .min), (-1, -5, -1_000_000_005), (1, 5, 1_000_000_005),
        ] as [(Int64, Int32, Int64)]
    )
    func retry(seconds: Int64, nanos: Int32, delay: Int64) throws {
        let info = Google_Rpc_RetryInfo.with {
            $0.retryDelay.seconds = seconds
            $0.retryDelay.nanos = nanos
        }
        let status = try Self.status(
            "type.googleapis.com/google.rpc.RetryInfo",
            try info.serializedBytes()
        )
        #expect(status.details == [.retryInfo(delayNanoseconds: delay)])
    }
}
