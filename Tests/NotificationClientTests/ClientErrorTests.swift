internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol
internal import StandardServices
internal import Testing

struct ClientErrorTests {
    @Test("A status and an item of a batch make the same error")
    func sameFromBoth() {
        let status = Status(
            code: .invalidArgument,
            message: "the interval is too short",
            details: [
                .errorInfo(reason: "TIME_INTERVAL_INVALID", domain: "belfry", metadata: ["a": "b"]),
                .badRequest([
                    FieldViolation(field: "request.trigger", description: "at least 60 seconds")
                ]),
            ]
        )
        var item = Belfry_V1_ItemError()
        item.code = 3
        item.message = "the interval is too short"
        item.reason = "TIME_INTERVAL_INVALID"
        item.domain = "belfry"
        item.metadata = ["a": "b"]
        var field = Belfry_V1_FieldViolation()
        field.field = "request.trigger"
        field.description_p = "at least 60 seconds"
        item.fieldViolations = [field]

        #expect(ClientError(status) == ClientError(item))
        #expect(
            "\(ClientError(status))"
                == "the interval is too short; request.trigger: at least 60 seconds "
                + "(INVALID_ARGUMENT, TIME_INTERVAL_INVALID)"
        )
    }

    @Test("A server that asks for patience is heard")
    func retryDelay() {
        let status = Status(
            code: .resourceExhausted,
            message: "",
            details: [.retryInfo(delayNanoseconds: 250_000_000)]
        )
        #expect(ClientError(status).retryDelay == .milliseconds(250))
        #expect("\(ClientError(status))" == "RESOURCE_EXHAUSTED (RESOURCE_EXHAUSTED)")
    }

    @Test("A code of a newer server is unknown, and does not trap")
    func newerCode() {
        var item = Belfry_V1_ItemError()
        item.code = 99
        #expect(ClientError(item).code == .unknown)
    }
}
