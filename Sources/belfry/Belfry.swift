internal import ArgumentParser
internal import Foundation
internal import NotificationService

/// The program: the server of notification centers, and the commands that call a server.
@main
struct Belfry: AsyncParsableCommand {
    /// Runs the command line; for `serve` with the settings of a file and of the environment.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let word = CommandWords.wordThatIsNoText(among: arguments) {
            exit(withError: ValidationError("'\(word.printable)' is no text in UTF-8."))
        }
        guard arguments.first == ServeCommand.name else { return await run(arguments) }
        let own = Array(arguments.dropFirst())
        do {
            let settings = try ServeSettings(
                own,
                environment: ProcessInfo.processInfo.environment
            )
            settings.keep()
            await run([ServeCommand.name] + settings.all.map(\.argument) + own)
        } catch {
            // The parser knows the command here, and not the program's name before it.
            let message = ServeCommand.fullMessage(for: error)
            fail(
                message.replacing("Usage: serve", with: "Usage: belfry serve")
                    .replacing("'serve --help'", with: "'belfry serve --help'")
            )
        }
    }

    /// Ends the program since its command line is wrong.
    private static func fail(_ message: String) -> Never {
        // When standard error is closed, there is no place to report the failure.
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
        exit(withError: ExitCode.validationFailure)
    }

    /// Runs a command line, and ends the program with a suggestion where a word is mistyped.
    private static func run(_ arguments: [String]) async {
        let arguments = CommandWords.askingForHelp(arguments)
        do {
            var command = try await asyncParseAsRoot(parsable(arguments))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if exitCode(for: error) == .success {
                // When standard output is closed, there is no place to print.
                let help = HelpText.ordered(fullMessage(for: error))
                let line = help.isEmpty ? "" : help + "\n"
                try? StandardOutput.write(Data(line.utf8))
                exit(withError: ExitCode.success)
            }
            if let reason = (error as? StandardOutput.Problem)?.description ?? error.systemReason {
                let environment = ProcessInfo.processInfo.environment
                Output(isJSON: false, environment: environment).complain(reason)
                exit(withError: ExitReason.failed.code)
            }
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let words = CommandWords(arguments)
            var message = fullMessage(for: error)
            // Before a wrong command, its options are as unknown as it is.
            if Suggestion.unknownCommand(in: arguments) == nil {
                message = words.namingUnknownOption(in: message)
            }
            message = Suggestion.added(to: message, of: arguments)
            if !message.contains("Did you mean"), let advice = words.advice {
                let end = message.firstIndex(of: "\n") ?? message.endIndex
                message.insert(contentsOf: "\n" + advice, at: end)
            }
            fail(message)
        }
    }

    /// The words of a command line as the parser reads them right.
    static func parsable(_ arguments: [String]) throws -> [String] {
        // The parser gives the help of the command before a word that is none.
        if ["--help", "-h"].contains(arguments.last),
            let word = Suggestion.unknownCommand(in: arguments)
        {
            throw ValidationError("Unexpected argument '\(word.printable)'")
        }
        guard CommandWords.needReading(arguments) else { return arguments }
        let words = CommandWords(arguments)
        if let unknown = words.unknownOption {
            throw ValidationError("Unknown option '\(unknown.printable)'")
        }
        return words.parsable
    }

    /// The version of the program and of the server in it.
    static let version = NotificationService.version

    static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "A durable notification center that any program can call over gRPC.",
        discussion: """
            Start with 'belfry status', then 'belfry authorize' and 'belfry add Hello --in 5s'. \
            Every command has its own --help. For completion in your shell, install what \
            'belfry --generate-completion-script bash' (or zsh, fish) prints.

            Environment:
              BELFRY_SERVER   The server, as --server takes it: tcp:host:port.
              BELFRY_APP      The app that commands speak for.
              BELFRY_DEVICE   The device that commands speak for.
              BELFRY_DATA     What 'belfry serve' takes as --data; so BELFRY_LISTEN ...
              BELFRY_TOKEN    The token for calls over TCP and of other users.
                              Without it, servers on this machine get your own.
              TRACEPARENT     The W3C trace context of the command, and TRACESTATE: the
                              server keeps them with what the command schedules.
              NO_COLOR        No colours, whatever its value.

            \(ExitReason.help)
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Serve",
                subcommands: [ServeCommand.self, TokenCommand.self, LinkCommand.self]
            ),
            CommandGroup(
                name: "Schedule",
                subcommands: [
                    AuthorizeCommand.self, AddCommand.self, AskCommand.self, PendingCommand.self,
                    NextCommand.self,
                    SkipCommand.self, DeliveredCommand.self, RemoveCommand.self,
                    BadgeCommand.self, CategoriesCommand.self, AttachmentsCommand.self,
                ]
            ),
            CommandGroup(
                name: "Play the person",
                subcommands: [
                    CenterCommand.self, OpenCommand.self, RespondCommand.self,
                    DismissCommand.self, SnoozeCommand.self, DeviceCommand.self,
                ]
            ),
            CommandGroup(
                name: "Push",
                subcommands: [PushCommand.self, RegistrationsCommand.self, RichCommand.self]
            ),
            CommandGroup(
                name: "Look",
                subcommands: [
                    WatchCommand.self, ResponsesCommand.self, SettingsCommand.self,
                    StatusCommand.self, ClockCommand.self, ProtosCommand.self,
                ]
            ),
            CommandGroup(
                name: "Install",
                subcommands: [
                    RegisterCommand.self, UnregisterCommand.self, StringsCommand.self,
                    SoundsCommand.self,
                ]
            ),
            CommandGroup(
                name: "Keep",
                subcommands: [BackupCommand.self, RestoreCommand.self, CheckCommand.self]
            ),
            CommandGroup(name: "Measure", subcommands: [LoadCommand.self]),
        ]
    )
}
