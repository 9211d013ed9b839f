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

    @Option(
        help: ArgumentHelp(
            "Listen here: unix:/path/to.sock or tcp:host:port. Repeatable.",
            discussion: """
                The unix socket \(ServePaths.socket) is listened on unless another one is named. \
                Port 0 takes a free one, which the log names.
                """,
            valueName: "address"
        )
    )
    var listen: [ListenAddress] = []

    @Flag(
        help: ArgumentHelp(
            "Allow TCP off this machine without encryption and without tokens.",
            discussion: "Whoever reaches the port may then do everything."
        )
    )
    var insecure = false

    @Option(
        help: ArgumentHelp(
            "Who answers when an app asks for permission.",
            discussion: "Asked is the person, who answers on the device side.",
            valueName: "answer"
        )
    )
    var prompts: PromptsArgument = .ask

    @Option(
        help: ArgumentHelp(
            "Whose behaviour to follow where there is a choice: server or ios.",
            discussion: """
                The server's loses nothing without a word. That of iOS is for comparing: what an \
                app does not present in time is not presented, summaries of groups only count, a \
                badge of 0 clears the delivered list, texts lose what looks like a format, and of \
                an app's pending requests the 64 stay that fire soonest.
                """,
            valueName: "profile"
        )
    )
    var profile: ProfileArgument = .server

    @Flag(
        help: ArgumentHelp(
            "Serve only apps that were registered, as with 'belfry register'.",
            discussion: "Else an app registers itself by its first call, without entitlements."
        )
    )
    var noAutoRegister = false

    @Option(
        help: ArgumentHelp(
            "system, manual or manual=2026-01-01T00:00:00Z.",
            discussion: """
                A manual clock stands still until AdvanceClock moves it, for tests. It starts at \
                the given instant, or now, in an empty data directory, and goes on where it stood \
                in another.
                """,
            valueName: "clock"
        )
    )
    var clock: ClockArgument = .system

    @Option(
        help: ArgumentHelp(
            "How many pending requests one app may have on one device.",
            discussion: "\(StoreLimits().pendingPerCenter); 64 with --profile ios.",
            valueName: "count"
        )
    )
    var pendingLimit: Int?

    @Option(
        help: ArgumentHelp(
            "Which stay when an app has more: reject-new, keep-soonest or keep-latest-added.",
            discussion: """
                reject-new, or keep-soonest with --profile ios. Those that go are named in the \
                reply and as events. To choose among them takes a limit of \
                \(Limits.evictablePending) or less.
                """,
            valueName: "policy"
        )
    )
    var pendingPolicy: PendingPolicyArgument?

    @Option(
        help: ArgumentHelp(
            "How large the store may grow before adds are refused, such as 10GiB.",
            discussion: """
                At least 16MiB. Without it 80 % of the disk. Removals and deliveries go on in a \
                full store.
                """,
            valueName: "size"
        )
    )
    var maxStoreSize: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "How many backups stay in the data directory.",
            discussion: "The oldest are removed when a new one is whole.",
            valueName: "count"
        )
    )
    var keepBackups = StoreLimits().keptBackups

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

    /// How many pending requests of a center stay.
    var pendingPerCenter: Int { pendingLimit ?? profile.profile.pendingPerCenter }

    /// Which of them.
    var pendingLimitPolicy: PendingLimitPolicy {
        pendingPolicy?.policy ?? profile.profile.pendingLimitPolicy
    }

    func validate() throws {
        guard pendingLimit ?? 1 > 0 else {
            throw ValidationError("--pending-limit must be at least 1")
        }
        guard pendingLimitPolicy == .rejectNew || pendingPerCenter <= Limits.evictablePending else {
            throw ValidationError(
                """
                --pending-limit must be at most \(Limits.evictablePending), so that the server can \
                choose which requests stay; or say --pending-policy reject-new
                """
            )
        }
        if let maxStoreSize, maxStoreSize.bytes < 16 << 20 {
            throw ValidationError("--max-store-size must be at least 16MiB")
        }
        guard keepBackups > 0 else { throw ValidationError("--keep-backups must be at least 1") }
        guard (1...64).contains(rpcThreads) else {
            throw ValidationError("--rpc-threads must be 1-64")
        }
        for address in listen where !insecure && !address.isOnThisMachine {
            throw ValidationError(
                """
                --listen \(address) is reachable from other machines: TLS and tokens are not there \
                yet, so this needs --insecure
                """
            )
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
