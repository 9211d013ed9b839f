internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

struct RespondCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "respond",
        abstract: "Open a notification, or press one of its buttons.",
        discussion: "It acts as the person: the app is notified, now or when it subscribes again."
    )

    @Argument(help: ArgumentHelp("The notification.", valueName: "id"))
    var identifier: String

    @Option(help: ArgumentHelp("The button to press; without it, open the app.", valueName: "id"))
    var action: String?

    @Option(help: "The text to type, if the button asks for a text.")
    var text: String?

    @Option(
        help: ArgumentHelp(
            "The number of the delivery, so that a newer delivery is not answered.",
            discussion: "Default: the delivery in the list.",
            valueName: "number"
        )
    )
    var delivery: UInt64?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard text == nil || action != nil else {
            throw ValidationError("A text is typed into a button: name it with --action.")
        }
    }

    func run() async throws {
        try await client.run { session in
            let notification = try await session.shown(identifier, delivery)
            let outcome = try await session.person.respond(act, to: notification)
            if session.output.isJSON {
                var response = Belfry_V1_RespondResponse()
                response.outcome = outcome
                try session.output.print(json: response)
            } else {
                try session.output.print("\(identifier.printable) \(Self.text(of: outcome))")
            }
        }
    }

    private var act: Belfry_V1_RespondRequest.OneOf_Act {
        guard let action else { return .defaultAction(.init()) }
        var custom = Belfry_V1_CustomAction()
        custom.actionIdentifier = action
        if let text { custom.userText = text }
        return .action(custom)
    }

    private static func text(of outcome: Belfry_V1_RespondOutcome) -> String {
        switch outcome {
        case .sent: "is answered"
        case .waitingForUnlock: "waits until the device is unlocked"
        case .snoozed: "is snoozed"
        case .handledByExtension: "is with the app's extension"
        case .unspecified, .UNRECOGNIZED: "is taken"
        }
    }
}

extension Session {
    /// Finds a delivered notification of the app; without a delivery number, the delivery in the
    /// list.
    func shown(
        _ identifier: String,
        _ delivery: UInt64? = nil
    ) async throws -> Belfry_V1_NotificationRef {
        var reference = Belfry_V1_NotificationRef()
        reference.center = center
        reference.identifier = identifier
        if let delivery {
            reference.delivery = delivery
            return reference
        }
        var filter = Belfry_V1_NotificationFilter()
        filter.identifiers = [identifier]
        let page = try await notifications.listDelivered(filter)
        guard let found = page.notifications.first else {
            output.note("Nothing is there under that name.")
            throw ExitReason.notFound.code
        }
        reference.delivery = found.delivery
        return reference
    }
}
