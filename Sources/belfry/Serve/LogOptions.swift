internal import ArgumentParser
internal import Logging

/// The events that the server logs, and the form of the log.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The lowest level that is logged.",
            valueName: "level"
        )
    )
    var logLevel: LogLevelArgument = .info

    @Option(
        help: ArgumentHelp(
            "How lines are logged: text, or json, one object on each line.",
            valueName: "format"
        )
    )
    var logFormat: LogFormatArgument = .text

    /// A logger of the server, to standard error.
    var logger: Logger {
        var logger = Logger(label: "belfry") { label -> any LogHandler in
            switch logFormat {
            case .text: return StreamLogHandler.standardError(label: label)
            case .json: return JSONLogHandler()
            }
        }
        logger.logLevel = logLevel.level
        return logger
    }
}
