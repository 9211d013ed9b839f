internal import BelfryGRPC
internal import Foundation
internal import Glibc
internal import Testing

@Suite("Listening")
struct ListenerTests {
    @Test(
        "A second server is refused by name, and the first goes on",
        arguments: Transport.allCases
    )
    func secondServer(transport: Transport) async throws {
        let test = try TestServer(Echo.router(), on: transport)
        defer { test.stop() }
        let listener = test.server.boundListeners[0]
        let error = #expect(throws: ServerError.self) {
            try Server(router: Router(), options: Server.Options(listeners: [listener]))
        }
        let place =
            switch listener {
            case .unix(let path): path
            case .tcp(let host, let port), .tls(let host, let port): "\(host):\(port)"
            case .inherited(_, let path): path
            }
        #expect(
            error == .cannotListen(listener, reason: "another server is listening on \(place)")
        )
        #expect(try await test.channel.unary(Echo.unary, [1]) == [1])
    }

    @Test("The socket of a killed server is replaced")
    func staleSocket() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/server.sock"
        let listener = Server.Listener.unix(path: path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let options = Server.Options(listeners: [.unix(path: path)])
            let server = try Server(router: Router(), options: options)
            server.start()
            kill(getpid(), SIGKILL)
        }
        #expect(FileManager.default.fileExists(atPath: path))
        let server = try Server(
            router: Echo.router(),
            options: Server.Options(listeners: [listener])
        )
        server.start()
        let channel = Channel(target: listener.description)
        #expect(try await channel.unary(Echo.unary, [1]) == [1])
        channel.close()
        server.stop(within: .seconds(5))
    }

    @Test("A file that is not a socket is left alone")
    func foreignFile() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/precious"
        try "data".write(toFile: path, atomically: false, encoding: .utf8)
        let listener = Server.Listener.unix(path: path)
        #expect(
            throws: ServerError.cannotListen(
                listener,
                reason: "\(path) exists and is not a socket"
            )
        ) { try Server(router: Router(), options: Server.Options(listeners: [listener])) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "data")
    }

    @Test("A server removes its socket, and not one that has taken its place")
    func removal() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/server.sock"
        let options = Server.Options(listeners: [.unix(path: path)])
        let first = try Server(router: Router(), options: options)
        first.start()
        first.stop(within: .seconds(5))
        #expect(!FileManager.default.fileExists(atPath: path))

        let second = try Server(router: Router(), options: options)
        second.start()
        try FileManager.default.removeItem(atPath: path)
        try "other".write(toFile: path, atomically: false, encoding: .utf8)
        second.stop(within: .seconds(5))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
    }

    @Test("A server that was never started can be let go, and its socket goes with it")
    func neverStarted() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/server.sock"
        do {
            let options = Server.Options(listeners: [.unix(path: path)])
            _ = try Server(router: Router(), options: options)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("The socket is open to its user alone, in a directory that is made if it is missing")
    func modes() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/made/server.sock"
        let options = Server.Options(listeners: [.unix(path: path)])
        let server = try Server(router: Router(), options: options)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o600)
        #expect(try mode("\(directory.path)/made") == 0o700)
        server.stop(within: .zero)
    }

    @Test("A path that no socket address holds is refused")
    func longPath() {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        let listener = Server.Listener.unix(path: path)
        #expect(
            throws: ServerError.cannotListen(
                listener,
                reason: "a socket path has 1 to 107 bytes: \(path)"
            )
        ) { try Server(router: Router(), options: Server.Options(listeners: [listener])) }
    }

    @Test("The calls of another user's process have that user", .enabled(if: geteuid() == 0))
    func otherUser() async throws {
        var router = Router()
        router.unary("/test.Who/Calls") { _, call in
            let user = call.peer.uid
            call.finish(Array("\(user as Any)".utf8))
        }
        let test = try TestServer(router) { $0.socketAccess.mode = 0o666 }
        defer { test.stop() }
        guard case .unix(let path) = test.server.boundListeners[0] else { return }
        await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
            setuid(65534)
            let channel = Channel(target: "unix:" + path)
            let reply = try await channel.unary("/test.Who/Calls", [])
            exit(
                String(decoding: reply, as: UTF8.self) == "\(Optional<UInt32>(65_534) as Any)"
                    ? 7 : 2
            )
        }
        let reply = try await test.channel.unary("/test.Who/Calls", [])
        #expect(String(decoding: reply, as: UTF8.self) == "\(Optional<UInt32>(0) as Any)")
    }

    @Test("A server answers on several listeners at once")
    func severalListeners() async throws {
        let directory = try TemporaryDirectory()
        let listeners: [Server.Listener] = [
            .unix(path: "\(directory.path)/a.sock"), .unix(path: "\(directory.path)/b.sock"),
            .tcp(host: "127.0.0.1", port: 0),
        ]
        let server = try Server(
            router: Echo.router(),
            options: Server.Options(listeners: listeners)
        )
        server.start()
        for listener in server.boundListeners {
            let channel = Channel(target: listener.description)
            #expect(await channel.waitUntilReady(timeout: .seconds(120)))
            #expect(try await channel.unary(Echo.unary, [1]) == [1])
            channel.close()
        }
        server.stop(within: .seconds(5))
    }
}
