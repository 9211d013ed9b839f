internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol
internal import NotificationServer
internal import Testing

@Suite("A client that is there while a closure runs", .timeLimit(.minutes(5)))
struct WithClientTests {
    let tests: NotificationServerTests

    init() throws { tests = try NotificationServerTests() }

    private func withServer(
        _ body: (_ target: String) async throws -> Void
    ) async throws {
        let server = try await NotificationServer.start(tests.configuration, logger: tests.logger)
        try await body("\(server.addresses[0])")
        await server.stop()
    }

    @Test("Its connection ends with the closure, whether that returns or throws")
    func closes() async throws {
        try await withServer { target in
            for throwsError in [false, true] {
                var kept: Client?
                do throws(ClientError) {
                    try await withClient(to: target) { client throws(ClientError) in
                        kept = client
                        _ = try await client.server.serverInfo()
                        if throwsError { _ = try await client.center("").listPending() }
                    }
                    #expect(!throwsError)
                } catch {
                    #expect(throwsError)
                    #expect(error.reason == "APP_ID_INVALID")
                    #expect(error.fields.map(\.path) == ["center.app_id"])
                }
                let client = try #require(kept)
                let error = await #expect(throws: ClientError.self) {
                    try await client.server.serverInfo()
                }
                #expect(error?.message == "the channel is closed")
            }
        }
    }

    @Test("A subscription that its task gives up ends at the server")
    func cancels() async throws {
        try await withServer { target in
            let admin = Channel(target: target)
            defer { admin.close() }
            let watcher = AdminClient(channel: admin, options: NotificationServerTests.options)
            func waitForSubscriptions(_ count: UInt64) async throws {
                while try await watcher.stats().subscriptions != count {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            try await withClient(to: target) { client in
                let center = client.center("org.example.cancelled")
                _ = try await center.requestAuthorization([.alert])
                let follower = Task { () async -> ClientError? in
                    do throws(ClientError) {
                        for try await _ in center.subscribe() {}
                        return nil
                    } catch {
                        return error
                    }
                }
                try await waitForSubscriptions(1)
                follower.cancel()
                #expect(await follower.value?.code == .cancelled)
                try await waitForSubscriptions(0)

                for try await _ in center.subscribe() { break }
                try await waitForSubscriptions(0)
            }
        }
    }
}
