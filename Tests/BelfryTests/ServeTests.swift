internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import belfry

@Suite("belfry serve from start to stop", .timeLimit(.minutes(5)))
struct ServeTests {
    let program: Program

    init() throws { program = try Program() }

    @Test("status tells what the server is, on a terminal and as JSON")
    func status() async throws {
        let server = try await program.serve(
            "--clock",
            "manual=2026-01-01T00:00:00Z",
            "--pending-limit",
            "7"
        )
        let text = try await program.run("status")
        #expect(text.status == 0)
        #expect(text.lines.first == "SERVER                unix:\(program.socket)")
        #expect(text.lines.contains("clock                 manual, 2026-01-01 00:00:00"))
        #expect(text.lines.contains("pending per center    7"))
        #expect(text.lines.contains("delivered per center  1000, for 1w"))
        #expect(text.lines.contains("events kept           for 1w"))
        let json = try await program.run("status", "--json")
        let info = try Belfry_V1_GetServerInfoResponse(jsonString: json.output)
        #expect(info.version == Belfry.version)
        #expect(info.limits.pendingPerCenter == 7)
        _ = await server.end(by: SIGTERM)
    }

    @Test("status --wait waits for a server that is about to start")
    func wait() async throws {
        let waiting = try program.start(["status", "--wait", "--timeout", "60s"])
        let server = try program.start(["serve"])
        #expect(await waiting.end().status == 0)
        #expect(await server.end(by: SIGTERM).status == 0)
        let late = try await program.run("status", "--wait", "--timeout", "50ms")
        #expect([69, 75].contains(late.status))
    }

    @Test(
        "TERM and INT stop it in order, and what was added is there at the next start",
        arguments: [SIGTERM, SIGINT]
    )
    func restart(signal: Int32) async throws {
        let first = try await program.serveAuthorized()
        #expect(try await program.run("add", "Tea", "--id", "tea", "--in", "1h").status == 0)
        let end = await first.end(by: signal)
        #expect(end.status == 0)
        #expect(end.output == "")
        #expect(end.errors.contains("stopping"))
        #expect(end.errors.contains("stopped"))
        #expect(!FileManager.default.fileExists(atPath: program.socket))

        let second = try await program.serve("--clock", "manual")
        let pending = try await program.run("pending", "--json")
        #expect(pending.lines.count == 1)
        let request = try Belfry_V1_PendingRequest(jsonString: pending.output)
        #expect(request.nextTriggerDate.seconds == 1_767_229_200)
        _ = await second.end(by: SIGTERM)
    }

    @Test("A kill loses nothing that was answered")
    func kill() async throws {
        let first = try await program.serveAuthorized()
        #expect(try await program.run("add", "Tea", "--id", "tea", "--in", "1h").status == 0)
        _ = await first.end(by: SIGKILL)
        let second = try await program.serve("--clock", "manual")
        #expect(try await program.run("pending", "--json").lines.count == 1)
        _ = await second.end(by: SIGTERM)
    }

    @Test("A second server on a data directory ends with 73, and the first one serves on")
    func secondOnDirectory() async throws {
        let server = try await program.serve()
        let other = try await program.run("serve", "--listen", "unix:\(program.home.path)/b.sock")
        #expect(other.status == 73)
        #expect(other.errors.contains("is using the data directory"))
        #expect(try await program.run("status").status == 0)
        _ = await server.end(by: SIGTERM)
    }

    @Test("A second server on a socket ends with 73, and the first one serves on")
    func secondOnSocket() async throws {
        let server = try await program.serve()
        let other = try await program.run("serve", "--data", "\(program.home.path)/other")
        #expect(other.status == 73)
        #expect(other.errors.contains(program.socket))
        #expect(try await program.run("status").status == 0)
        _ = await server.end(by: SIGTERM)
    }

    @Test("A directory that cannot be made ends it with 73")
    func badDirectory() async throws {
        let run = try await program.run("serve", "--data", "/dev/null/belfry")
        #expect(run.status == 73)
        #expect(!run.errors.isEmpty)
    }

    @Test("It listens on TCP where it is told to, and names the port")
    func tcp() async throws {
        let server = try await program.serve("--listen", "tcp:127.0.0.1:0")
        let end = await server.end(by: SIGTERM)
        let port = end.errors.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/)?.1
        #expect(port.flatMap { UInt16($0) }.map { $0 > 0 } == true)
        #expect(end.errors.contains("listening on unix:\(program.socket)"))
    }

    @Test("A stop does not wait for those who only watch")
    func stopWhileWatched() async throws {
        let server = try await program.serveAuthorized()
        let watch = try program.start(["watch", "--after", "0", "--count", "2"])
        #expect(await server.end(by: SIGTERM).status == 0)
        _ = await watch.end(by: SIGINT)
    }
}
