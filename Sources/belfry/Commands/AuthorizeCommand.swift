internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Asks for permission.
struct AuthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize",
        abstract: "Ask the person for permission to notify.",
        discussion: """
            An app asks the person once; later calls give the person's decision. Without options \
            the app asks for alerts, sounds and the badge. The command waits for the person's \
            answer, which 'belfry device answer' gives. It ends with status 1 when permission is \
            not granted, and with 75 while the person has not answered.
            """
    )

    @Flag(help: "To show alerts.")
    var alert = false

    @Flag(help: "To play sounds.")
    var sound = false

    @Flag(help: "To change the badge.")
    var badge = false

    @Flag(help: "To deliver quietly at once, without a prompt.")
    var provisional = false

    @Flag(help: "To ignore mute and Do Not Disturb.")
    var criticalAlert = false

    @Flag(help: "To show notifications in a car.")
    var carPlay = false

    @Flag(help: "To have notifications read aloud.")
    var announcement = false

    @Flag(help: "To pass Focus and the scheduled summary.")
    var timeSensitive = false

    @Option(
        help: ArgumentHelp("How long to wait for the person, at most 10m.", valueName: "duration")
    )
    var wait = DurationArgument(.seconds(60))

    @OptionGroup(title: "Server")
    var client: ClientOptions

    /// The options that the flags name.
    private var options: [Belfry_V1_AuthorizationOption] {
        let flags: [(Bool, Belfry_V1_AuthorizationOption)] = [
            (badge, .badge), (sound, .sound), (alert, .alert), (carPlay, .carPlay),
            (criticalAlert, .criticalAlert), (provisional, .provisional),
            (announcement, .announcement), (timeSensitive, .timeSensitive),
        ]
        let options = flags.filter(\.0).map(\.1)
        let isPlain = options.allSatisfy { $0 == .provisional }
        return isPlain ? [.badge, .sound, .alert] + options : options
    }

    func run() async throws {
        try await client.run { session in
            let center = session.notifications
            // Do not wait in the first call, so that the command can say that a prompt is open.
            var answer = try await center.requestAuthorization(options, wait: .zero)
            if !answer.promptID.isEmpty, wait.duration > .zero {
                session.output.note(
                    "The person is asked: 'belfry device answer allow --app "
                        + "\(session.center.appID)' allows it."
                )
                answer = try await center.requestAuthorization(options, wait: wait.duration)
            }
            if session.output.isJSON {
                try session.output.print(json: answer)
            } else {
                try session.output.print(describe(answer, app: session.center.appID))
            }
            guard !answer.granted else { return }
            throw (answer.promptID.isEmpty ? ExitReason.refused : .tryLater).code
        }
    }

    private func describe(
        _ answer: Belfry_V1_RequestAuthorizationResponse,
        app: String
    ) -> String {
        switch answer.status {
        case .authorized, .ephemeral: "\(app) may notify."
        case .provisional: "\(app) may notify quietly."
        case .denied: "\(app) may not notify."
        case .notDetermined, .UNRECOGNIZED:
            answer.promptID.isEmpty
                ? "Nobody has decided yet for \(app), and nobody is asked."
                : "Nobody has decided yet for \(app): the person is asked."
        }
    }
}
