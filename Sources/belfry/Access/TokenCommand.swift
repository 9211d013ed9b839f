internal import ArgumentParser
internal import Foundation
internal import NotificationService

/// `belfry token`: makes, lists and revokes the tokens of a server.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list and revoke tokens, with which other users and machines may call.",
        discussion: """
            The commands change the file of the tokens, which the server reads again within a \
            second; it need not run. The file has the digests of the tokens, not their texts.

            \(RoleHelp.text)
            """,
        subcommands: [
            TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self,
        ]
    )
}

/// What the help says of roles.
enum RoleHelp {
    static let text = """
        A role is one of app, device, provider, extension and admin. 'app:org.example.tea' is for \
        one app, 'app:org.example.*' for all whose identifiers begin so, and 'device:phone' for \
        one device. An admin may make every call.
        """
}

/// Where the tokens of a server are, and how commands print.
struct TokenFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The directory of the server's store.", valueName: "directory"),
        completion: .directory
    )
    var data: String = ServePaths.dataDirectory

    @Option(
        help: ArgumentHelp(
            "The file of the tokens.",
            discussion: "Default: tokens.json in the directory of the store.",
            valueName: "path"
        ),
        completion: .file()
    )
    var tokens: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// Runs `body` with the file, and ends the program where the file cannot be read or written.
    func run(_ body: (TokenFile, Output) throws -> Void) throws {
        let output = Output(isJSON: json, environment: ProcessInfo.processInfo.environment)
        do {
            try body(TokenFile(path: tokens ?? TokenFile.path(in: data)), output)
        } catch let problem as TokenFile.Problem {
            output.complain(problem.description)
            throw problem.exitReason.code
        }
    }
}

/// Makes a token.
struct TokenCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a token and print it, once.",
        discussion: """
            The token alone is on standard output, for a variable or a file of its user; the \
            server keeps only its digest. Two tokens of one name count at a time, so that the new \
            one is in use before the old one is revoked.

            A client sends the token in the metadata "authorization: Bearer TOKEN"; 'belfry' takes \
            it from $BELFRY_TOKEN.
            """
    )

    @Argument(help: ArgumentHelp("What the token is for, such as backup-job.", valueName: "name"))
    var name: String

    @Option(
        help: ArgumentHelp(
            "What its bearer may do, such as app:org.example.*. Repeatable.",
            valueName: "role"
        ),
        transform: RoleArgument.parse
    )
    var role: [AccessGrant] = []

    @Option(help: ArgumentHelp("How long the token counts, such as 90d.", valueName: "duration"))
    var expires: DurationArgument?

    @OptionGroup var file: TokenFileOptions

    /// How many tokens of one name count at a time.
    private static let liveOfOneName = 2

    func validate() throws {
        guard !role.isEmpty else {
            throw ValidationError("Say with --role what the token's bearer may do.")
        }
        if let expires, expires.duration < .seconds(1) {
            throw ValidationError("--expires must be 1s or longer: the token would never count.")
        }
        guard (1...64).contains(name.utf8.count), name.printable == name else {
            throw ValidationError("The name must be 1-64 printable bytes.")
        }
    }

    func run() throws {
        try file.run { file, output in
            let text = AccessToken.makeText()
            let now = Date()
            let token = AccessToken(text: text, name: name, rights: AccessRights(role))
            let entry = TokenFile.Entry(
                name: name,
                sha256: token.sha256,
                roles: role.map(\.description),
                created: now,
                expires: expires.map { expires in
                    now.addingTimeInterval(TimeInterval(expires.duration.components.seconds))
                }
            )
            try file.change { entries in
                let live = entries.filter { $0.name == name && !$0.isExpired(at: now) }
                guard live.count < Self.liveOfOneName else {
                    let identifiers = live.map(\.identifier).joined(separator: " and ")
                    throw TokenFile.Problem.refused(
                        """
                        two tokens named \(name) count already: revoke \(identifiers), whichever \
                        is not in use
                        """
                    )
                }
                entries.append(entry)
            }
            guard !output.isJSON else {
                return try output.print(json: entry.json.merging(["token": text]) { $1 })
            }
            output.note("The token \(entry.identifier) is shown this once:")
            try output.print(text)
        }
    }
}

/// Lists the tokens.
struct TokenListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens."
    )

    @OptionGroup var file: TokenFileOptions

    func run() throws {
        try file.run { file, output in
            let entries = try file.entries()
            guard !output.isJSON else {
                for entry in entries { try output.print(json: entry.json) }
                return
            }
            let dates = DateText.current()
            let now = Date()
            var table = Table(header: ["ID", "NAME", "ROLES", "CREATED", "EXPIRES"])
            for entry in entries {
                let expires = entry.expires.map { dates.absolute($0) } ?? ""
                table.append([
                    Table.Cell(entry.identifier), Table.Cell(entry.name),
                    Table.Cell(entry.roles.joined(separator: " ")),
                    Table.Cell(dates.absolute(entry.created)),
                    entry.isExpired(at: now)
                        ? Table.Cell(expires + " (expired)", .dim) : Table.Cell(expires),
                ])
            }
            try output.print(table, whenEmpty: "There are no tokens.")
        }
    }
}

/// Revokes a token.
struct TokenRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a token: from the next second on, the server refuses it.",
        discussion: "The streams of the token that are open end with UNAUTHENTICATED."
    )

    @Argument(
        help: ArgumentHelp("The token's ID, as 'list' has it, or its name.", valueName: "token")
    )
    var token: String

    @OptionGroup var file: TokenFileOptions

    func run() throws {
        try file.run { file, output in
            let entry = try file.change { entries in
                let found = entries.indices.filter { index in
                    entries[index].name == token || entries[index].identifier == token
                }
                guard let index = found.first else {
                    throw TokenFile.Problem.notFound("there is no token \(token)")
                }
                guard found.count == 1 else {
                    let identifiers = found.map { entries[$0].identifier }
                    throw TokenFile.Problem.refused(
                        """
                        \(found.count) tokens are named \(token): say one of \
                        \(identifiers.joined(separator: ", "))
                        """
                    )
                }
                return entries.remove(at: index)
            }
            if output.isJSON {
                try output.print(json: entry.json)
            } else {
                try output.print("Revoked \(entry.identifier) (\(entry.name)).")
            }
        }
    }
}

/// A value of `--role`, and a part of one of `--allow-uid`.
enum RoleArgument {
    static func parse(_ text: String) throws -> AccessGrant {
        guard let grant = AccessGrant(text) else {
            throw ValidationError(
                """
                '\(text.printable)' is no role: app, device, provider, extension or admin, and \
                behind a colon the app or device, or the beginning of such with a * behind it, as \
                in app:org.example.*
                """
            )
        }
        return grant
    }
}

extension TokenFile.Entry {
    /// What a script gets of the token.
    fileprivate var json: [String: Any] {
        var object: [String: Any] = [
            "id": identifier, "name": name, "roles": roles,
            "created": created.formatted(.iso8601),
        ]
        if let expires { object["expires"] = expires.formatted(.iso8601) }
        return object
    }
}
