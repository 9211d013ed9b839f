internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("The device and its person, from the command line", .timeLimit(.minutes(5)))
struct DeviceCommandTests {
    let program: Program

    init() throws { program = try Program() }

    @Test("Lock, unlock, Focus, zone and languages, each shown as it is then")
    func state() async throws {
        let server = try await program.serveAuthorized()
        let first = try await program.run("device")
        #expect(first.status == 0)
        #expect(first.lines.first?.contains("local") == true)
        #expect(first.output.contains("unlocked"))
        #expect(try await program.run("device", "lock").lines[1].hasSuffix(" locked"))
        let focus = try await program.run("device", "focus", "Work", "--allow", "org.example.a")
        #expect(focus.output.contains("Work, with org.example.a"))
        let zone = try await program.run("device", "zone", "Europe/Lisbon", "--json")
        let state = try Belfry_V1_DeviceState(jsonString: zone.output)
        #expect(state.locked)
        #expect(state.focus.name == "Work")
        #expect(state.timeZone == "Europe/Lisbon")
        #expect(try await program.run("device", "focus", "--off").output.contains("off"))
        #expect(try await program.run("device", "unlock").output.contains("unlocked"))
        let languages = try await program.run("device", "languages", "pt-BR", "en")
        #expect(languages.lines.last?.hasSuffix(" pt-BR, en") == true)
        #expect(try await program.run("device", "languages", "pt_BR").status == 1)
        let none = try await program.run("device", "languages", "--json")
        #expect(try Belfry_V1_DeviceState(jsonString: none.output).languages == [])
        #expect(try await program.run("device", "zone", "Mars/Olympus").status == 1)
        #expect(try await program.run("device", "focus").status == 64)
        _ = await server.end(by: SIGTERM)
    }

    @Test("Respond opens one that is there, and dismiss clears")
    func person() async throws {
        let server = try await program.serveAuthorized()
        for name in ["a", "b", "c"] { _ = try await program.run("add", name, "--id", name) }
        let old = try await program.run("respond", "a", "--delivery", "7")
        #expect(old.status == 3)
        #expect(try await program.run("respond", "a").output == "a is answered\n")
        #expect(try await program.run("respond", "a").status == 3)
        #expect(try await program.run("respond", "b", "--action", "none").status == 1)
        #expect(try await program.run("respond", "b", "--text", "x").status == 64)
        #expect(try await program.run("dismiss", "b", "--swipe").output == "Dismissed b.\n")
        #expect(try await program.run("dismiss", "b").output == "Dismissed b.\n")
        #expect(try await program.run("dismiss", "--group", "none").status == 3)
        let all = try await program.run("dismiss", "--all", "--json")
        let response = try Belfry_V1_DismissResponse(jsonString: all.output)
        #expect(response.dismissed.map(\.identifier) == ["c"])
        #expect(try await program.run("dismiss").status == 64)
        _ = await server.end(by: SIGTERM)
    }
}
