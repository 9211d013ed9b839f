internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Sets, lists and removes the named sounds of the app.
struct SoundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sounds",
        abstract: "Set and list the named sounds that the app's notifications play.",
        discussion: """
            Store a file first, with 'belfry attachments put ring.caf --purpose sound'. A name \
            that the app does not have, and a sound of 30 seconds or more, plays the system's \
            sound instead.
            """,
        subcommands: [Set.self, List.self, Remove.self]
    )

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Give the app a sound."
        )

        @Argument(help: ArgumentHelp("The name, such as ring.caf.", valueName: "name"))
        var name: String

        @Argument(help: ArgumentHelp("The file, as 'attachments put' named it.", valueName: "id"))
        var attachment: String

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let sound = try await session.installation.setSound(
                    name,
                    to: attachment,
                    of: session.center.appID
                )
                guard !session.output.isJSON else {
                    try session.output.print(json: sound)
                    return
                }
                let seconds =
                    Duration.seconds(sound.duration.seconds)
                    + .nanoseconds(Int64(sound.duration.nanos))
                try session.output.print(
                    "\(name.printable) plays for \(DurationText.format(seconds))."
                )
                if sound.isTooLong {
                    session.output.note("That is too long: the system's sound plays instead.")
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a sound."
        )

        @Argument(help: ArgumentHelp("The name.", valueName: "name"))
        var name: String

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let app = session.center.appID
                _ = try await session.installation.setSound(name, to: "", of: app)
                if session.output.isJSON {
                    try session.output.print(json: ["removed": name])
                } else {
                    try session.output.print("\(name.printable) is gone.")
                }
            }
        }
    }
}
