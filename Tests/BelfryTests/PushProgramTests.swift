internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Pushes, from the command line", .timeLimit(.minutes(5)))
struct PushProgramTests {
    let program: Program

    init() throws { program = try Program() }

    @Test("A device registers, is listed with its tags, and is gone again")
    func registrations() async throws {
        let server = try await program.serveAuthorized()
        let empty = try await program.run("registrations")
        #expect(empty.errors == "No device is registered for pushes.\n")
        let token = try #require(try await program.run("registrations", "add").lines.first)
        let tagged = try await program.run("registrations", "tag", token, "sport", "news")
        #expect(tagged.output == "Tags: news sport\n")
        let listed = try await program.run("registrations", "--json")
        let registration = try Belfry_V1_Registration(jsonString: listed.output)
        #expect(registration.token == token)
        #expect(registration.tags == ["news", "sport"])
        let table = try await program.run("registrations")
        #expect(table.lines.last?.hasSuffix("news sport  \(token)") == true)
        let none = try await program.run("registrations", "tag", token)
        #expect(none.output == "Tags: none\n")
        #expect(try await program.run("registrations", "tag", "00", "a").status == 1)
        let removed = try await program.run("registrations", "remove")
        #expect(removed.output == "org.belfry.cli gets no pushes.\n")
        #expect(try await program.run("registrations", "remove").status == 3)
        _ = await server.end(by: SIGTERM)
    }
}
