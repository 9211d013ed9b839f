internal import BelfryGRPC
internal import Foundation
internal import StandardServices
internal import SwiftProtobuf

/// A server in this process that answers as a test tells it to, on a unix socket of its own.
final class FakeServer: Sendable {
    let target: String
    private let path: String
    private let server: Server
    private let health = Health()

    init(_ configure: (inout Router) -> Void) throws {
        path = "/tmp/belfry-client-\(UUID().uuidString).sock"
        target = "unix:\(path)"
        var router = Router()
        configure(&router)
        health.register(in: &router)
        server = try Server(
            router: router,
            options: Server.Options(listeners: [.unix(path: path)])
        )
        server.start()
    }

    /// Says whether the server as a whole serves.
    func setServing(_ isServing: Bool) {
        health.set(isServing ? .serving : .notServing, for: "")
    }

    /// Ends all streams with UNAVAILABLE and listens no more.
    func stop() {
        server.stop(within: .seconds(5))
    }
}

extension Router {
    /// Answers a unary call with the result of `handler`.
    mutating func answer<Request: Message, Response: Message>(
        _ path: String,
        _ handler: @escaping @Sendable (Request) -> Result<Response, Status>
    ) {
        unary(path) { bytes, call in
            let answer = Result { try Request(serializedBytes: bytes) }
                .flatMap { request in handler(request).mapError { $0 as any Error } }
                .flatMap { response in Result { try response.serializedBytes() as [UInt8] } }
            switch answer {
            case .success(let bytes): call.finish(bytes)
            case .failure(let status as Status): call.finish(status)
            case .failure(let error):
                call.finish(Status(code: .internalError, message: "\(error)"))
            }
        }
    }
}

/// Sends messages one after the other, as flow control admits them, and then ends the stream with a
/// status, or leaves it open where there is none.
final class ScriptedStream<Reply: Message & Sendable>: ServerStreamDelegate {
    private let stream: ServerStream
    private let script: Script

    /// The acts of a stream.
    struct Script: Sendable {
        var messages: [Reply]
        var status: Status?
    }

    private let sentCount = Counter()

    init(_ stream: ServerStream, _ script: Script) {
        self.stream = stream
        self.script = script
        advance()
    }

    func sent() { advance() }
    func received(_ message: RawSpan) {}
    func receivedEnd() {}
    func ended(cancelled: Bool) {}

    private func advance() {
        let place = sentCount.next()
        if place < script.messages.count {
            let bytes: [UInt8]? = try? script.messages[place].serializedBytes()
            stream.send(bytes ?? [])
        } else if let status = script.status {
            stream.finish(status)
        }
    }
}
