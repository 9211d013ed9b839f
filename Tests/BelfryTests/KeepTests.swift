internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("belfry backup, restore and check", .timeLimit(.minutes(5)))
struct KeepTests {
    let program: Program

    init() throws { program = try Program() }

    private var data: String { "\(program.home.path)/state/belfry" }

    private func files(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }

    @Test("Back up, lose, restore, serve")
    func life() async throws {
        let first = try await program.serveAuthorized()
        #expect(try await program.run("add", "Tea", "--id", "tea", "--in", "1h").status == 0)
        let text = try await program.run("backup")
        #expect(text.status == 0)
        let path = "\(data)/backups/20260101T000000Z.mdb"
        #expect(text.output.hasPrefix("Backed up to \(path): "))
        #expect(text.output.hasSuffix(" bytes, as of 2026-01-01 00:00:00.\n"))
        let json = try await program.run("backup", "--json")
        let backup = try Belfry_V1_Backup(jsonString: json.output)
        #expect(backup.path == "\(data)/backups/20260101T000000Z-2.mdb")
        #expect(json.output.contains("\"size_bytes\""))
        #expect(try await program.run("add", "Late", "--id", "late", "--in", "1h").status == 0)

        let held = try await program.run("restore", path, "--replace")
        #expect(held.status == 73)
        #expect(held.errors.contains("is using the data directory"))
        #expect(try await program.run("check").status == 73)
        #expect(try await program.run("check", "--file", path).status == 0)
        #expect(await first.end(by: SIGTERM).status == 0)

        let kept = try await program.run("restore", path)
        #expect(kept.status == 1)
        #expect(kept.errors.contains("--replace"))
        let restored = try await program.run("restore", path, "--replace")
        #expect(restored.status == 0)
        #expect(restored.output.hasPrefix("Restored \(data): "))
        #expect(restored.errors.hasPrefix("The store that was there is \(data)/data.mdb.20"))
        let second = try await program.serve("--clock", "manual")
        let pending = try await program.run("pending", "--json")
        #expect(pending.lines.count == 1)
        #expect(pending.output.contains("\"tea\""))
        #expect(await second.end(by: SIGTERM).status == 0)
    }

    @Test("A restore to a new directory tells in JSON what it made")
    func newDirectory() async throws {
        let server = try await program.serveAuthorized()
        let json = try await program.run("backup", "--json")
        let backup = try Belfry_V1_Backup(jsonString: json.output)
        _ = await server.end(by: SIGTERM)
        let other = "\(program.home.path)/other"
        let run = try await program.run("restore", backup.path, "--data", other, "--json")
        #expect(run.status == 0)
        #expect(
            run.output
                == #"{"as_of":"2026-01-01T00:00:00Z","data":"\#(other)","#
                + #""size_bytes":\#(backup.sizeBytes)}"# + "\n"
        )
        #expect(files(other) == ["data.mdb", "lock"])
        #expect(try await program.run("check", "--data", other).status == 0)
    }

    @Test("check tells that all is well, and what is not, on a line each")
    func check() async throws {
        let server = try await program.serveAuthorized()
        #expect(try await program.run("add", "Tea", "--id", "tea\n", "--in", "1h").status == 0)
        _ = await server.end(by: SIGTERM)
        let clean = try await program.run("check")
        #expect(clean.status == 0)
        #expect(clean.output == "Clean: 14 rows, as of 2026-01-01 00:00:00.\n")
        let json = try await program.run("check", "--data", data, "--json")
        #expect(json.output == #"{"as_of":"2026-01-01T00:00:00Z","problems":0,"rows":14}"# + "\n")

        // The identifier's row, found by its key and its version, which says that it has a
        // checksum, gets another version; pages that are not in use any more do too.
        let path = "\(data)/data.mdb"
        var bytes = try Data(contentsOf: URL(filePath: path))
        let row = Data([0, 0, 0, 1]) + Data("tea\n".utf8) + Data([1, 1])
        var place = bytes.startIndex
        while let found = bytes.range(of: row, in: place..<bytes.endIndex) {
            bytes[found.upperBound - 2] = 9
            place = found.upperBound
        }
        #expect(place > bytes.startIndex)
        try bytes.write(to: URL(filePath: path))
        let text = try await program.run("check")
        #expect(text.status == 1)
        #expect(text.lines.count == 2)
        #expect(text.lines.first?.hasPrefix(#"identifiers center 1, identifier "tea"#) == true)
        #expect(text.lines.first?.hasSuffix(#"": does not decode"#) == true)
        #expect(text.lines.last == "centers center 1: counts 1 pending requests of 0")
        #expect(text.errors == "Problems: 2, in 14 rows.\n")
        let lines = try await program.run("check", "--json")
        #expect(lines.status == 1)
        #expect(lines.errors == "")
        let objects = try lines.lines.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
        #expect(objects.map { $0?["table"] as? String } == ["identifiers", "centers", nil])
        #expect(objects.first??["key"] as? String == "center 1, identifier \"tea\n\"")
        #expect(objects.last??["problems"] as? Int == 2)

        let restored = try await program.run("restore", path, "--data", "\(data)/other")
        #expect(restored.status == 1)
        #expect(restored.lines.count == 2)
        #expect(restored.errors.contains("problems: 2"))
        #expect(files("\(data)/other") == ["lock"])
    }

    @Test("A file that was cut short ends check and restore with 1 and a sentence")
    func cutShort() async throws {
        let server = try await program.serveAuthorized()
        #expect(try await program.run("backup").status == 0)
        _ = await server.end(by: SIGTERM)
        let path = "\(data)/backups/20260101T000000Z.mdb"
        let cut = "\(program.home.path)/cut"
        try Data(contentsOf: URL(filePath: path)).prefix(2 * 4_096 + 100)
            .write(to: URL(filePath: cut))
        let check = try await program.run("check", "--file", cut)
        #expect(check.status == 1)
        #expect(check.errors.contains("is damaged"))
        let restore = try await program.run("restore", cut, "--replace")
        #expect(restore.status == 1)
        #expect(try await program.run("check").status == 0)
    }

    @Test("What is missing or no store has a status of its own")
    func statuses() async throws {
        let home = program.home.path
        try Data("tea".utf8).write(to: URL(filePath: "\(home)/tea"))
        #expect(try await program.run("check").status == 3)
        #expect(files(data) == [])
        #expect(try await program.run("check", "--file", "\(home)/nowhere").status == 3)
        #expect(try await program.run("check", "--file", "\(home)/tea").status == 65)
        #expect(try await program.run("restore", "\(home)/nowhere").status == 3)
        #expect(try await program.run("restore", "\(home)/tea").status == 65)
        #expect(try await program.run("restore").status == 64)
        #expect(try await program.run("check", "--data", home, "--file", home).status == 64)
    }
}
