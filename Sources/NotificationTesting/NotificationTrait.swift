public import Foundation
internal import Logging
internal import NotificationClient
internal import NotificationProtocol
internal import NotificationServer
public import Testing

/// Runs a server for each test, and gives it ``NotificationTest/current``; on a suite, for each of
/// its tests.
public struct NotificationTrait: TestTrait, SuiteTrait, TestScoping {
    let app: String
    let start: Date

    /// Each test of a suite has its own.
    public var isRecursive: Bool { true }

    /// Runs a test while its server serves.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let directory = try Self.directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var configuration = NotificationServer.Configuration(
            directory: directory + "/data",
            addresses: [.unix(path: directory + "/belfry.sock")]
        )
        configuration.clock = .manual(start: start)
        configuration.prompts = .grant
        // Stop at once: nobody uses the streams that a test has left open.
        configuration.stopTimeout = .zero
        let quiet = Logger(label: "belfry") { _ in SwiftLogNoOpLogHandler() }
        let server = try await NotificationServer.start(configuration, logger: quiet)
        let result: Result<Void, any Error>
        do {
            try await run(function, on: "\(server.addresses[0])")
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try result.get()
    }

    private func run(
        _ function: @Sendable () async throws -> Void,
        on server: String
    ) async throws {
        // A machine that runs many tests at once may be slow.
        let options = CallOptions(timeout: .seconds(120))
        try await withClient(to: server, options: options) { client in
            let center = client.center(app)
            _ = try await center.requestAuthorization([.alert, .sound, .badge])
            let test = NotificationTest(center: center, person: client.device(), client: client)
            try await NotificationTest.$scoped.withValue(test) { try await function() }
        }
    }

    /// A directory of its own; in memory, where a sync costs nothing, since no test cuts the power.
    private static func directory() throws -> String {
        let memory = "/dev/shm/"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        let path = (isThere ? memory : NSTemporaryDirectory()) + "belfry-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        return path
    }
}

extension Trait where Self == NotificationTrait {
    /// Gives a test ``NotificationTest/current``: a notification center whose clock it moves, which
    /// stands at the first second of 2026 until then.
    public static var notifications: Self { .notifications(app: "org.example.app") }

    /// Gives a test ``NotificationTest/current`` of an app, from an instant on.
    public static func notifications(
        app: String,
        from start: Date = Date(timeIntervalSince1970: 1_767_225_600)
    ) -> Self {
        NotificationTrait(app: app, start: start)
    }
}
