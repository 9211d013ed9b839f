internal import ArgumentParser
internal import NotificationCore
internal import NotificationStore

/// Where `belfry serve` listens.
struct AddressOptions: ParsableArguments {
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

    func validate() throws {
        for address in listen where !insecure && !address.isOnThisMachine {
            throw ValidationError(
                """
                --listen \(address) is reachable from other machines: TLS and tokens are not there \
                yet, so this needs --insecure
                """
            )
        }
    }
}

/// How the notification center behaves where there is a choice.
struct BehaviourOptions: ParsableArguments {
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
    }
}

/// How much of the disk the store takes.
struct DiskOptions: ParsableArguments {
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

    func validate() throws {
        if let maxStoreSize, maxStoreSize.bytes < 16 << 20 {
            throw ValidationError("--max-store-size must be at least 16MiB")
        }
        guard keepBackups > 0 else { throw ValidationError("--keep-backups must be at least 1") }
    }
}
