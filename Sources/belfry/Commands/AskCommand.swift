internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Asks the person a question, and prints the answer.
struct AskCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Ask the person, and print the answer.",
        discussion: """
            Shows a notification with a button for yes and one for no, waits, and prints the label \
            of the one that was pressed, or the typed text. Ends with 0 for yes and for a text, \
            with 1 for no, with 3 where no answer comes since the question was dismissed, opened \
            or removed, and with 75 where --answer-within is over; the question leaves the list \
            then, and when the command is interrupted. Any number of commands may ask at a time.

              belfry ask 'Deploy?' --yes Deploy --no Wait && deploy
              note=$(belfry ask 'What is new?' --text --answer-within 1h)
            """
    )

    @Argument(help: "The question.")
    var question: String

    @Option(
        help: ArgumentHelp("More about it; \"-\" is standard input.", valueName: "text"),
        transform: InputText.argument
    )
    var body: String?

    @Option(help: ArgumentHelp("The label of the button for yes.", valueName: "label"))
    var yes = "Yes"

    @Option(help: ArgumentHelp("The label of the button for no.", valueName: "label"))
    var no = "No"

    @Flag(help: "Show a button that takes a typed text, too.")
    var text = false

    @Option(help: "How much attention the question may take.")
    var level: LevelArgument?

    @Option(
        help: ArgumentHelp("How long to wait for the answer, such as 10m.", valueName: "duration")
    )
    var answerWithin: DurationArgument?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    private static let yesIdentifier = "yes"
    private static let noIdentifier = "no"
    private static let textIdentifier = "text"

    func validate() throws {
        guard answerWithin.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--answer-within must be longer than 0s.")
        }
    }

    func run() async throws {
        try await client.run { session in
            let request = request
            let wait = AnswerWait(session: session, limit: answerWithin?.duration) {
                try await session.notifications.add(request)
            } print: { [self] answer in
                if session.output.isJSON {
                    try session.output.print(json: answer)
                } else if let said = said(answer) {
                    try session.output.print(said.printable)
                }
            }
            let end = try await Interruption.run {
                try await wait.run()
            } onInterruption: {
                // Leave no question on the screen whose answer nobody waits for.
                _ = try? await session.notifications.removeDelivered([request.identifier])
            }
            switch end {
            case .answered(let answer) where answer.actionIdentifier == Self.noIdentifier:
                throw ExitReason.refused.code
            case .answered(let answer):
                guard said(answer) == nil else { return }
                session.output.complain("no answer: it was opened")
                throw ExitReason.notFound.code
            case .gone(let reason):
                session.output.complain("no answer: \(reason)")
                throw ExitReason.notFound.code
            case nil:
                // Remove the notification, since nobody waits for its answer any more.
                _ = try await session.notifications.removeDelivered([request.identifier])
                session.output.complain("no answer: the person did nothing in time")
                throw ExitReason.tryLater.code
            }
        }
    }

    private var request: Belfry_V1_NotificationRequest {
        var buttons = [(Self.yesIdentifier, yes), (Self.noIdentifier, no)].map { button in
            Belfry_V1_NotificationAction.with { action in
                action.identifier = button.0
                action.title = button.1
            }
        }
        if text {
            buttons.append(
                .with { action in
                    action.identifier = Self.textIdentifier
                    action.title = "Reply"
                    action.textInput = .init()
                }
            )
        }
        return .with { request in
            request.identifier = UUID().uuidString.lowercased()
            request.content.title = question
            request.content.body = body ?? ""
            request.content.actions = buttons
            if let level { request.content.interruptionLevel = level.level }
        }
    }

    /// The button that the person pressed, or the text; nil where no button was pressed.
    private func said(_ answer: Belfry_V1_Answer) -> String? {
        switch answer.actionIdentifier {
        case Self.yesIdentifier: yes
        case Self.noIdentifier: no
        case Self.textIdentifier: answer.userText
        default: nil
        }
    }
}
