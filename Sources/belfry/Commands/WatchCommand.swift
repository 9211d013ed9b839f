internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Prints the events of a center.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the events of a center as they happen.",
        discussion: """
            Each event has a number; 'belfry watch --after N' resumes after event N, also days \
            later. The command reconnects after a restart of the server, without missing an event, \
            until it is interrupted. With --json each line is a SubscriptionFrame of belfry.v1.

            --exec runs a command of the shell for each event, one after the other. It has the \
            frame as JSON on its standard input, and BELFRY_EVENT_NUMBER, BELFRY_EVENT_KIND (such \
            as delivered), BELFRY_IDENTIFIER, BELFRY_TITLE and BELFRY_BODY in its environment: \
            --exec 'notify-send -- "$BELFRY_TITLE" "$BELFRY_BODY"'. Put -- before what others \
            wrote: a title may begin with a hyphen.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Begin after the event with this number; 0 begins at the oldest event.",
            valueName: "number"
        )
    )
    var after: UInt64?

    @Flag(help: "Begin with the state of the center.")
    var snapshot = false

    @Option(
        name: .customLong("count"),
        help: ArgumentHelp("End after so many events.", valueName: "number")
    )
    var limit: Int?

    @Option(
        help: ArgumentHelp("Run this command of the shell for each event.", valueName: "command")
    )
    var exec: String?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard after == nil || !snapshot else {
            throw ValidationError("Use either --after or --snapshot.")
        }
        guard (limit ?? 1) > 0 else { throw ValidationError("--count must be more than 0.") }
    }

    func run() async throws {
        try await client.run { session in
            let start: NotificationCenterClient.SubscriptionStart =
                snapshot ? .snapshot : after.map { .after($0) } ?? .now
            // Fail at once where no server answers at the start.
            _ = try await session.server.health()
            Terminal.endWithTheReader()
            var count = 0
            for try await frame in session.notifications.subscribe(from: start) {
                if session.output.isJSON {
                    try session.output.print(json: frame)
                } else {
                    for line in FrameText.lines(frame, session.output.style, DateText.current()) {
                        try session.output.print(line)
                    }
                }
                guard case .event(let event) = frame.kind else { continue }
                if let exec {
                    let action = EventAction(command: exec)
                    let status = try await action.run(event, json: Output.json(frame))
                    if status != 0 {
                        session.output.complain(
                            "--exec ended with \(status) for event \(event.number)"
                        )
                    }
                }
                count += 1
                if count == limit { return }
            }
        }
    }
}
