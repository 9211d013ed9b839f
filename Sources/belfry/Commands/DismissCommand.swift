internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Clear notifications as the person does.",
        discussion: """
            The app is notified of a dismissal when the notification's category asks for it. To \
            remove notifications as the app, use 'belfry remove'.
            """
    )

    @Argument(help: ArgumentHelp("The notifications to dismiss.", valueName: "id"))
    var identifiers: [String] = []

    @Option(help: ArgumentHelp("Dismiss a group, by its name in the list.", valueName: "id"))
    var group: String?

    @Flag(help: "Dismiss all notifications of the device, of every app.")
    var all = false

    @Flag(help: "Swipe the banner away; the notification stays.")
    var swipe = false

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        let ways = [!identifiers.isEmpty, group != nil, all].count { $0 }
        guard ways == 1 else {
            throw ValidationError("Name notifications, or say --group or --all.")
        }
        guard !swipe || !identifiers.isEmpty else {
            throw ValidationError("Only named notifications are swiped away.")
        }
    }

    func run() async throws {
        try await client.run { session in
            if let group {
                try report(try await session.person.dismiss(.groupID(group)), session.output)
            } else if all {
                try report(try await session.person.dismiss(.all(.init())), session.output)
            } else {
                for identifier in identifiers {
                    let notification = try await session.shown(identifier)
                    let response = try await session.person.dismiss(
                        .notification(notification),
                        swipe ? .swipeAway : .clear
                    )
                    try report(response, session.output)
                }
            }
        }
    }

    private func report(_ response: Belfry_V1_DismissResponse, _ output: Output) throws {
        if output.isJSON {
            try output.print(json: response)
        } else {
            for notification in response.dismissed {
                try output.print("Dismissed \(notification.identifier.printable).")
            }
            let rest = response.count - UInt64(response.dismissed.count)
            if rest > 0 { try output.print("Dismissed \(rest) more.") }
            if response.count == 0 { output.note("Nothing is there.") }
        }
    }
}
