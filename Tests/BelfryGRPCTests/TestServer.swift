internal import BelfryGRPC
internal import Foundation

/// Which kind of listener a test runs on.
enum Transport: CaseIterable, Sendable {
    case unix, tcp
}

/// A directory that goes with the test.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        // Short, because a socket path has at most 107 bytes.
        path = "/tmp/grpc-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A running server with a channel to it.
struct TestServer {
    let server: Server
    let channel: Channel
    private let directory: TemporaryDirectory

    init(
        _ router: Router,
        on transport: Transport = .unix,
        configure: (inout Server.Options) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        let listener: Server.Listener =
            switch transport {
            case .unix: .unix(path: "\(directory.path)/server.sock")
            case .tcp: .tcp(host: "127.0.0.1", port: 0)
            }
        var options = Server.Options(listeners: [listener])
        configure(&options)
        server = try Server(router: router, options: options)
        server.start()
        channel = Channel(target: server.boundListeners[0].description)
    }

    /// Ends both; every test does, so that nothing of it goes on beside the next.
    func stop() {
        channel.close()
        server.stop(within: .seconds(5))
    }
}

extension ClientStream {
    func all() async throws(Status) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        while let message = try await next() { messages.append(message) }
        return messages
    }
}
