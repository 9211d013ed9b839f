internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("What the calls refuse (W-10)", .sharedService)
struct CallRefusalTests {
    /// A call that is refused, with its request in JSON.
    struct Case: Sendable, CustomTestStringConvertible {
        let rpc: Rpc
        let json: String
        let expected: Expected

        init(_ rpc: Rpc, _ json: String, _ expected: Expected) {
            self.rpc = rpc
            self.json = json
            self.expected = expected
        }

        var testDescription: String { "\(rpc.rawValue) \(json.prefix(60))" }
    }

    static let tooMany: String = {
        let names = (0...1_000).map { "\"\($0)\"" }
        return "[" + names.joined(separator: ",") + "]"
    }()

    static func invalid(_ reason: String, _ field: String) -> Expected {
        Expected(.invalidArgument, reason, field)
    }

    private static let ahead = Expected(.outOfRange, "EVENT_NUMBER_UNKNOWN", "after")

    static let lists: [Case] = [Rpc.listPending, .listDelivered].flatMap { rpc in
        [
            Case(rpc, #"{"pageSize":-1}"#, .invalid("page_size")),
            Case(rpc, #"{"pageSize":1001}"#, .invalid("page_size")),
            Case(rpc, #"{"order":2}"#, .invalid("order")),
            Case(rpc, #"{"order":-1}"#, .invalid("order")),
            Case(rpc, #"{"pageToken":"next"}"#, invalid("PAGE_TOKEN_INVALID", "page_token")),
            Case(rpc, #"{"pageToken":"00"}"#, invalid("PAGE_TOKEN_INVALID", "page_token")),
            Case(
                rpc,
                #"{"filter":{"identifiers":\#(tooMany)}}"#,
                .invalid("filter.identifiers")
            ),
            Case(
                rpc,
                #"{"filter":{"identifiers":["a","\#(String(repeating: "x", count: 600))"]}}"#,
                invalid("IDENTIFIER_INVALID", "filter.identifiers[1]")
            ),
        ]
    }

    static let removals: [Case] = [Rpc.removePending, .removeDelivered].flatMap { rpc in
        [
            Case(rpc, #"{"identifiers":\#(tooMany)}"#, .invalid("identifiers")),
            Case(
                rpc,
                #"{"identifiers":["a",""]}"#,
                invalid("IDENTIFIER_INVALID", "identifiers[1]")
            ),
            Case(
                rpc,
                #"{"identifiers":["\#(String(repeating: "x", count: 257))"]}"#,
                invalid("IDENTIFIER_INVALID", "identifiers[0]")
            ),
        ]
    }

    static let changes: [Case] = [
        Case(.requestAuthorization, "{}", invalid("OPTIONS_INVALID", "options")),
        Case(
            .requestAuthorization,
            #"{"options":[0]}"#,
            invalid("OPTIONS_INVALID", "options[0]")
        ),
        Case(
            .requestAuthorization,
            #"{"options":[4,3]}"#,
            invalid("OPTIONS_INVALID", "options[1]")
        ),
        Case(
            .requestAuthorization,
            #"{"options":[512]}"#,
            invalid("OPTIONS_INVALID", "options[0]")
        ),
        Case(.requestAuthorization, #"{"options":[4],"wait":"-1s"}"#, .invalid("wait")),
        Case(.requestAuthorization, #"{"options":[4],"wait":"600.1s"}"#, .invalid("wait")),
        Case(.addBatch, "{}", invalid("BATCH_EMPTY", "requests")),
        Case(
            .addBatch,
            #"{"requests":[\#(Array(repeating: "{}", count: 1_001).joined(separator: ","))]}"#,
            invalid("BATCH_TOO_LARGE", "requests")
        ),
        Case(
            .setBadgeCount,
            #"{"count":-1}"#,
            Expected(.invalidArgument, "BADGE_INPUT_INVALID", "count", unCode: 1600)
        ),
    ]

    static let subscriptions: [Case] = [
        Case(.subscribe, #"{"after":"1000"}"#, ahead),
        Case(.subscribe, #"{"after":"18446744073709551615"}"#, ahead),
        Case(
            .subscribe,
            #"{"after":"0","snapshot":true}"#,
            invalid("SNAPSHOT_WITH_AFTER", "after")
        ),
        Case(.subscribe, #"{"role":2}"#, .invalid("role")),
        Case(.subscribe, #"{"capabilities":[3]}"#, .invalid("capabilities[0]")),
        Case(.subscribe, #"{"capabilities":[1,0]}"#, .invalid("capabilities[1]")),
        Case(.subscribe, #"{"capabilities":[1]}"#, .invalid("capabilities")),
        Case(.subscribe, #"{"appState":4}"#, .invalid("app_state")),
        Case(
            .subscribe,
            #"{"standingPresentation":{"options":[32]}}"#,
            .invalid("standing_presentation.options[0]")
        ),
        Case(.subscribe, #"{"standingPresentation":{}}"#, .invalid("standing_presentation")),
        Case(
            .subscribe,
            #"{"resumeSubscriptionId":"x"}"#,
            Expected(.notFound, "SUBSCRIPTION_UNKNOWN", "resume_subscription_id")
        ),
    ]

    static let clocks: [Case] = [
        Case(.advanceClock, "{}", invalid("CLOCK_TARGET_INVALID", "target")),
        Case(.advanceClock, #"{"by":"-1s"}"#, invalid("CLOCK_TARGET_INVALID", "by")),
        Case(.advanceClock, #"{"by":"315576000000s"}"#, invalid("CLOCK_TARGET_INVALID", "by")),
        Case(
            .advanceClock,
            #"{"to":"2025-12-31T23:59:59Z"}"#,
            invalid("CLOCK_TARGET_INVALID", "to")
        ),
        Case(
            .advanceClock,
            #"{"to":"0001-01-01T00:00:00Z"}"#,
            invalid("CLOCK_TARGET_INVALID", "to")
        ),
        Case(
            .advanceClock,
            #"{"to":"9999-12-31T23:59:59Z"}"#,
            invalid("CLOCK_TARGET_INVALID", "to")
        ),
    ]

    @Test(
        "It is refused with code, reason and field, and nothing changes",
        arguments: lists + removals + changes + categories + installations + stringTables
            + decisions
            + subscriptions + delegates + devices + sensors + clocks
    )
    func refused(row: Case) async throws {
        let service = try SharedService.get()
        let center = try await service.authorizedCenter()
        let before = try service.test.state()
        let bytes = try row.rpc.encode(row.json, app: center.center.appID)
        let error = try await refusal { _ = try await service.call(row.rpc, bytes) }
        row.expected.check(error)
        #expect(error.retryDelay == nil)
        #expect(try service.test.state() == before)
        #expect(service.store.clock.now().wall == .newYear)
    }

    @Test(
        "A center that cannot be is refused by every call",
        arguments: Rpc.allCases.filter(\.isOfCenter),
        [
            ("", "", "APP_ID_INVALID", "center.app_id"),
            ("a$b", "", "APP_ID_INVALID", "center.app_id"),
            (String(repeating: "a", count: 156), "", "APP_ID_INVALID", "center.app_id"),
            ("a", "a/b", "DEVICE_ID_INVALID", "center.device_id"),
            ("a", String(repeating: "d", count: 129), "DEVICE_ID_INVALID", "center.device_id"),
        ]
    )
    func center(
        rpc: Rpc,
        bad: (app: String, device: String, reason: String, field: String)
    )
        async throws
    {
        let service = try SharedService.get()
        let center = Belfry_V1_GetNotificationSettingsRequest.with { request in
            request.center.appID = bad.app
            request.center.deviceID = bad.device
        }
        let bytes =
            try rpc.encode(rpc.request, app: nil) + (center.serializedBytes() as [UInt8])
        let error = try await refusal { _ = try await service.call(rpc, bytes) }
        Expected(.invalidArgument, bad.reason, bad.field).check(error)
    }

    @Test(
        "An app that is not registered is not found by any call but those that register it",
        // The dates of a trigger are told before there is an app.
        arguments: Rpc.allCases.filter {
            $0.isOfCenter && !$0.registers && $0 != .listTriggerDates
        }
    )
    func unregistered(rpc: Rpc) async throws {
        let service = try SharedService.get()
        let bytes = try rpc.encode(rpc.request, app: "org.example.nobody")
        let error = try await refusal { _ = try await service.call(rpc, bytes) }
        Expected(.notFound, "APP_NOT_REGISTERED").check(error)
        #expect(error.metadata == ["app_id": "org.example.nobody", "device_id": "local"])
    }

    @Test("An rpc that is not there is UNIMPLEMENTED and named", arguments: ["Nothing", "add", ""])
    func unknownRpc(name: String) async throws {
        let service = try SharedService.get()
        let path = "/belfry.v1.NotificationCenterService/\(name)"
        let error = try await refusal { _ = try await service.channel.unary(path, []) }
        #expect(error.code == .unimplemented)
        #expect(error.message.contains(path))
    }
}
