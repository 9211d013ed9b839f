internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("belfry attachments and sounds", .timeLimit(.minutes(5)))
struct AttachmentsTests {
    let program: Program

    init() throws { program = try Program() }

    /// Writes a file, and gives its path.
    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = "\(program.home.path)/\(name)"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    @Test("A file is stored, shown, fetched, and held by a notification")
    func life() async throws {
        let server = try await program.serveAuthorized()
        let bytes = SampleFiles.png(bytes: 700_000)
        let put = try await program.run("attachments", "put", try file("cup.png", bytes))
        #expect(put.status == 0)
        let identifier = try #require(put.lines.first)
        #expect(identifier.count == 36)
        // Where the upload takes a second, its progress is told first.
        #expect(
            put.errors.hasSuffix(
                "cup.png: public.png, 700000 bytes, unreferenced until 2026-01-02 00:00:00\n"
            )
        )
        let added = try await program.run("add", "Tea", "--in", "1h", "--attachment", identifier)
        #expect(added.status == 0)
        let shown = try await program.run("attachments", "show", identifier)
        #expect(shown.output == "cup.png: public.png, 700000 bytes, in use\n")
        let json = try await program.run("attachments", "show", identifier, "--json")
        #expect(try Belfry_V1_Attachment(jsonString: json.output).sizeBytes == 700_000)

        let copy = "\(program.home.path)/copy.png"
        let got = try await program.run("attachments", "get", identifier, "--output", copy)
        #expect(got.output == "Wrote \(copy): 700000 bytes.\n")
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(bytes))
        _ = await server.end(by: SIGTERM)
    }

    @Test("What is refused, and what is not there, is told by the exit status")
    func refused() async throws {
        let server = try await program.serveAuthorized()
        let text = try await program.run("attachments", "put", try file("a.txt", [1]))
        #expect(text.status == 1)
        #expect(text.errors.contains("ATTACHMENT_UNRECOGNIZED_TYPE"))
        #expect(try await program.run("attachments", "put", "/nowhere.png").status == 65)
        #expect(try await program.run("attachments", "show", "x").status == 3)
        #expect(try await program.run("attachments", "get", "x").status == 3)
        #expect(try await program.run("sounds", "set", "a", "x").status == 3)
        _ = await server.end(by: SIGTERM)
    }

    @Test("A sound has a name, how long it plays, and an end")
    func sounds() async throws {
        let server = try await program.serveAuthorized()
        for (milliseconds, note) in [
            (1_000, ""), (30_000, "That is too long: the system's sound plays instead.\n"),
        ] {
            let path = try file("bell.wav", SampleFiles.wave(blocks: milliseconds))
            let put = try await program.run("attachments", "put", path, "--purpose", "sound")
            let identifier = try #require(put.lines.first)
            let set = try await program.run("sounds", "set", "bell.wav", identifier)
            #expect(set.output == "bell.wav plays for \(milliseconds / 1_000)s.\n")
            #expect(set.errors == note)
        }
        let removed = try await program.run("sounds", "remove", "bell.wav")
        #expect(removed.output == "bell.wav is gone.\n")
        _ = await server.end(by: SIGTERM)
    }

    @Test("A backup tells of its attachments, and is restored with them")
    func backup() async throws {
        let server = try await program.serveAuthorized()
        let put = try await program.run("attachments", "put", try file("a.png", SampleFiles.png()))
        let identifier = try #require(put.lines.first)
        let backup = try await program.run("backup")
        let directory = "\(program.home.path)/state/belfry/backups/20260101T000000Z.attachments"
        #expect(backup.lines.last == "Its attachments (1) are in \(directory): 33 bytes.")
        _ = await server.end(by: SIGTERM)
        let path = String(directory.dropLast(11)) + "mdb"
        #expect(try await program.run("restore", path, "--replace").status == 0)
        let second = try await program.serve("--clock", "manual")
        #expect(try await program.run("attachments", "show", identifier).status == 0)
        _ = await second.end(by: SIGTERM)
    }
}
