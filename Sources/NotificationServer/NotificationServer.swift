internal import BelfryGRPC
public import CoreMetrics
public import Logging
internal import NotificationCore
internal import NotificationService
internal import NotificationStore
public import ServiceLifecycle

/// A notification server in this process.
///
/// It serves from ``start(_:logger:metrics:)`` until it is stopped or released; other programs and
/// this one call it at its ``addresses``, as with `NotificationClient`.
///
/// ```swift
/// let server = try await NotificationServer.start(
///     .init(directory: "/var/lib/tea", addresses: [.unix(path: "/run/tea/belfry.sock")]),
///     logger: logger
/// )
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger)
///     .run()
/// ```
///
/// The store is read through a memory map of its file: where a disk cannot read the file any more,
/// the system ends the process with SIGBUS.
public final class NotificationServer: Service, Sendable {
    /// Where the server listens, in the order of the configuration, with the real ports.
    public let addresses: [Address]

    private let server: EmbeddedServer
    private let stopTimeout: Duration
    private let logger: Logger
    /// Gives the reason why the server can serve no more, or nil once it is to stop.
    private let end: Task<NotificationServerError?, Never>
    private let ends: AsyncStream<NotificationServerError>.Continuation
    private let metrics: Task<Void, Never>?
    private let refusals: Task<Void, Never>

    /// Opens the store, listens and serves.
    ///
    /// - Parameters:
    ///   - configuration: Where the store is, where to listen, and which clock to run on.
    ///   - logger: Told the start and the stop, refused calls, and what is wrong with the store or
    ///     the clock. Nothing that it is told holds the content of a notification.
    ///   - metrics: Makes the metrics of the server, which are set once a second and at the stop;
    ///     they have the names of the metrics that `belfry serve` answers over HTTP.
    /// - Returns: The server, which serves.
    /// - Throws: Why it cannot serve; nothing is open then.
    public static func start(
        _ configuration: Configuration,
        logger: Logger,
        metrics: (any MetricsFactory)? = nil
    ) async throws(NotificationServerError) -> NotificationServer {
        // Open the store on a thread that may block.
        try await blocking { () -> Result<NotificationServer, NotificationServerError> in
            do throws(NotificationServerError) {
                return .success(try NotificationServer(configuration, logger, metrics))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private init(
        _ configuration: Configuration,
        _ logger: Logger,
        _ metrics: (any MetricsFactory)?
    ) throws(NotificationServerError) {
        self.logger = logger
        stopTimeout = configuration.stopTimeout
        let refusalLog = RefusalLog()
        let feed = metrics.map { MetricsFeed(factory: $0) }
        let (failures, ends) = AsyncStream<NotificationServerError>.makeStream()
        var observer = EmbeddedServer.Observer(logger: logger, refusals: refusalLog) { error in
            logger.critical("\(error)")
            ends.yield(NotificationServerError(error))
        }
        if let feed { observer.closing = { feed.take($0) } }
        let store = try configuration.store
        let access = try configuration.access
        do {
            server = try EmbeddedServer(
                store: store,
                server: Server.Options(listeners: configuration.addresses.map(\.listener)),
                access: access,
                prompts: configuration.prompts.prompts,
                observer: observer
            )
        } catch {
            throw NotificationServerError(error)
        }
        addresses = server.listeners.compactMap { Address($0) }
        self.ends = ends
        self.metrics = feed?.follow(server)
        end = Task { await failures.first { _ in true } }
        refusals = refusalLog.write(to: logger)
        logger.info(
            "serving",
            metadata: [
                "version": "\(NotificationService.version)", "data": "\(configuration.directory)",
            ]
        )
        for address in addresses { logger.info("listening on \(address)") }
    }

    deinit {
        ends.finish()
        metrics?.cancel()
        refusals.cancel()
        server.stop(within: .zero)
    }

    /// Waits until the task is cancelled, a group of services shuts down, ``stop()`` is called or
    /// the store fails, and stops the server.
    ///
    /// - Throws: Why the store failed: since then no change was acknowledged.
    public func run() async throws(NotificationServerError) {
        let failure = await withTaskCancellationOrGracefulShutdownHandler {
            await end.value
        } onCancelOrGracefulShutdown: { [ends] in
            ends.finish()
        }
        await stop()
        if let failure { throw failure }
    }

    /// Stops the server: it refuses new calls, ends the open ones within the time that the
    /// configuration says, and closes the store.
    ///
    /// Every change that was acknowledged is on disk, whether the server is stopped or not. A
    /// second call waits for the first.
    public func stop() async {
        ends.finish()
        metrics?.cancel()
        await metrics?.value
        refusals.cancel()
        let wasServing = await blocking { [server, stopTimeout] in
            server.stop(within: stopTimeout)
        }
        if wasServing { logger.info("stopped") }
    }
}
