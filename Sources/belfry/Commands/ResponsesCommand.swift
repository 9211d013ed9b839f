internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Prints what the person does with the app's notifications.
struct ResponsesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "responses",
        abstract: "Print what the person does with the app's notifications.",
        discussion: """
            Each line has the action, the notification and the text that the person typed, with \
            tabs between them. The action is 'open' for a tap, 'dismiss', or a button's \
            identifier. With --json each line is a NotificationResponse of belfry.v1.

            The command speaks for the app: responses that came while nothing did are printed \
            first, and one that was printed does not come again. After a crash in between it comes \
            once more. A program of the app that does the same is told no more meanwhile.

              belfry responses | while IFS=$'\\t' read -r action id text; do …; done
              belfry responses --count 1 --wait 10m
            """
    )

    @Option(
        name: .customLong("count"),
        help: ArgumentHelp("End after so many responses.", valueName: "number")
    )
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "End when no response has come for so long; with 1 if none came at all.",
            valueName: "duration"
        )
    )
    var wait: DurationArgument?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard (limit ?? 1) > 0 else { throw ValidationError("--count must be more than 0.") }
    }

    func run() async throws {
        try await client.run { session in
            // When no server answers at the start, the command fails and does not wait.
            _ = try await session.server.serverInfo()
            let patience = Patience(wait?.duration)
            let printer = ResponsePrinter(session: session, limit: limit, patience: patience)
            if try await patience.run({ try await printer.run() }) == nil, !patience.wasRenewed {
                throw ExitReason.refused.code
            }
        }
    }
}

/// Prints responses, and completes each that was printed.
private struct ResponsePrinter {
    let session: Session
    let limit: Int?
    let patience: Patience

    func run() async throws {
        var subscription = ""
        var count = 0
        for try await frame in session.notifications.subscribeToResponses() {
            switch frame.kind {
            case .started(let started): subscription = started.subscriptionID
            case .demoted: throw session.demoted
            case .callback(let callback):
                guard case .didReceive(let response) = callback.question else { continue }
                if session.output.isJSON {
                    try session.output.print(json: response)
                } else {
                    try session.output.print(ResponseText.line(response, withIdentifier: true))
                }
                try await session.notifications.completeResponse(
                    callback.callbackID,
                    subscription: subscription
                )
                patience.renew()
                count += 1
                if count == limit { return }
            default: continue
            }
        }
    }
}

extension Session {
    /// The end of a command for which another program speaks now.
    var demoted: ExitCode {
        output.complain("another program speaks for \(center.appID) now")
        return ExitReason.refused.code
    }
}

/// Writes what the person did as a line of texts with tabs between them.
enum ResponseText {
    /// Gives the action, the identifier where it is wanted, and the text where there is one.
    static func line(
        _ response: Belfry_V1_NotificationResponse,
        withIdentifier: Bool
    ) -> String {
        var parts = [action(response.actionIdentifier)]
        if withIdentifier { parts.append(response.notification.request.identifier) }
        if response.hasUserText { parts.append(response.userText) }
        return parts.map(\.printable).joined(separator: "\t")
    }

    private static func action(_ identifier: String) -> String {
        switch identifier {
        case "com.apple.UNNotificationDefaultActionIdentifier": "open"
        case "com.apple.UNNotificationDismissActionIdentifier": "dismiss"
        default: identifier
        }
    }
}
