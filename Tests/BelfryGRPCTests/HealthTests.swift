internal import BelfryGRPC
internal import StandardServices
internal import SwiftProtobuf
internal import Testing

@Suite("Health")
struct HealthTests {
    private static let checkPath = "/grpc.health.v1.Health/Check"
    private static let watchPath = "/grpc.health.v1.Health/Watch"

    private let health = Health()

    private func serve() throws -> TestServer {
        var router = Router()
        health.register(in: &router)
        return try TestServer(router)
    }

    private func request(_ service: String) throws -> [UInt8] {
        try Grpc_Health_V1_HealthCheckRequest.with { $0.service = service }.serializedBytes()
    }

    @Test("Check gives the status of the server and of each service")
    func check() async throws {
        let test = try serve()
        defer { test.stop() }
        health.set(.notServing, for: "store")
        #expect(try await test.channel.unary(Self.checkPath, try request("")) == [8, 1])
        #expect(try await test.channel.unary(Self.checkPath, try request("store")) == [8, 2])
        await #expect(throws: Status(code: .notFound, message: "there is no such service")) {
            try await test.channel.unary(Self.checkPath, try request("other"))
        }
    }

    @Test("Bytes that are not a request are refused", arguments: [checkPath, watchPath])
    func malformed(path: String) async throws {
        let test = try serve()
        defer { test.stop() }
        let stream = test.channel.stream(path)
        try await stream.send([10, 200])
        await stream.finishSending()
        let error = await #expect(throws: Status.self) { try await stream.all() }
        #expect(error?.code == .invalidArgument)
    }

    @Test("Watch sends the status at once, then each change, until the stop")
    func watch() async throws {
        let test = try serve()
        defer { test.stop() }
        let stream = test.channel.stream(Self.watchPath)
        try await stream.send(try request("store"))
        await stream.finishSending()
        #expect(try await stream.next() == [8, 3])
        health.set(.serving, for: "store")
        #expect(try await stream.next() == [8, 1])
        // The same status again is no change, and a status of another service is not this one's.
        health.set(.serving, for: "store")
        health.set(.notServing, for: "other")
        health.set(.notServing, for: "store")
        #expect(try await stream.next() == [8, 2])
        health.set(.serving, for: "store")
        #expect(try await stream.next() == [8, 1])
        let server = test.server
        let stop = Task.detached { server.stop(within: .seconds(600)) }
        #expect(try await stream.next() == [8, 2])
        let error = await #expect(throws: Status.self) { try await stream.next() }
        #expect(error?.code == .unavailable)
        await stop.value
    }
}
