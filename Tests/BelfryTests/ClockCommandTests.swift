internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

@Suite("belfry clock", .timeLimit(.minutes(5)))
struct ClockCommandTests {
    let program: Program

    init() throws { program = try Program() }

    @Test("A manual clock is shown and moved, and what became due has fired")
    func manual() async throws {
        let server = try await program.serveAuthorized()
        #expect(try await program.run("clock").output == "manual, 2026-01-01 00:00:00\n")
        #expect(try await program.run("add", "Tea", "--id", "tea", "--in", "1h").status == 0)
        let steps = [
            (["30m"], "The clock stands at 2026-01-01 00:30:00; 0 occurrences fired.\n"),
            (["--next"], "The clock stands at 2026-01-01 01:00:00; 1 occurrence fired.\n"),
            (["--to", "9:00"], "The clock stands at 2026-01-01 09:00:00; 0 occurrences fired.\n"),
        ]
        for (arguments, text) in steps {
            let run = try program.start(["clock", "advance"] + arguments)
            #expect(await run.end().output == text)
        }
        #expect(try await program.run("delivered", "--json").lines.count == 1)
        let json = try await program.run("clock", "--json")
        let clock = try Belfry_V1_ClockState(jsonString: json.output)
        #expect(clock.kind == .manual)
        #expect(clock.now.seconds == 1_767_258_000)
        _ = await server.end(by: SIGTERM)
    }

    @Test("The system's clock is not moved, and no clock goes back")
    func refusals() async throws {
        let manual = try await program.serveAuthorized()
        let back = try await program.run("clock", "advance", "--to", "2025-01-01T00:00:00Z")
        #expect(back.status == ExitReason.refused.rawValue)
        #expect(back.errors.contains("--to"))
        _ = await manual.end(by: SIGTERM)
        let other = try Program()
        let system = try await other.serve()
        #expect(try await other.run("clock").output.hasPrefix("system, "))
        let moved = try await other.run("clock", "advance", "1h")
        #expect(moved.status == ExitReason.refused.rawValue)
        #expect(moved.errors.contains("manual"))
        _ = await system.end(by: SIGTERM)
    }

    @Test(
        "One target is needed",
        arguments: [[], ["1h", "--next"], ["--next", "--to", "9:00"], ["1h", "--to", "9:00"]]
    )
    func targets(arguments: [String]) {
        let error = #expect(throws: (any Error).self) {
            try ClockAdvanceCommand.parse(arguments)
        }
        #expect(error.map(ClockAdvanceCommand.message(for:))?.contains("once") == true)
    }
}
