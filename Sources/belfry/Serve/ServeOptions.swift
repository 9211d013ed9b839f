internal import ArgumentParser
internal import BelfryGRPC
internal import NotificationCore
internal import NotificationStore

/// The addresses on which `belfry serve` listens.
struct AddressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen here: unix:/path/to.sock, tcp:host:port or tls:host:port. Repeatable.",
            discussion: """
                The server always listens on a unix socket: \(ServePaths.socket), unless \
                --listen names another socket, or with --no-default-socket. Port 0 takes a free \
                port, which the log, --ready-fd and --ready-file tell. The unix sockets that \
                systemd passes to the server (LISTEN_FDS) are listened on instead of the default.
                """,
            valueName: "address"
        )
    )
    var listen: [ListenAddress] = []

    @Flag(
        help: ArgumentHelp(
            "Listen only where --listen says.",
            discussion: "So several servers of one user can run at a time."
        )
    )
    var noDefaultSocket = false

    @Option(
        help: ArgumentHelp(
            "Answer grpc.health.v1 alone here, for probes. Repeatable.",
            discussion: "It may be reachable from other machines, since it tells nothing else.",
            valueName: "address"
        )
    )
    var healthListen: [ListenAddress] = []

    /// All addresses to listen on: the sockets of a service manager, those of --listen, and the
    /// user's own socket unless there is a socket or the options leave it out.
    var listeners: [Server.Listener] {
        let named = SocketActivation.listeners + listen.map(\.listener)
        let hasOwn = named.contains { listener in
            switch listener {
            case .tcp, .tls: false
            case .unix, .inherited: true
            }
        }
        return noDefaultSocket || hasOwn ? named : [.unix(path: ServePaths.socket)] + named
    }

    var usesTLS: Bool {
        listen.contains { if case .tls = $0.listener { true } else { false } }
    }

    func validate() throws {
        for address in healthListen {
            guard case .tls = address.listener else { continue }
            throw ValidationError("--health-listen \(address): health is answered without TLS")
        }
        if noDefaultSocket, listen.isEmpty, SocketActivation.listeners.isEmpty {
            throw ValidationError("--no-default-socket needs at least one --listen")
        }
    }

    /// Refuses gRPC addresses that other machines reach, unless every program may make every call.
    func validate(insecure: Bool) throws {
        for address in listen where !insecure && !address.isOnThisMachine {
            if case .tls = address.listener { continue }
            throw ValidationError(
                """
                --listen \(address) is reachable from other machines, and tokens would be \
                readable on the way: say tls: instead of tcp:, or --insecure
                """
            )
        }
    }
}

/// The options of the notification center's behaviour.
struct BehaviourOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Who answers when an app asks for permission.",
            discussion: "With ask, the person answers, for example by 'belfry device answer'.",
            valueName: "answer"
        )
    )
    var prompts: PromptsArgument = .ask

    @Option(
        help: ArgumentHelp(
            "The behaviour to follow where the two differ: server or ios.",
            discussion: """
                With server, nothing is lost without an event. With ios, for comparison: a \
                notification that the app does not present in time is not presented, summaries of \
                groups only count, a badge of 0 clears the delivered list, texts lose their \
                format specifiers, and only the 64 pending requests of an app that fire soonest \
                are kept.
                """,
            valueName: "profile"
        )
    )
    var profile: ProfileArgument = .server

    @Flag(
        help: ArgumentHelp(
            "Serve only registered apps, as after 'belfry register'.",
            discussion: """
                Otherwise an app is registered when it first asks for permission, settings or \
                pushes, or sets categories, without entitlements.
                """
        )
    )
    var noAutoRegister = false

    @Option(
        help: ArgumentHelp(
            "system, manual or manual=2026-01-01T00:00:00Z.",
            discussion: """
                A manual clock, for tests, stands still until AdvanceClock moves it. In an empty \
                data directory it starts at the given instant or now; in a used data directory it \
                starts where it stood.
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
            "When an app has more: reject-new, keep-soonest or keep-latest-added.",
            discussion: """
                Default: reject-new, or keep-soonest with --profile ios. Evicted requests are \
                named in the reply and in events. keep-soonest and keep-latest-added need a \
                limit of \(Limits.evictablePending) or less.
                """,
            valueName: "policy"
        )
    )
    var pendingPolicy: PendingPolicyArgument?

    @Option(
        help: ArgumentHelp(
            "Whether a border counts as crossed only beyond all doubt: on or off.",
            discussion: """
                With on, a fix has to lie beyond the border by more than its accuracy for 20 s, or \
                by more than 200 m once. Default: on, or off with a manual clock.
                """,
            valueName: "switch"
        )
    )
    var jitterSuppression: SwitchArgument?

    /// Whether a border counts as crossed only beyond all doubt (LOC-2).
    var suppressesJitter: Bool { jitterSuppression.map { $0 == .on } ?? (clock == .system) }

    /// The largest number of pending requests of a center.
    var pendingPerCenter: Int { pendingLimit ?? profile.profile.pendingPerCenter }

    /// The pending requests that stay when a center has too many.
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

/// The options that limit the store's disk space.
struct DiskOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How large the store may grow before adds are refused, such as 10GiB.",
            discussion: """
                At least 16MiB. Default: 80 % of the disk. Removals and deliveries still work in a \
                full store.
                """,
            valueName: "size"
        )
    )
    var maxStoreSize: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "How many backups are kept in the data directory.",
            discussion: "The oldest backups are removed when a new backup is complete.",
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
