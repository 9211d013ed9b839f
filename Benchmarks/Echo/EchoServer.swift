internal import BelfryGRPC
internal import Foundation

/// Serves `/bench.Echo/Call` on a unix socket or a TCP port until it is killed.
@main
enum EchoServer {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let target = arguments.first else {
            FileHandle.standardError.write(Data("usage: EchoServer unix:PATH | PORT\n".utf8))
            exit(2)
        }
        let listener: Server.Listener =
            target.hasPrefix("unix:")
            ? .unix(path: String(target.dropFirst(5)))
            : .tcp(host: "127.0.0.1", port: UInt16(target) ?? 0)
        let server = try Server(
            router: echoRouter(),
            options: Server.Options(listeners: [listener])
        )
        server.start()
        while true { pause() }
    }
}

/// Outside of `main`, because handlers run on the server's thread and belong to no actor.
private func echoRouter() -> Router {
    var router = Router()
    router.authorize(by: Everyone())
    router.unary("/bench.Echo/Call") { message, call in
        call.finish([UInt8](message))
    }
    return router
}

/// Lets everyone call as the server's own user may; each call is decided about.
private struct Everyone: CallAuthorizer, MethodAuthorizer {
    func authorizer(of path: String) -> (any MethodAuthorizer)? { self }
    func admission(of caller: Caller) -> Admission { .admitted }
    func refused(_ reason: String, _ message: String, at path: String, from peer: Peer) {}
    func refusal(of message: RawSpan, from caller: Caller) -> Status? { nil }
    func opened(_ stream: ServerStream, of caller: Caller) -> (any Sendable & AnyObject)? { nil }
}
