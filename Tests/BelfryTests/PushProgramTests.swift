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

    @Test("A push to many begins when it is told to, unless it is cancelled before")
    func later() async throws {
        let server = try await program.serveAuthorized()
        _ = try await program.run("registrations", "add")
        let pushed = try await program.run(
            "push",
            "--tags",
            "",
            "--alert",
            "B",
            "--at",
            "tomorrow 9:00"
        )
        #expect(pushed.output.hasPrefix("It begins at "))
        let note = try #require(pushed.errors.split(separator: "\n").first)
        let push = String(note.dropFirst("Push ".count))
        let status = try await program.run("push", "status", push)
        #expect(status.output == "Reached 0 devices. It goes on.\n")
        let cancelled = try await program.run("push", "cancel", push)
        #expect(cancelled.output == "Cancelled. Reached 0 devices.\n")
        let ended = try await program.run("push", "status", push)
        #expect(ended.output == "Reached 0 devices.\n")
        let alone = try await program.run("push", "--alert", "B", "--at", "9:00")
        #expect(alone.status == 64)
        #expect(alone.errors.contains("use it with --tags"))
        _ = await server.end(by: SIGTERM)
    }

    @Test("A request fires where the device is reported to be")
    func places() async throws {
        let server = try await program.serveAuthorized()
        let uuid = "6c4f0a52-3c5e-4f63-9a2e-0d1b7a5c4e10"
        let near = ["add", "Home", "--near", "38.7,-9.1,200m", "--on", "enter"]
        let unheard = try await program.start(near).end()
        #expect(unheard.status == 1)
        #expect(unheard.errors.contains("belfry device location --allow always"))
        let allowed = try await program.run("device", "location", "--allow", "when-in-use")
        #expect(allowed.output.contains("for apps in use"))
        #expect(try await program.start(near).end().status == 0)
        _ = try await program.run("add", "Shop", "--beacon", uuid, "--on", "enter")
        for place in ["38.8,-9.1", "38.7,-9.1,10m"] {
            _ = try await program.run("device", "location", place)
        }
        _ = try await program.run("device", "beacons")
        let seen = try await program.run("device", "beacons", "\(uuid),1,2")
        #expect(seen.output == "1 request fired.\n")
        let delivered = try await program.run("delivered")
        #expect(delivered.output.contains("Home"))
        #expect(delivered.output.contains("Shop"))
        let refused = try await program.run("device", "location", "91,0")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("-90 to 90"))
        _ = await server.end(by: SIGTERM)
    }
}
