internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Shows the server's clock, and moves a manual one.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show the server's clock, or move a manual clock.",
        discussion: "A manual clock is that of 'belfry serve --clock manual', for tests.",
        subcommands: [ClockStateCommand.self, ClockAdvanceCommand.self],
        defaultSubcommand: ClockStateCommand.self
    )
}

/// Shows the server's clock.
struct ClockStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Show the server's clock."
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let clock = try await session.admin.clock()
            guard !session.output.isJSON else { return try session.output.print(json: clock) }
            let kind = clock.kind == .manual ? "manual" : "system"
            let now = DateText.current().absolute(clock.now.date)
            try session.output.print("\(kind), \(now)")
        }
    }
}

/// Moves a manual clock forward.
struct ClockAdvanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Move a manual clock forward.",
        discussion: """
            The command returns when everything that became due is recorded. The clock stops where \
            a live subscriber is asked a question, so that the question can be answered.
            """
    )

    @Argument(help: ArgumentHelp("By how much, such as 10m or 1h30m.", valueName: "duration"))
    var length: DurationArgument?

    @Option(
        help: ArgumentHelp("Until when, such as 18:00 or 'tomorrow 9:00'.", valueName: "instant"),
        transform: When.parseInstant
    )
    var to: When?

    @Flag(help: "To the next instant at which something is due.")
    var next = false

    @Flag(help: "Pass the deadlines of questions as well, which then expire.")
    var expireCallbacks = false

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard [length != nil, to != nil, next].count(where: { $0 }) == 1 else {
            throw ValidationError("Say a duration, --to or --next, once.")
        }
    }

    func run() async throws {
        try await client.run { session in
            let target = try await target(session)
            let response: Belfry_V1_AdvanceClockResponse
            do throws(ClientError) {
                response = try await session.admin.advanceClock(
                    target,
                    expiringCallbacks: expireCallbacks
                )
            } catch {
                throw error.naming { ["by": "duration", "to": "--to"][$0] }
            }
            if session.output.isJSON {
                try session.output.print(json: response)
            } else {
                try session.output.print(text(response))
            }
        }
    }

    /// The target; one of the arguments names it.
    private func target(
        _ session: Session
    ) async throws -> Belfry_V1_AdvanceClockRequest.OneOf_Target {
        if let length { return .by(Google_Protobuf_Duration(rounding: length.duration)) }
        guard let to else { return .toNextDue(Belfry_V1_NextDue()) }
        let local = try await session.localTime(in: nil)
        return .to(Google_Protobuf_Timestamp(date: local.instant(to)))
    }

    private func text(_ response: Belfry_V1_AdvanceClockResponse) -> String {
        let now = DateText.current().absolute(response.clock.now.date)
        switch response.stoppedBy {
        case .nothingDue:
            return "Nothing is due: the clock stands at \(now)."
        case .callback:
            let question = response.callbackID.printable
            return "The clock stands at \(now), at the question \(question); \(fired(response))."
        case .target, .unspecified, .UNRECOGNIZED:
            return "The clock stands at \(now); \(fired(response))."
        }
    }

    private func fired(_ response: Belfry_V1_AdvanceClockResponse) -> String {
        response.fired == 1 ? "1 occurrence fired" : "\(response.fired) occurrences fired"
    }
}
