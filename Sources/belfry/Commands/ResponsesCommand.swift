internal import ArgumentParser
internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol

/// Prints the person's responses to the app's notifications.
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
            once more. A program that spoke for the app until then is told no more.

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
            "End when no response has come for so long; with 75 if none came at all.",
            valueName: "duration"
        )
    )
    var wait: DurationArgument?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard (limit ?? 1) > 0 else { throw ValidationError("--count must be more than 0.") }
        guard wait.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--wait must be longer than 0s, such as 1s.")
        }
    }

    func run() async throws {
        try await client.run { session in
            // Fail at once where no server answers, and do not wait.
            _ = try await session.server.serverInfo()
            Terminal.endWithTheReader()
            let patience = Patience(wait?.duration)
            let printer = ResponsePrinter(session: session, limit: limit, patience: patience)
            if try await patience.run({ try await printer.run() }) == nil, !patience.wasRenewed {
                throw ExitReason.tryLater.code
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
        // The printed responses whose completion the server did not get: it tells them again.
        var printed: Set<String> = []
        for try await frame in session.notifications.subscribeToResponses() {
            switch frame.kind {
            case .started(let started): subscription = started.subscriptionID
            case .demoted: throw session.demoted
            case .callback(let callback):
                guard case .didReceive(let response) = callback.question else { continue }
                patience.renew()
                if !printed.contains(callback.callbackID) {
                    // Leave further responses to the next caller that asks.
                    guard count != limit else { continue }
                    try print(response)
                    printed.insert(callback.callbackID)
                    count += 1
                }
                let isDone = try await session.completeResponse(callback, subscription)
                guard isDone else { continue }
                printed.remove(callback.callbackID)
                if count == limit, printed.isEmpty { return }
            default: continue
            }
        }
    }
}

extension ResponsePrinter {
    private func print(_ response: Belfry_V1_NotificationResponse) throws {
        if session.output.isJSON {
            try session.output.print(json: response)
        } else {
            try session.output.print(ResponseText.line(response, withIdentifier: true))
        }
    }
}

extension Session {
    /// Says that a response was handled.
    ///
    /// - Returns: false where the subscription was cut meanwhile: the response is told again when
    ///   it resumes, or to the next who asks.
    func completeResponse(
        _ callback: Belfry_V1_Callback,
        _ subscription: String
    ) async throws -> Bool {
        do throws(ClientError) {
            try await notifications.completeResponse(
                callback.callbackID,
                subscription: subscription
            )
            return true
        } catch {
            let reasons = ["NOT_PRIMARY", "SUBSCRIPTION_UNKNOWN"]
            guard error.code == .unavailable || reasons.contains(error.reason) else { throw error }
            return false
        }
    }

    /// The end of a command for which another program speaks now.
    var demoted: ExitCode {
        output.complain("another program speaks for \(center.appID) now")
        return ExitReason.taken.code
    }
}

/// Writes the person's response as a line of texts with tabs between them.
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

    /// Gives the action of an answer, and the text where there is one.
    static func line(_ answer: Belfry_V1_Answer) -> String {
        let text = answer.hasUserText ? [answer.userText] : []
        return ([action(answer.actionIdentifier)] + text).map(\.printable).joined(separator: "\t")
    }

    /// The word for an action: "open", "dismiss", or the button's identifier.
    static func action(_ identifier: String) -> String {
        switch identifier {
        case "com.apple.UNNotificationDefaultActionIdentifier": "open"
        case "com.apple.UNNotificationDismissActionIdentifier": "dismiss"
        default: identifier
        }
    }
}
