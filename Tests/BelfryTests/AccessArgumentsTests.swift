internal import ArgumentParser
internal import BelfryGRPC
internal import Foundation
internal import NotificationService
internal import Testing

@testable internal import belfry

@Suite("Who may call, on the command line")
struct AccessArgumentsTests {
    @Test(
        "The sockets are the user's alone, unless a mode or a group is named",
        arguments: [
            ([], 0o600, nil), (["--socket-mode", "0666"], 0o666, nil),
            (["--socket-group", "0"], 0o660, 0), (["--socket-group", "root"], 0o660, 0),
            (["--socket-group", "7", "--socket-mode", "600"], 0o600, 7),
        ] as [([String], UInt32, UInt32?)]
    )
    func sockets(arguments: [String], mode: UInt32, group: UInt32?) throws {
        let access = try ServeCommand.parse(arguments).access.socketAccess
        #expect(access.mode == mode)
        #expect(access.group == group)
    }

    @Test("Each --allow-uid of a user adds to the ones before")
    func users() throws {
        let command = try ServeCommand.parse([
            "--allow-uid", "1000", "--allow-uid", "1000=device:phone", "--allow-uid", "7=admin",
        ])
        let users = command.access.users.users
        #expect(users.keys.sorted() == [7, 1_000])
        #expect(users[1_000]?.grants.map(\.description) == ["app", "device:phone"])
        #expect(users[7]?.grants.map(\.description) == ["admin"])
    }

    @Test(
        "What names no user, no role, no mode or no group is refused",
        arguments: [
            ["--allow-uid", ""], ["--allow-uid", "me"], ["--allow-uid", "-1"],
            ["--allow-uid", "4294967295"], ["--allow-uid", "4294967296"],
            ["--allow-uid", "1000="], ["--allow-uid", "1000=root"], ["--allow-uid", "=app"],
            ["--allow-uid", "1000=app:"], ["--socket-mode", "888"], ["--socket-mode", "0060"],
            ["--socket-mode", "01777"], ["--socket-mode", "rw"], ["--socket-group", ""],
            ["--socket-group", "no such group"], ["--socket-group", "4294967295"],
        ]
    )
    func nonsense(arguments: [String]) {
        #expect(throws: (any Error).self) { try ServeCommand.parse(arguments) }
    }
}

@Suite("The file of the tokens")
struct TokenFileTests {
    private let directory = FileManager.default.temporaryDirectory
        .appending(path: UUID().uuidString)
    private var file: TokenFile { TokenFile(path: directory.path + "/tokens.json") }

    private let entry = TokenFile.Entry(
        name: "job",
        sha256: String(repeating: "0f", count: 32),
        roles: ["app:org.example.*"],
        created: Date(timeIntervalSince1970: 1_800_000_000),
        expires: Date(timeIntervalSince1970: 1_800_000_060)
    )

    @Test("What was written is read again, by its user alone")
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        #expect(try file.entries() == [])
        try file.change { $0.append(entry) }
        #expect(try file.entries() == [entry])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("An error while it is changed leaves it as it was")
    func failedChange() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try file.change { $0.append(entry) }
        #expect(throws: TokenFile.Problem.self) {
            try file.change { entries in
                entries = []
                throw TokenFile.Problem.refused("no")
            }
        }
        #expect(try file.entries() == [entry])
    }

    @Test(
        "A file that 'belfry token' did not write is refused",
        arguments: [
            "", "{", "[]", #"{"tokens": 1}"#, #"{"tokens": [{}]}"#, token(digest: "00"),
            token(roles: "[]"), token(roles: #"["root"]"#), token(created: "soon"),
            token(digest: digest + "0f"), token(digest: String(repeating: "xy", count: 32)),
        ]
    )
    func broken(text: String) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
        #expect(throws: TokenFile.Problem.self) { try file.entries() }
    }

    @Test("A file that other users may write is refused")
    func writableByOthers() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try file.change { $0.append(entry) }
        let mode = [FileAttributeKey.posixPermissions: 0o620]
        try FileManager.default.setAttributes(mode, ofItemAtPath: file.path)
        #expect(throws: TokenFile.Problem.self) { try file.entries() }
    }

    private static let digest = String(repeating: "0f", count: 32)

    private static func token(
        digest: String = digest,
        roles: String = #"["app"]"#,
        created: String = "2026-01-01T00:00:00Z"
    ) -> String {
        #"{"tokens": [{"name": "a", "sha256": "\#(digest)", "roles": \#(roles), "#
            + #""created": "\#(created)"}]}"#
    }
}
