internal import BelfryGRPC
internal import Glibc
internal import Testing

@Suite("What a call carries and how it ends")
struct CallTests {
    @Test("A handler sees path, metadata and peer", arguments: Transport.allCases)
    func facts(transport: Transport) async throws {
        var router = Router()
        router.unary("/test.Facts/Get") { _, call in
            let facts = [
                call.path, call.metadata(named: "first") ?? "-",
                call.metadata(named: "absent") ?? "-", "\(call.peer.transport)",
                call.peer.uid == nil ? "no user" : "user",
            ]
            call.finish(Array(facts.joined(separator: "|").utf8))
        }
        let test = try TestServer(router, on: transport)
        defer { test.stop() }
        let reply = try await test.channel.unary(
            "/test.Facts/Get",
            [],
            metadata: [("second", "2"), ("first", "one")]
        )
        let user = transport == .unix ? "user" : "no user"
        #expect(
            String(decoding: reply, as: UTF8.self) == "/test.Facts/Get|one|-|\(transport)|\(user)"
        )
    }

    @Test("Metadata that comes several times is one list, and alone its first value")
    func repeatedMetadata() async throws {
        var router = Router()
        router.unary("/test.Facts/Get") { _, call in
            let facts = [
                call.metadata(named: "list"), call.joinedMetadata(named: "list"),
                call.joinedMetadata(named: "absent"),
            ]
            call.finish(Array(facts.map { $0 ?? "-" }.joined(separator: "|").utf8))
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let reply = try await test.channel.unary(
            "/test.Facts/Get",
            [],
            metadata: [("list", "b"), ("other", "o"), ("list", "a")]
        )
        #expect(String(decoding: reply, as: UTF8.self) == "b|b,a|-")
    }

    @Test("A stream's error arrives after its messages")
    func streamError() async throws {
        let failure = Status(code: .outOfRange, message: "trimmed")
        var router = Router()
        router.serverStream("/test.Fail/Later") { _, stream in
            stream.send([1])
            stream.finish(failure)
            return Recorder()
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let stream = test.channel.stream("/test.Fail/Later")
        try await stream.send([])
        await stream.finishSending()
        #expect(try await stream.next() == [1])
        await #expect(throws: failure) { try await stream.next() }
    }

    @Test("An unknown method is refused by name")
    func unknownMethod() async throws {
        let test = try TestServer(Echo.router())
        defer { test.stop() }
        await #expect(
            throws: Status(code: .unimplemented, message: "there is no method /test.Echo/Nothing")
        ) { try await test.channel.unary("/test.Echo/Nothing", [1]) }
    }

    @Test("A refused call does not reach its handler, and methods without an authorizer take all")
    func authorization() async throws {
        var router = Echo.router()
        router.unary("/test.Echo/Admin") { _, call in call.finish([1]) }
        router.authorize(by: KeyHolders(paths: ["/test.Echo/Admin"]))
        let test = try TestServer(router)
        defer { test.stop() }
        #expect(try await test.channel.unary(Echo.unary, [5]) == [5])
        await #expect(throws: KeyHolders.noKey) {
            try await test.channel.unary("/test.Echo/Admin", [])
        }
        let key = [("authorization", "Bearer key")]
        #expect(try await test.channel.unary("/test.Echo/Admin", [], metadata: key) == [1])
    }

    @Test("A message that the authorizer refuses ends the call", arguments: Echo.methods)
    func checkedMessages(path: String) async throws {
        var router = Echo.router()
        router.authorize(by: KeyHolders(paths: Set(Echo.methods)))
        let test = try TestServer(router)
        defer { test.stop() }
        let key = [("authorization", "Bearer key")]
        let good = test.channel.stream(path, metadata: key)
        try await good.send([5])
        await good.finishSending()
        #expect(try await good.next() != nil)
        let bad = test.channel.stream(path, metadata: key)
        try await bad.send(KeyHolders.badMessage)
        await bad.finishSending()
        await #expect(throws: KeyHolders.notThis) { while try await bad.next() != nil {} }
    }

    @Test("The user of a peer is the process's over a unix socket, and unknown over TCP")
    func users() async throws {
        for (transport, expected) in [(Transport.unix, getuid()), (.tcp, nil)] {
            var router = Router()
            router.unary("/test.Who/Calls") { _, call in
                let user = call.peer.uid
                call.finish(Array("\(user as Any)".utf8))
            }
            let test = try TestServer(router, on: transport)
            defer { test.stop() }
            let reply = try await test.channel.unary("/test.Who/Calls", [])
            #expect(String(decoding: reply, as: UTF8.self) == "\(expected as Any)")
        }
    }

    @Test("Metadata that HTTP does not allow is refused at the client")
    func illegalMetadata() async throws {
        let test = try TestServer(Echo.router())
        defer { test.stop() }
        let error = await #expect(throws: Status.self) {
            try await test.channel.unary(Echo.unary, [], metadata: [("Upper", "x")])
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test("A call can be finished later and from another thread")
    func finishElsewhere() async throws {
        let park = CallPark()
        let test = try TestServer(park.router)
        defer { test.stop() }
        let channel = test.channel
        async let reply = channel.unary("/test.Park/Wait", [])
        await park.waitForCall()
        park.finish([9])
        #expect(try await reply == [9])
    }

    @Test("An OK without a message is not an answer")
    func emptySuccess() async throws {
        var router = Router()
        router.unary("/test.Fail/Empty") { _, call in call.finish(.ok) }
        let test = try TestServer(router)
        defer { test.stop() }
        let error = await #expect(throws: Status.self) {
            try await test.channel.unary("/test.Fail/Empty", [])
        }
        #expect(error?.code == .internalError)
    }

    @Test("A finish while a send is outstanding comes after it, and only the first one counts")
    func finishAfterSend() async throws {
        var router = Router()
        router.serverStream("/test.Stream/Finish") { _, stream in
            stream.send([UInt8](repeating: 7, count: 300_000))
            stream.finish(.ok)
            stream.finish(Status(code: .aborted, message: "too late"))
            stream.send([8])
            return Recorder()
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let stream = test.channel.stream("/test.Stream/Finish")
        try await stream.send([])
        await stream.finishSending()
        #expect(try await stream.all() == [[UInt8](repeating: 7, count: 300_000)])
    }

    @Test("A second send before the first was admitted is a programmer error")
    func twoSends() async throws {
        await #expect(processExitsWith: .failure) {
            var router = Router()
            router.serverStream("/test.Stream/Twice") { _, stream in
                stream.send([1])
                stream.send([2])
                return Recorder()
            }
            let test = try TestServer(router)
            let stream = test.channel.stream("/test.Stream/Twice")
            try await stream.send([])
            await stream.finishSending()
            _ = try await stream.all()
        }
    }

    @Test("A call that is let go unfinished is a programmer error")
    func lostCall() async throws {
        await #expect(processExitsWith: .failure) {
            var router = Router()
            router.unary("/test.Fail/Lost") { _, _ in }
            let test = try TestServer(router)
            _ = try await test.channel.unary("/test.Fail/Lost", [])
        }
    }
}

/// Lets callers with the key call some methods, and refuses one message.
private struct KeyHolders: CallAuthorizer, MethodAuthorizer {
    let paths: Set<String>

    static let badMessage: [UInt8] = [13]
    static let noKey = Status(code: .unauthenticated, message: "no key")
    static let notThis = Status(code: .permissionDenied, message: "not this")

    func authorizer(of path: String) -> (any MethodAuthorizer)? {
        paths.contains(path) ? self : nil
    }

    func admission(of caller: Caller) -> Admission {
        caller.authorization == "Bearer key" ? .checked : .refused(Self.noKey)
    }

    func refusal(of message: RawSpan, from caller: Caller) -> Status? {
        [UInt8](message) == Self.badMessage ? Self.notThis : nil
    }

    func opened(_ stream: ServerStream, of caller: Caller) -> (any Sendable & AnyObject)? { nil }

    func refused(_ reason: String, _ message: String, at path: String, from peer: Peer) {}
}
