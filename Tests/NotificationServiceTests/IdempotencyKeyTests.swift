internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Idempotency keys over the wire (W-9)")
struct IdempotencyKeyTests {
    let service: TestService

    init() throws { service = try TestService() }

    /// A request of a mutation that carries `key`, and would change something each time.
    private static func request(_ rpc: Rpc, key: String, prompt: String = "0") -> String {
        let fields =
            switch rpc {
            case .requestAuthorization: #","options":["AUTHORIZATION_OPTION_CAR_PLAY"]"#
            case .add: #","request":{"content":{"title":"Title"}}"#
            case .addBatch:
                #","requests":[{"content":{"title":"Title"}},{"content":{"title":"Other"}}]"#
            case .removePending, .removeDelivered: #","identifiers":["a"]"#
            case .setCategories, .upsertCategories: #","categories":[{"identifier":"c"}]"#
            case .removeCategories: #","identifiers":["c"]"#
            case .setStringTable:
                #","appId":"org.example.app","language":"en","#
                    + #""strings":[{"key":"k","value":{"text":"t"}}]"#
            case .registerApp: #","manifest":{"language":"pt"}"#
            case .updateSettings: #","settings":{"alertSetting":1},"updateMask":"alertSetting""#
            case .answerPrompt: #","promptId":"\#(prompt)","answer":"PROMPT_ANSWER_KEEP""#
            case .setBadgeCount: #","count":5"#
            case .advanceClock, .suspend: #","by":"5s""#
            case .updateDeviceState: #","state":{"locked":true},"updateMask":"locked""#
            case .dismiss: #","all":{},"kind":"DISMISS_KIND_CLEAR""#
            case .setClock: #","to":"2027-01-01T00:00:00Z""#
            case .setSound: #","appId":"a","name":"a""#
            case .putAttachment:
                #","appId":"a","metadata":{"fileName":"a","purpose":3},"data":"AAAA""#
            case .createRichPush: #","appId":"org.example","payload":"AAAA""#
            case .reportLocation: #","fixes":[{"latitude":1}]"#
            case .reportBeacons:
                #","sightings":[{"uuid":"5a4bcfce-174e-4bac-a814-092e77f6b7e5"}]"#
            case .closeNotification:
                #","presentationId":"01890a5d-ac96-774b-bcce-b302099a8057""#
            default: ""
            }
        return #"{"idempotencyKey":"\#(key)"\#(fields)}"#
    }

    @Test(
        "A retry is told the first reply and acts once",
        arguments: Rpc.allCases.filter { $0.isMutation && !$0.needsOtherCalls }
    )
    func retry(rpc: Rpc) async throws {
        let center = try await service.authorizedCenter()
        let bytes = try rpc.encode(
            Self.request(rpc, key: IdempotencyKey.make(), prompt: try await service.quietPrompt()),
            app: center.center.appID
        )
        try await addBoth(center)
        let first = try await service.call(rpc, bytes)
        // Register the app again, which the rpc may have removed.
        _ = try await service.authorizedCenter()
        // Add the notifications again, and set another badge.
        try await addBoth(center)
        _ = try await center.setBadgeCount(1)
        let state = try service.test.state()
        let now = try await service.admin.clock()
        for _ in 0..<2 { #expect(try await service.call(rpc, bytes) == first) }
        #expect(try service.test.state() == state)
        #expect(try await service.admin.clock() == now)
    }

    private func addBoth(_ center: NotificationCenterClient) async throws {
        try await center.add("a")
        try await center.add("a", in: .seconds(60))
    }

    @Test("A key under another request is refused, also of another rpc or app")
    func reused() async throws {
        let center = try await service.authorizedCenter()
        let other = try await service.authorizedCenter("org.example.other")
        let key = IdempotencyKey.make()
        _ = try await center.add(.titled("a"), key: key)
        let expected = Expected(.invalidArgument, "IDEMPOTENCY_KEY_REUSED", "idempotency_key")
        let calls: [() async throws -> Void] = [
            { _ = try await center.add(.titled("b"), key: key) },
            { _ = try await other.add(.titled("a"), key: key) },
            { _ = try await center.removeAllDelivered(key: key) },
        ]
        for call in calls { expected.check(try await refusal { try await call() }) }
        #expect(try await center.listDelivered().notifications.count == 1)
        #expect(try await other.listDelivered().notifications.isEmpty)
    }

    @Test(
        "A key that is not a version 7 UUID is refused by every mutation",
        arguments: Rpc.allCases.filter(\.isMutation)
    )
    func malformed(rpc: Rpc) async throws {
        let center = try await service.authorizedCenter()
        let keys = [
            "key", "01890a5d-ac96-474b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a805",
        ]
        for key in keys {
            let bytes = try rpc.encode(Self.request(rpc, key: key), app: center.center.appID)
            let error = try await refusal { _ = try await service.call(rpc, bytes) }
            Expected.invalid("idempotency_key").check(error)
        }
        #expect(try service.test.state().lastEvent == 1)
    }

    @Test("A refused call is not remembered: its key may be tried again")
    func refused() async throws {
        let key = IdempotencyKey.make()
        let center = service.center()
        let error = try await refusal { _ = try await center.add(.titled("a"), key: key) }
        #expect(error.reason == "APP_NOT_REGISTERED")
        _ = try await service.authorizedCenter()
        #expect(try await center.add(.titled("a"), key: key).state == .delivered)
    }
}
