internal import ArgumentParser
internal import BelfryGRPC
internal import Logging
internal import NotificationCore
internal import NotificationStore

/// `belfry serve`: the notification center, until a signal stops it.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            Everything is kept in one data directory, which one server holds at a time. Other \
            programs of the same user reach it over its unix socket; TCP is opened only where \
            --listen names it. SIGTERM and SIGINT stop it in order; SIGHUP is ignored.

            It ends with status 65 where the store is damaged, so that a supervisor need not start \
            it again, with 73 where the directory or an address cannot be had, and with 74 where \
            the store fails while it serves, as with a disk that does not write.

            Logs go to standard error.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Where requests and notifications are kept.",
            discussion: "Made where it is missing.",
            valueName: "directory"
        )
    )
    var data: String = ServePaths.dataDirectory

    @OptionGroup var addresses: AddressOptions

    @OptionGroup var behaviour: BehaviourOptions

    @OptionGroup var disk: DiskOptions

    @Option(
        help: ArgumentHelp(
            "Threads that poll gRPC; more than one helps on machines with many cores.",
            valueName: "count"
        )
    )
    var rpcThreads = 1

    @Option(
        help: ArgumentHelp(
            "How long a stop waits for open calls, such as 10s.",
            valueName: "duration"
        )
    )
    var stopTimeout: DurationArgument = DurationArgument(.seconds(10))

    @Option(
        help: ArgumentHelp(
            "The least that is logged.",
            valueName: "level"
        )
    )
    var logLevel: LogLevelArgument = .info

    func validate() throws {
        guard (1...64).contains(rpcThreads) else {
            throw ValidationError("--rpc-threads must be 1-64")
        }
    }

    func run() async throws {
        var logger = Logger(label: "belfry") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel.level
        do {
            try await ServerProcess(options: self, logger: logger).run()
        } catch let error as StoreError {
            logger.error("\(error)")
            throw error.isDamage ? ServeExit.damaged.code : ServeExit.cannotStart.code
        } catch let error as ServerError {
            logger.error("\(error)")
            throw ServeExit.cannotStart.code
        }
    }
}

/// The exit statuses that only commands have which hold a data directory themselves.
enum ServeExit: Int32 {
    /// The store is damaged: starting again does not help.
    case damaged = 65
    /// The data directory, a port or a socket could not be had.
    case cannotStart = 73
    /// The store failed while the server ran.
    case storeFailed = 74

    var code: ExitCode { ExitCode(rawValue) }
}
