internal import BelfryGRPC
internal import Foundation
internal import InMemoryLogging
internal import Logging
internal import NotificationClient
internal import NotificationProtocol
internal import NotificationServer
internal import ServiceLifecycle
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("A server in a program's process", .timeLimit(.minutes(5)))
struct NotificationServerTests {
    let directory: ScratchDirectory
    let log = InMemoryLogHandler()

    init() throws { directory = try ScratchDirectory() }

    var configuration: NotificationServer.Configuration {
        var configuration = NotificationServer.Configuration(
            directory: directory.path + "/data",
            addresses: [.unix(path: directory.path + "/server.sock")]
        )
        configuration.clock = .manual(start: Date(timeIntervalSince1970: 1_767_225_600))
        configuration.prompts = .grant
        return configuration
    }

    var logger: Logger { Logger(label: "test") { [log] _ in log } }

    private func start(
        _ configure: (inout NotificationServer.Configuration) -> Void = { _ in }
    ) async throws -> NotificationServer {
        var configuration = configuration
        configure(&configuration)
        return try await NotificationServer.start(configuration, logger: logger)
    }

    /// The time limit of calls, since a machine that does many other things may be slow.
    static let options = CallOptions(timeout: .seconds(120))

    static func withClient<Result>(
        of server: NotificationServer,
        token: String? = nil,
        _ body: (Client) async throws -> Result
    ) async throws -> Result {
        let options = CallOptions(timeout: Self.options.timeout, token: token)
        return try await NotificationClient.withClient(
            to: "\(server.addresses[0])",
            options: options,
            body
        )
    }

    @Test("It serves on its clock until it is stopped, and the next start has the store")
    func restart() async throws {
        let first = try await start()
        try await Self.withClient(of: first) { client in
            let clock = try await client.admin.clock()
            #expect(clock.now.seconds == 1_767_225_600)
            _ = try await client.admin.advanceClock(by: .seconds(60))
        }
        await first.stop()
        await first.stop()
        let error = await #expect(throws: ClientError.self) {
            try await Self.withClient(of: first) { try await $0.admin.clock() }
        }
        #expect(error?.code == .unavailable)

        let second = try await start()
        let clock = try await Self.withClient(of: second) { try await $0.admin.clock() }
        #expect(clock.now.seconds == 1_767_225_660)
        await second.stop()
        #expect(log.entries.count { $0.message == "serving" } == 2)
        #expect(log.entries.count { $0.message == "stopped" } == 2)
    }

    @Test("It runs in a group of services, and stops with it")
    func group() async throws {
        let server = try await start()
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            _ = try await Self.withClient(of: server) { try await $0.server.serverInfo() }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(log.entries.contains { $0.message == "stopped" })
        await (try start()).stop()
    }

    @Test("It stops when the task that runs it is cancelled")
    func cancelled() async throws {
        let server = try await start()
        let run = Task { try await server.run() }
        run.cancel()
        try await run.value
        #expect(log.entries.contains { $0.message == "stopped" })
    }

    @Test("A stop ends its run")
    func stopEndsRun() async throws {
        let server = try await start()
        async let run: Void = server.run()
        await server.stop()
        try await run
    }

    @Test("It stops when it is released")
    func released() async throws {
        _ = try await start()
        // The last task that uses it may still hold it for a moment.
        var next: NotificationServer?
        while next == nil { next = try? await start() }
        await next?.stop()
    }

    @Test("Over TCP it takes calls with its token alone, and logs the others")
    func token() async throws {
        let token = String(repeating: "t", count: 32)
        let server = try await start { configuration in
            configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
            configuration.token = token
        }
        guard case .tcp("127.0.0.1", let port) = server.addresses[0], port > 0 else {
            Issue.record("\(server.addresses)")
            return
        }
        _ = try await Self.withClient(of: server, token: token) { try await $0.admin.stats() }
        let error = await #expect(throws: ClientError.self) {
            try await Self.withClient(of: server) { try await $0.admin.stats() }
        }
        #expect(error?.code == .unauthenticated)
        // A task writes the lines.
        while !log.entries.contains(where: { $0.metadata["rpc"] != nil }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        await server.stop()
    }

    @Test("A configuration that cannot be followed says why")
    func invalid() async throws {
        let changes: [(inout NotificationServer.Configuration) -> Void] = [
            { $0.addresses = [] },
            { $0.addresses = [.tcp(host: "127.0.0.1", port: 0)] },
            { $0.token = "short" },
            { $0.clock = .manual(start: Date(timeIntervalSince1970: -1)) },
        ]
        for change in changes {
            let error = await #expect(throws: NotificationServerError.self) {
                try await start(change)
            }
            #expect(error?.reason == .invalidConfiguration)
        }
    }

    @Test("A server that cannot start says why, and leaves the directory to the next")
    func cannotStart() async throws {
        func refusal(
            _ configure: (inout NotificationServer.Configuration) -> Void
        ) async -> NotificationServerError.Reason? {
            await #expect(throws: NotificationServerError.self) { try await start(configure) }?
                .reason
        }
        let file = directory.path + "/file"
        try Data().write(to: URL(filePath: file))
        #expect(await refusal { $0.directory = file } == .cannotOpenStore)
        #expect(await refusal { $0.addresses = [.unix(path: file + "/sock")] } == .cannotListen)
        let server = try await start()
        #expect(await refusal { _ in } == .directoryInUse)
        await server.stop()
    }
}
