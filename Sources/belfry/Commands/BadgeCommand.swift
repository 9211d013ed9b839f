internal import ArgumentParser
internal import NotificationClient

/// Sets the app's badge.
struct BadgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: "Set the app's badge."
    )

    @Argument(help: ArgumentHelp("The badge; 0 shows none.", valueName: "number"))
    var count: Int32

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let badge = try await session.notifications.setBadgeCount(count)
            try session.output.print(
                session.output.isJSON ? "{\"badge\":\(badge)}" : "The badge is \(badge)."
            )
        }
    }
}
