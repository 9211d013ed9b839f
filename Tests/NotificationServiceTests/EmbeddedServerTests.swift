internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol
internal import NotificationService
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("An embedded server", .timeLimit(.minutes(5)))
struct EmbeddedServerTests {
    let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func start(on listener: Server.Listener? = nil) throws -> EmbeddedServer {
        let listeners = [listener ?? .unix(path: directory.path + "/server.sock")]
        return try EmbeddedServer(
            store: Store.Options(directory: directory.path + "/data"),
            server: Server.Options(listeners: listeners),
            prompts: .grant,
            observer: EmbeddedServer.Observer { error in Issue.record(error) }
        )
    }

    private func withCenter<Result>(
        of server: EmbeddedServer,
        _ body: (NotificationCenterClient) async throws -> Result
    ) async throws -> Result {
        let channel = Channel(target: server.listeners[0].description)
        defer { channel.close() }
        let center = NotificationCenterClient(
            channel: channel,
            center: .with { $0.appID = "org.example.embedded" },
            options: TestService.callOptions
        )
        return try await body(center)
    }

    @Test("It serves until it is stopped, and what was added is there at the next start")
    func restart() async throws {
        let first = try start()
        try await withCenter(of: first) { center in
            _ = try await center.requestAuthorization([.alert])
            try await center.add("tea", in: .seconds(3_600))
        }
        first.stop(within: .seconds(5))
        first.stop(within: .seconds(5))
        let error = await #expect(throws: ClientError.self) {
            try await withCenter(of: first) { try await $0.listPending() }
        }
        #expect(error?.code == .unavailable)

        let second = try start()
        let pending = try await withCenter(of: second) { try await $0.listPending() }
        #expect(pending.requests.map(\.request.identifier) == ["tea"])
    }

    private func isServing(_ request: [UInt8], over channel: Channel) async throws -> Bool {
        do throws(Status) {
            return try await channel.unary("/grpc.health.v1.Health/Check", request) == [0x08, 1]
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    @Test("Health serves each service and the clock")
    func health() async throws {
        let server = try start(on: .tcp(host: "127.0.0.1", port: 0))
        defer { server.stop(within: .zero) }
        let channel = Channel(target: server.listeners[0].description)
        defer { channel.close() }
        for name in NotificationService.serviceNames + [NotificationService.clockName] {
            let request = [0x0A, UInt8(name.utf8.count)] + Array(name.utf8)
            // Health hears of the clock a moment after the start.
            while try await !isServing(request, over: channel) {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test("A server that cannot start leaves the directory to the next server")
    func badListener() async throws {
        let error = #expect(throws: ServerError.self) {
            try start(on: .unix(path: "/dev/null/server.sock"))
        }
        #expect(error?.description.contains("/dev/null/server.sock") == true)
        let server = try start()
        let refusal = #expect(throws: StoreError.self) { try start() }
        #expect(refusal?.description.contains("is using the data directory") == true)
        _ = try await withCenter(of: server) { try await $0.requestAuthorization([.alert]) }
    }
}
