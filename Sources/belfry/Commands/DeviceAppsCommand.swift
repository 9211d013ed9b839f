internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

// The person's decisions about the apps of a device.

extension DeviceCommand {
    struct Apps: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apps",
            abstract: "List the apps of the device with their permission and badge."
        )

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                var table = Table(header: ["APP", "NAME", "AUTHORIZATION", "BADGE"])
                var token = ""
                repeat {
                    let page = try await session.person.listApps(pageToken: token)
                    for app in page.apps {
                        if session.output.isJSON {
                            try session.output.print(json: app)
                        } else {
                            table.append(
                                [
                                    Table.Cell(app.center.appID), Table.Cell(app.name),
                                    SettingsText.status(app.settings.authorizationStatus),
                                    Table.Cell("\(app.badge)"),
                                ]
                            )
                        }
                    }
                    token = page.nextPageToken
                } while !token.isEmpty
                guard !session.output.isJSON else { return }
                try session.output.print(table, whenEmpty: "There are no apps.")
            }
        }
    }

    /// Answers an app's permission prompt.
    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answer",
            abstract: "Answer an app's permission prompt.",
            discussion: """
                --app names the app. For an app that delivers quietly the answers are keep and \
                turn-off. Critical alerts are allowed only if --option names them.

                  belfry device answer allow --app org.example.chat
                """
        )

        @Argument(help: ArgumentHelp("allow, deny, keep or turn-off.", valueName: "answer"))
        var answer: AnswerArgument

        @Option(
            help: ArgumentHelp(
                "The prompt, as 'authorize --json' names it. Default: the app's open prompt.",
                valueName: "id"
            )
        )
        var prompt: String?

        @Option(
            help: ArgumentHelp(
                "Allow only this option, such as alert, sound or critical-alert. Repeatable.",
                valueName: "option"
            )
        )
        var option: [PermissionArgument] = []

        @Flag(help: "Keep the app in the scheduled summary.")
        var inSummary = false

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func validate() throws {
            guard option.isEmpty || answer == .allow else {
                throw ValidationError("--option belongs to allow alone.")
            }
            guard !inSummary || answer == .keep else {
                throw ValidationError("--in-summary belongs to keep alone.")
            }
        }

        func run() async throws {
            try await client.run { session in
                let settings = try await session.person.answerPrompt(
                    try await promptIdentifier(session),
                    answer.wire,
                    options: option.map(\.wire),
                    keepsInSummary: inSummary
                )
                try DeviceCommand.print(settings, session.output)
            }
        }

        /// Gives the prompt to answer, and ends the program when the app has no open prompt.
        private func promptIdentifier(_ session: Session) async throws -> String {
            if let prompt { return prompt }
            let app = session.center.appID
            for try await frames in session.person.watch(apps: [app]) {
                for case .snapshot(let part) in frames.compactMap(\.kind) {
                    if let open = part.prompts.first(where: { answer.answers($0.kind) }) {
                        return open.promptID
                    }
                    guard part.complete else { continue }
                    session.output.complain(
                        "\(app) has no open prompt that '\(answer.rawValue)' answers."
                    )
                    throw ExitReason.notFound.code
                }
            }
            throw ExitReason.unreachable.code
        }
    }

    static func print(_ settings: Belfry_V1_NotificationSettings, _ output: Output) throws {
        guard !output.isJSON else {
            try output.print(json: settings)
            return
        }
        var table = Table(header: ["SETTING", "NOW"])
        for (name, cell) in SettingsText.rows(settings) { table.append([Table.Cell(name), cell]) }
        try output.print(table, whenEmpty: "")
    }
}

/// The person's answer to a prompt.
enum AnswerArgument: String, ExpressibleByArgument, CaseIterable {
    case allow
    case deny
    case keep
    case turnOff = "turn-off"

    var wire: Belfry_V1_PromptAnswer {
        switch self {
        case .allow: .allow
        case .deny: .deny
        case .keep: .keep
        case .turnOff: .turnOff
        }
    }

    func answers(_ kind: Belfry_V1_AuthorizationPromptKind) -> Bool {
        switch self {
        case .allow, .deny: kind != .quiet
        case .keep, .turnOff: kind == .quiet
        }
    }
}

/// An option that an app may ask permission for.
enum PermissionArgument: String, ExpressibleByArgument, CaseIterable {
    case alert
    case sound
    case badge
    case carPlay = "car-play"
    case criticalAlert = "critical-alert"
    case announcement
    case timeSensitive = "time-sensitive"

    var wire: Belfry_V1_AuthorizationOption {
        switch self {
        case .alert: .alert
        case .sound: .sound
        case .badge: .badge
        case .carPlay: .carPlay
        case .criticalAlert: .criticalAlert
        case .announcement: .announcement
        case .timeSensitive: .timeSensitive
        }
    }
}
