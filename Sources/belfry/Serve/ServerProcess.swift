internal import BelfryGRPC
internal import Faults
internal import Glibc
internal import Logging
internal import NotificationCore
internal import NotificationHTTP
internal import NotificationServer
internal import NotificationService
internal import NotificationStore

/// One run of the server: start and stop in order.
struct ServerProcess {
    /// The reason why a run ends.
    private enum End {
        case signal(Int32)
        case parentEnded
        case idle
        case storeFailed(StoreError)
    }

    let options: ServeCommand
    let logger: Logger

    /// Opens the store, listens, serves until a signal or a failure, and stops in order.
    ///
    /// - Throws: The exit status of a server that could not start, or of a store that failed.
    func run() async throws {
        // Ignore both signals: a closed log pipe or a closed terminal must not end the server.
        for number in [SIGPIPE, SIGHUP] where !Fault.hangupEndsServer.isPlanted {
            signal(number, SIG_IGN)
        }
        // Check before anything is opened: a number that names nothing now may name a file later.
        var readiness = try Readiness(options.life)
        Descriptors.raiseLimit()
        let (ends, ended) = AsyncStream<End>.makeStream()
        let signals = [SIGTERM, SIGINT].map { number in
            SignalSource(number) { ended.yield(.signal(number)) }
        }
        defer { for signal in signals { signal.cancel() } }

        let parent =
            options.life.exitWithParent ? try ParentProcess { ended.yield(.parentEnded) } : nil
        defer { parent?.forget() }

        let keys = try KeyWatch(
            options.access.keys,
            isForWeb: options.web.usesTLS,
            logger: logger
        )
        let tokens = try Tokens(options, logger: logger)
        let refusals = RefusalLog()
        DamagedFile.endServerInOrder()
        let server = try EmbeddedServer(
            store: storeOptions,
            server: serverOptions(keys?.files),
            healthListeners: options.addresses.healthListen.map(\.listener),
            access: tokens.rights,
            prompts: options.behaviour.prompts.prompts,
            webPush: try webPush,
            observer: observer(refusals) { error in ended.yield(.storeFailed(error)) }
        )
        let web = try await web(for: server, keys?.web)
        let tokenTask = tokens.watch(for: server)
        let refusalTask = refusals.write(to: logger)
        let keyTask = keys?.watch()
        defer { for task in [tokenTask, refusalTask, keyTask] { task?.cancel() } }
        logStart(of: server, web)
        let page = web.flatMap { tellPage(of: $0, tokens) }
        defer { page?.remove() }
        do {
            try readiness.tell(
                server.listeners,
                health: server.healthListeners,
                web: web?.addresses ?? []
            )
        } catch {
            server.stop(within: .zero)
            throw error
        }
        defer { readiness.withdraw() }
        let manager = ServiceManager()
        manager?.tell("READY=1", "STATUS=serving")
        let watchdog = manager.flatMap { manager in
            manager.watchdogInterval.map { interval in
                // Bound the interval: a shorter one in the environment is a mistake, which must not
                // keep a thread busy.
                Self.feed(manager, each: max(interval / 2, .milliseconds(1)), server)
            }
        }
        defer { watchdog?.cancel() }
        let idleness = options.life.exitWhenIdle.map { duration in
            Idleness.watch(server, web, for: duration.duration) { ended.yield(.idle) }
        }
        defer { idleness?.cancel() }

        for await end in ends {
            manager?.tell("STOPPING=1", "STATUS=stopping")
            try await stop(server, web, for: end)
            return
        }
    }

    private func logStart(of server: EmbeddedServer, _ web: HTTPServer?) {
        logger.info(
            "serving",
            metadata: [
                "version": "\(Belfry.version)", "data": "\(options.data)",
                "clock": "\(options.behaviour.clock)",
                "prompts": "\(options.behaviour.prompts.rawValue)",
            ]
        )
        for listener in server.listeners { logger.info("listening on \(listener)") }
        for listener in server.healthListeners { logger.info("answering health on \(listener)") }
        for address in web?.addresses ?? [] { logger.info("answering HTTP on \(address.url)") }
    }

    /// Tells the server's own user where the page is.
    private func tellPage(of web: HTTPServer, _ tokens: Tokens) -> PageAddress? {
        guard let url = web.addresses.first?.visitedURL else { return nil }
        guard let token = tokens.ownText else {
            logger.info("the page is at \(url)")
            return PageAddress(url)
        }
        // Others may read a log, and a terminal is its user's.
        if isatty(STDERR_FILENO) == 1, let code = try? SignInCode.make(for: token) {
            logger.info("open \(SignInCode.link(to: url, code: code, device: nil))")
        } else {
            logger.info("'belfry open' prints a link to the page at \(url)")
        }
        return PageAddress(url)
    }

    /// Answers HTTP, if the options say where.
    private func web(for server: EmbeddedServer, _ keys: HTTPKeys?) async throws -> HTTPServer? {
        guard var webOptions = options.web.options, let router = server.router else { return nil }
        webOptions.timeZone = timeZone
        webOptions.keys = keys
        return try await HTTPServer(
            router: router,
            options: webOptions,
            isReady: { await server.writes() },
            conditions: { server.conditions },
            redeem: SignInCode.redeem
        )
    }

    /// How browsers are told while no page is open; nil where the options do not say so.
    private var webPush: WebPushOptions? {
        get throws {
            guard let contact = options.web.webPush, let services = options.web.pushServices else {
                return nil
            }
            let carrier = try PushCarrier(authorities: options.web.testService?.authorities)
            return WebPushOptions(services: services, contact: contact) { request in
                await carrier.send(request)
            }
        }
    }

    /// Tells the service manager that the server lives, as long as the store takes writes.
    private static func feed(
        _ manager: ServiceManager,
        each interval: Duration,
        _ server: EmbeddedServer
    ) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                if await server.writes() { manager.tell("WATCHDOG=1") }
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// The zone of the server, and of every device that names none.
    private var timeZone: String {
        // Take UTC with a manual clock, since tests must not depend on the machine's time zone.
        if case .system = options.behaviour.clock.form { MachineTimeZone.name } else { "UTC" }
    }

    private var storeOptions: Store.Options {
        let behaviour = options.behaviour
        var storeOptions = Store.Options(directory: options.data)
        storeOptions.clock = behaviour.clock.form
        storeOptions.timeZone = timeZone
        storeOptions.profile = behaviour.profile.profile
        storeOptions.registersNewApps = !behaviour.noAutoRegister
        storeOptions.limits.pendingPerCenter = behaviour.pendingPerCenter
        storeOptions.limits.pendingLimitPolicy = behaviour.pendingLimitPolicy
        storeOptions.limits.suppressesJitter = behaviour.suppressesJitter
        storeOptions.limits.appsPerCaller = options.access.appsPerCaller
        if let limit = options.access.bytesPerCaller {
            storeOptions.limits.fileBytesPerCaller = limit.bytes
        }
        if let limit = options.access.storeBytesPerCaller {
            storeOptions.limits.storeBytesPerCaller = limit.bytes
        }
        storeOptions.limits.storeBytes = options.disk.maxStoreSize?.bytes
        storeOptions.limits.keptBackups = options.disk.keepBackups
        return storeOptions
    }

    private func serverOptions(_ keys: Server.Options.KeyFiles?) -> Server.Options {
        var serverOptions = Server.Options(listeners: options.addresses.listeners)
        serverOptions.pollingThreads = options.rpcThreads
        serverOptions.keys = keys
        serverOptions.socketAccess = options.access.socketAccess
        return serverOptions
    }

    /// Logs the reports of the server.
    private func observer(
        _ refusals: RefusalLog,
        storeFailed: @escaping @Sendable (StoreError) -> Void
    ) -> EmbeddedServer.Observer {
        var observer = EmbeddedServer.Observer(
            logger: logger,
            refusals: refusals,
            storeFailed: storeFailed
        )
        observer.opened = { [data = options.data] in DamagedFile.isOpen(in: data) }
        return observer
    }

    /// Ends calls and streams within the bound, then finishes the queued commands.
    private func stop(
        _ server: EmbeddedServer,
        _ web: HTTPServer?,
        for end: End
    ) async throws {
        switch end {
        case .signal(let number):
            logger.info("stopping", metadata: ["signal": "\(number == SIGTERM ? "TERM" : "INT")"])
        case .parentEnded:
            logger.info("stopping: the process that started the server has ended")
        case .idle:
            logger.info("stopping: nobody is connected and nothing is pending")
        case .storeFailed(let error):
            logger.critical("\(error)")
        }
        let deadline = ContinuousClock.now + options.stopTimeout.duration
        server.endWaits()
        await web?.stop(within: options.stopTimeout.duration)
        server.stop(within: max(.zero, deadline - .now))
        if case .storeFailed(let error) = end {
            if error.isDamage { DamagedFile.leaveNote() }
            throw error.isDamage ? ExitReason.badData.code : ExitReason.failed.code
        }
        logger.info("stopped")
    }
}
