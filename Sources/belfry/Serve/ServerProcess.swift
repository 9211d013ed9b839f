internal import BelfryGRPC
internal import Dispatch
internal import Glibc
internal import Logging
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationService
internal import NotificationStore
internal import StandardServices

/// One run of the server: start and stop in order.
struct ServerProcess {
    /// The reason why a run ends.
    private enum End {
        case signal(Int32)
        case storeFailed(StoreError)
    }

    let options: ServeCommand
    let logger: Logger

    /// Opens the store, listens, serves until a signal, and stops in order.
    ///
    /// - Throws: The exit status of a server that could not start, or of a store that failed.
    func run() async throws {
        // A closed log pipe or a closed terminal must not end the server.
        for number in [SIGPIPE, SIGHUP] { signal(number, SIG_IGN) }
        Descriptors.raiseLimit()
        let (ends, ended) = AsyncStream<End>.makeStream()
        let signals = [SIGTERM, SIGINT].map { number in
            Self.handle(number) { ended.yield(.signal(number)) }
        }
        defer { for signal in signals { signal.cancel() } }

        // The data directory is locked before a socket is opened, so that a second server stops
        // here.
        DamagedFile.endServerInOrder()
        let feeds = try openStore { error in ended.yield(.storeFailed(error)) }
        DamagedFile.isOpen()
        let health = Health()
        let server: Server
        do {
            server = try makeServer(feeds, health)
            server.start()
        } catch {
            feeds.stop()
            throw error
        }
        for name in NotificationService.serviceNames { health.set(.serving, for: name) }
        let clock = Task { await watchClock(feeds.store.clock, health) }
        defer { clock.cancel() }
        logger.info(
            "serving",
            metadata: [
                "version": "\(Belfry.version)", "data": "\(options.data)",
                "clock": "\(options.behaviour.clock)",
                "prompts": "\(options.behaviour.prompts.rawValue)",
            ]
        )
        for listener in server.boundListeners { logger.info("listening on \(listener)") }

        for await end in ends {
            try stop(server, feeds, for: end)
            return
        }
    }

    private func openStore(
        onFailure: @escaping @Sendable (StoreError) -> Void
    ) throws(StoreError) -> Feeds {
        let behaviour = options.behaviour
        var storeOptions = Store.Options(directory: options.data)
        storeOptions.clock = behaviour.clock.form
        // A manual clock is for tests, which must not depend on the machine's time zone.
        if case .system = behaviour.clock.form { storeOptions.timeZone = ServePaths.timeZone }
        storeOptions.profile = behaviour.profile.profile
        storeOptions.registersNewApps = !behaviour.noAutoRegister
        storeOptions.limits.pendingPerCenter = behaviour.pendingPerCenter
        storeOptions.limits.pendingLimitPolicy = behaviour.pendingLimitPolicy
        storeOptions.limits.storeBytes = options.disk.maxStoreSize?.bytes
        storeOptions.limits.keptBackups = options.disk.keepBackups
        return try Feeds(opening: storeOptions, onFailure: onFailure) { row in
            logger.error(
                "a row is damaged and is left alone: 'belfry check --repair' sets it aside",
                metadata: [
                    "table": "\(row.table)", "key": "\(row.key)", "problem": "\(row.problem)",
                ]
            )
        }
    }

    private func makeServer(_ feeds: Feeds, _ health: Health) throws(ServerError) -> Server {
        var listeners = options.addresses.listen.map(\.listener)
        if !options.addresses.listen.contains(where: \.isUnix) {
            listeners.insert(.unix(path: ServePaths.socket), at: 0)
        }
        var serverOptions = Server.Options(listeners: listeners)
        serverOptions.pollingThreads = options.rpcThreads
        let service = NotificationService(
            feeds: feeds,
            options: NotificationService.Options(
                version: Belfry.version,
                prompts: options.behaviour.prompts.prompts,
                maximumReceiveBytes: serverOptions.maximumReceiveBytes
            )
        )
        var router = Router()
        service.register(in: &router)
        health.register(in: &router)
        return try Server(router: router, options: serverOptions)
    }

    /// Reports each second to health and to the log whether the wall clock is set.
    private func watchClock(_ clock: Clock, _ health: Health) async {
        var wasSet = true
        while !Task.isCancelled {
            let isSet = clock.isSet
            health.set(isSet ? .serving : .notServing, for: NotificationService.clockName)
            if isSet && !wasSet {
                logger.notice("the clock is set")
            } else if !isSet && wasSet {
                logger.warning("CLOCK_NOT_SET: no date fires until the machine's clock is set")
            }
            wasSet = isSet
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Ends calls and streams within the bound, then finishes the queued commands.
    private func stop(_ server: Server, _ feeds: Feeds, for end: End) throws {
        switch end {
        case .signal(let number):
            logger.info("stopping", metadata: ["signal": "\(number == SIGTERM ? "TERM" : "INT")"])
        case .storeFailed(let error):
            logger.critical("\(error)")
        }
        // Otherwise the server would wait for answers of persons.
        feeds.store.endWaits()
        server.stop(within: options.stopTimeout.duration)
        feeds.stop()
        if case .storeFailed(let error) = end {
            throw error.isDamage ? ServeExit.damaged.code : ServeExit.storeFailed.code
        }
        logger.info("stopped")
    }

    private static func handle(
        _ number: Int32,
        _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        // The default action would end the process. A dispatch source gets a signal only if the
        // signal was ignored before the source was made.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }
}
