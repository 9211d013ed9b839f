internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import NotificationClient
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

/// The words of the help about roles.
enum RoleHelp {
    static let text = """
        A role is one of app, device, provider, extension, metrics and admin. \
        'app:org.example.tea' is for one app, 'app:org.example.*' for all whose identifiers begin \
        so, and 'device:phone' for one device. Metrics may read the server's figures alone, and an \
        admin may make every call.
        """
}

/// Where the tokens of a server are, and how commands print.
struct TokenFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory of the server's store.",
            discussion: "Default: $BELFRY_DATA, else that of your own server.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The file of the tokens.",
            discussion: "Default: $BELFRY_TOKENS, else tokens.json in the directory of the store.",
            valueName: "path"
        ),
        completion: .file()
    )
    var tokens: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard data?.isEmpty != true else { throw ValidationError("--data must name a directory.") }
        guard tokens?.isEmpty != true else { throw ValidationError("--tokens must name a file.") }
    }

    /// Runs `body` with the file, and ends the program where the file cannot be read or written.
    func run(_ body: (TokenFile, Output) throws -> Void) throws {
        let environment = ProcessInfo.processInfo.environment
        let output = Output(isJSON: json, environment: environment)
        do {
            try body(TokenFile(path: try path(environment)), output)
        } catch let problem as TokenFile.Problem {
            output.complain(problem.description)
            throw problem.exitReason.code
        }
    }

    /// The file that is named, else that of the user's own server.
    ///
    /// - Throws: ``TokenFile/Problem`` where commands call another server than the one that has the
    ///   file: it would not learn of the tokens.
    private func path(_ environment: [String: String]) throws(TokenFile.Problem) -> String {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let tokens { return tokens }
        if let data { return TokenFile.path(in: data) }
        if let tokens = variable("BELFRY_TOKENS") { return tokens }
        if let data = variable("BELFRY_DATA") { return TokenFile.path(in: data) }
        let directory = ServePaths.dataDirectory
        let socket = ServePaths.socket
        let target = ServerTarget.resolve(
            nil,
            environment: environment,
            userID: getuid(),
            isDirectory: ServePaths.isDirectory
        )
        guard target == "unix:" + socket else {
            throw TokenFile.Problem(
                description: """
                    $BELFRY_SERVER names the server at \(target.printable), and \(directory) is \
                    the store of your own server: say with --data which store is meant
                    """,
                exitReason: .usage
            )
        }
        let server = FileLock.holder(of: socket + ".lock")
        guard let server, server != FileLock.holder(of: directory + "/lock") else {
            return TokenFile.path(in: directory)
        }
        throw TokenFile.Problem(
            description: """
                the server at \(socket) (process \(server)) has another store than \(directory): \
                say with --data which store is meant
                """,
            exitReason: .usage
        )
    }
}

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

    func validate() throws {
        guard !role.isEmpty else {
            throw ValidationError("Say with --role what the token's bearer may do.")
        }
        if let expires, expires.duration < .seconds(1) {
            throw ValidationError("--expires must be 1s or longer: the token would never count.")
        }
        guard TokenFile.isName(name) else {
            throw ValidationError("The name must be 1-64 printable bytes.")
        }
    }

    func run() throws {
        try file.run { file, output in
            let (text, entry) = try file.create(name, role, seconds: expires?.seconds)
            guard !output.isJSON else {
                return try output.print(json: entry.json.merging(["token": text]) { $1 })
            }
            output.note("The token \(entry.identifier) is shown this once:")
            try output.print(text)
        }
    }
}

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
            let entry = try file.revoke(token)
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
                '\(text.printable)' is no role: app, device, provider, extension, metrics or \
                admin, and behind a colon the app or device, or the beginning of such with a * \
                behind it, as in app:org.example.*
                """
            )
        }
        return grant
    }
}

extension TokenFile.Entry {
    /// The token as a script gets it.
    fileprivate var json: [String: Any] {
        var object: [String: Any] = [
            "id": identifier, "name": name, "roles": roles,
            "created": created.formatted(.iso8601),
        ]
        if let expires { object["expires"] = expires.formatted(.iso8601) }
        return object
    }
}
