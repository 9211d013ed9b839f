internal import ArgumentParser
internal import BelfryGRPC
internal import Foundation
internal import Glibc
internal import NotificationService
internal import NotificationStore

/// The callers that `belfry serve` lets in, beside the server's own user.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The mode of the unix sockets, in octal: who may write one may connect.",
            discussion: """
                Default: 0600, or 0660 with --socket-group. A socket that systemd passes has the \
                mode and the group of its unit.
                """,
            valueName: "mode"
        ),
        transform: Self.mode
    )
    var socketMode: UInt32?

    @Option(
        help: ArgumentHelp(
            "The group of the unix sockets, by name or number.",
            discussion: "It has to be able to enter the directory; one that is made lets it.",
            valueName: "group"
        ),
        transform: Self.group
    )
    var socketGroup: UInt32?

    @Option(
        help: ArgumentHelp(
            "Let a user call over the unix sockets: UID, or UID=ROLE. Repeatable.",
            discussion: """
                Without a role the user is an app. \(RoleHelp.text) Each --allow-uid of a user \
                adds to the ones before. The user has to reach the socket too: see \
                --socket-group and --socket-mode.
                """,
            valueName: "uid"
        ),
        transform: UserRight.init
    )
    var allowUid: [UserRight] = []

    @Option(
        help: ArgumentHelp(
            "The file of the tokens that 'belfry token' makes.",
            discussion: """
                Default: tokens.json in the directory of the store. It is read again when it \
                changes; SIGHUP reads it at once.
                """,
            valueName: "path"
        ),
        completion: .file()
    )
    var tokens: String?

    @Flag(
        help: ArgumentHelp(
            "Let every program that reaches a TCP port make every call, without a token.",
            discussion: "It also allows --listen to take an address that other machines reach."
        )
    )
    var insecure = false

    @Option(
        help: ArgumentHelp(
            "How many apps one caller may register, each counted on each of its devices.",
            discussion: """
                A caller is a user of --allow-uid, a token, or a certificate. The server's own \
                user and callers with the role admin may register any number.
                """,
            valueName: "count"
        )
    )
    var appsPerCaller = StoreLimits().appsPerCaller

    @Option(
        help: ArgumentHelp(
            "How large the files of one caller may be together, such as 4GiB, the default.",
            discussion: """
                Files are those of 'belfry attachments put', sounds and payloads of rich pushes \
                too, of all apps. The server's own user and callers with the role admin may store \
                any.
                """,
            valueName: "size"
        )
    )
    var bytesPerCaller: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "How much the apps of one caller may keep in the store, such as 4GiB, the default.",
            discussion: """
                That is about what their pending requests and their events take. A further \
                request or push is refused. The apps of the server's own user and of callers with \
                the role admin may keep any.
                """,
            valueName: "size"
        )
    )
    var storeBytesPerCaller: ByteCountArgument?

    @OptionGroup var keys: KeyOptions

    /// Which users may connect to the unix sockets.
    var socketAccess: Server.SocketAccess {
        var access = Server.SocketAccess()
        access.group = socketGroup
        access.mode = socketMode ?? (socketGroup == nil ? 0o600 : 0o660)
        return access
    }

    /// The rights of users, without those of tokens.
    var users: AccessControl.Options {
        var options = AccessControl.Options()
        options.certificates = keys.certificates
        options.tcpNeedsNoToken = insecure
        for right in allowUid {
            let before = options.users[right.user]?.grants ?? []
            options.users[right.user] = AccessRights(before + [right.grant])
        }
        return options
    }

    func validate() throws {
        guard appsPerCaller > 0 else {
            throw ValidationError("--apps-per-caller must be at least 1")
        }
    }

    private static func mode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else {
            throw ValidationError(
                "'\(text.printable)' is no mode of a socket: octal, such as 0660, with 0600 in it"
            )
        }
        return mode
    }

    private static func group(_ text: String) throws -> UInt32 {
        if let number = UInt32(text), number != .max { return number }
        // The library's own memory is read before another call may ask for a group.
        guard let found = unsafe getgrnam(text) else {
            throw ValidationError("there is no group \(text.printable)")
        }
        return unsafe found.pointee.gr_gid
    }
}

/// A value of `--allow-uid`.
struct UserRight {
    let user: UInt32
    let grant: AccessGrant

    init(_ argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = UInt32(parts[0]), user != .max else {
            throw ValidationError(
                "'\(String(parts[0]).printable)' is no number of a user: see 'id -u'"
            )
        }
        self.user = user
        grant = try parts.count == 2 ? RoleArgument.parse(String(parts[1])) : AccessGrant(.app)
    }
}
