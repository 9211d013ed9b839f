internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol
internal import StandardServices
internal import Testing

struct NotificationCenterClientTests {
    private static let service = "/belfry.v1.NotificationCenterService/"

    private func client(
        _ server: FakeServer,
        _ options: CallOptions = CallOptions()
    ) -> NotificationCenterClient {
        var center = Belfry_V1_Center()
        center.appID = "org.example.app"
        center.deviceID = "phone"
        return NotificationCenterClient(
            channel: Channel(target: server.target),
            center: center,
            options: options
        )
    }

    @Test("Add sends the center, the key and the request, and gives the answer")
    func add() async throws {
        let requests = Recorder<Belfry_V1_AddRequest>()
        let server = try FakeServer { router in
            router.answer(Self.service + "Add") { (request: Belfry_V1_AddRequest) in
                requests.record(request)
                var response = Belfry_V1_AddResponse()
                response.identifier = request.request.identifier
                response.state = .delivered
                response.delivery = 7
                return .success(response)
            }
        }
        var request = Belfry_V1_NotificationRequest()
        request.identifier = "tea"
        let key = IdempotencyKey.make()
        let response = try await client(server).add(request, key: key)
        #expect(response.identifier == "tea")
        #expect(response.delivery == 7)
        let received = try #require(requests.values.first)
        #expect(received.center.appID == "org.example.app")
        #expect(received.center.deviceID == "phone")
        #expect(received.idempotencyKey == key)
    }

    @Test("No key is sent unless one is given")
    func noKey() async throws {
        let keys = Recorder<String>()
        let server = try FakeServer { router in
            router.answer(Self.service + "SetBadgeCount") {
                (request: Belfry_V1_SetBadgeCountRequest) in
                keys.record(request.idempotencyKey)
                var response = Belfry_V1_SetBadgeCountResponse()
                response.badge = request.count
                return .success(response)
            }
        }
        #expect(try await client(server).setBadgeCount(3) == 3)
        #expect(keys.values == [""])
    }

    @Test("A refusal is thrown with its reason and its fields")
    func refusal() async throws {
        let server = try FakeServer { router in
            router.answer(Self.service + "Add") {
                (_: Belfry_V1_AddRequest) -> Result<Belfry_V1_AddResponse, Status> in
                .failure(
                    Status(
                        code: .invalidArgument,
                        message: "no content",
                        details: [
                            .errorInfo(
                                reason: "NOTIFICATION_INVALID_NO_CONTENT",
                                domain: "UNErrorDomain",
                                metadata: ["code": "1401"]
                            ),
                            .badRequest([
                                FieldViolation(field: "request.content", description: "empty")
                            ]),
                        ]
                    )
                )
            }
        }
        let error = try await #require(throws: ClientError.self) {
            try await client(server).add(Belfry_V1_NotificationRequest())
        }
        #expect(error.code == .invalidArgument)
        #expect(error.reason == "NOTIFICATION_INVALID_NO_CONTENT")
        #expect(error.domain == "UNErrorDomain")
        #expect(error.metadata == ["code": "1401"])
        #expect(error.fields.map(\.path) == ["request.content"])
    }

    @Test("A batch gives a result for each request, in order")
    func batch() async throws {
        let server = try FakeServer { router in
            router.answer(Self.service + "AddBatch") { (request: Belfry_V1_AddBatchRequest) in
                var response = Belfry_V1_AddBatchResponse()
                response.results = request.requests.map { request in
                    var result = Belfry_V1_AddBatchResult()
                    if request.identifier.isEmpty {
                        result.error.code = StatusCode.invalidArgument.rawValue
                        result.error.reason = "IDENTIFIER_INVALID"
                    } else {
                        result.added.identifier = request.identifier
                    }
                    return result
                }
                return .success(response)
            }
        }
        var named = Belfry_V1_NotificationRequest()
        named.identifier = "a"
        let results = try await client(server).addBatch([named, .init(), named])
        #expect(results.count == 3)
        #expect(try results[0].get().identifier == "a")
        #expect(throws: ClientError.self) { try results[1].get() }
        #expect(try results[2].get().identifier == "a")
    }

    @Test("A token is sent as bearer authorization")
    func token() async throws {
        let tokens = Recorder<String?>()
        let server = try FakeServer { router in
            router.unary(Self.service + "RemoveAllPending") { _, call in
                tokens.record(call.metadata(named: "authorization"))
                call.finish([])
            }
        }
        _ = try await client(server, CallOptions(token: "secret")).removeAllPending()
        _ = try await client(server).removeAllPending()
        #expect(tokens.values == ["Bearer secret", nil])
    }

    @Test("An answer that cannot be decoded is an error of the server")
    func garbage() async throws {
        let server = try FakeServer { router in
            router.unary(Self.service + "ListPending") { _, call in
                call.finish([0xFF, 0xFF])
            }
        }
        let error = try await #require(throws: ClientError.self) {
            try await client(server).listPending()
        }
        #expect(error.code == .internalError)
    }

    @Test("Where no server listens, that is UNAVAILABLE")
    func unreachable() async throws {
        let channel = Channel(target: "unix:/tmp/belfry-no-such.sock")
        let error = try await #require(throws: ClientError.self) {
            try await ServerClient(channel: channel).serverInfo()
        }
        #expect(error.code == .unavailable)
    }

    @Test("Health is what the server says")
    func health() async throws {
        let server = try FakeServer { _ in }
        let client = ServerClient(channel: Channel(target: server.target))
        server.setServing(true)
        #expect(try await client.health() == .serving)
        server.setServing(false)
        #expect(try await client.health() == .notServing)
    }
}
