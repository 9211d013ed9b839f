package import BelfryGRPC
internal import BelfryLocking
internal import Glibc
internal import NotificationCore
internal import NotificationFeeds
package import NotificationProtocol
package import NotificationStore
internal import StandardServices

/// A server in this process: a store, the services of `belfry.v1` and health over it, and the
/// listeners on which other programs call them.
///
/// It serves until it is stopped or released. `belfry serve` is such a server, with signals that
/// stop it; what other programs get of it is `NotificationServer`.
package final class EmbeddedServer: Sendable {
    /// A way in which permission prompts are answered.
    package enum Prompts: String, Sendable, CaseIterable {
        case ask
        case grant
        case deny
    }

    /// The reports of a server to the program in which it runs, on any thread.
    package struct Observer: Sendable {
        /// Called once, when the store is open and nothing listens yet.
        package var opened: @Sendable () -> Void = {}
        /// Called once, if the store fails for good.
        package var storeFailed: @Sendable (StoreError) -> Void
        /// Called once for each damaged row.
        package var rowIsDamaged: @Sendable (DamagedRow) -> Void = { _ in }
        /// Called when a condition begins and when it has ended; none is there before the first
        /// call.
        package var conditionChanged:
            @Sendable (_ condition: Belfry_V1_Condition, _ isPresent: Bool) -> Void = { _, _ in }

        /// Called for each call that is refused because of who makes it, on a polling thread.
        package var callRefused: AccessControl.Observer = { _, _, _ in }

        /// Called once at the stop, when no call is open any more, with the last statistics.
        package var closing: @Sendable (Belfry_V1_GetStatsResponse) -> Void = { _ in }

        /// Makes an observer that is told of a failure alone.
        package init(storeFailed: @escaping @Sendable (StoreError) -> Void) {
            self.storeFailed = storeFailed
        }
    }

    private struct Running {
        let feeds: Feeds
        let webPushes: WebPushes?
        let router: Router
        let server: Server
        /// Answers health alone; nil where no listener is for health alone.
        let probes: Server?
        let conditionWatch: Task<Void, Never>
        /// The store whose conditions are watched; nil from the stop on.
        let watched: WatchedStore
        let closing: @Sendable (Belfry_V1_GetStatsResponse) -> Void
    }

    private let access: AccessControl
    /// The parts that serve; nil once stopped, which releases the data directory.
    private let running: Guarded<Running?>

    /// The bound listeners in the order of the options, with the ports that they got.
    package let listeners: [Server.Listener]
    /// The listeners that answer health alone, with their real ports.
    package let healthListeners: [Server.Listener]

    /// Opens the store, binds the listeners and serves.
    ///
    /// - Parameters:
    ///   - store: How the store is opened.
    ///   - options: Where to listen, and the limits.
    ///   - healthListeners: Where to answer health alone, for probes; empty is nowhere.
    ///   - accessOptions: Who may call, beside this process's user over a unix socket.
    ///   - prompts: Who answers when an app asks for permission.
    ///   - webPush: How browsers are told of alerts; nil tells none.
    ///   - observer: What the server tells the program.
    /// - Throws: A ``StoreError`` or a ``ServerError``; nothing is open or locked any more then.
    package init(
        store: Store.Options,
        server options: Server.Options,
        healthListeners: [Server.Listener] = [],
        access accessOptions: AccessControl.Options = AccessControl.Options(),
        prompts: Prompts,
        webPush: WebPushOptions? = nil,
        observer: Observer
    ) throws {
        // Lock the data directory before a socket is opened, so that a second server stops here.
        let feeds = try Feeds(
            opening: store,
            onFailure: observer.storeFailed,
            onDamage: observer.rowIsDamaged
        )
        observer.opened()
        let health = Health()
        let access = AccessControl(owner: geteuid(), accessOptions, observer: observer.callRefused)
        self.access = access
        var router = Router()
        let webPushes = webPush.flatMap { webPush in
            WebPushes(webPush, feeds: feeds) { access.counts(tokenWithDigest: $0) }
        }
        access.whenRevoked { [weak webPushes] in webPushes?.refreshAll() }
        let server: Server
        let probes: Server?
        do {
            var serviceOptions = NotificationService.Options(
                prompts: prompts,
                maximumReceiveBytes: options.maximumReceiveBytes
            )
            serviceOptions.refusedCalls = { [access] in access.refusedCounts }
            serviceOptions.registrant = { [access] in access.registrant(of: $0) }
            serviceOptions.token = { [access] in access.token(of: $0) }
            serviceOptions.tokens = accessOptions.keeper
            serviceOptions.tokensChanged = { [access] in access.refreshTokens() }
            serviceOptions.webPushes = webPushes
            router.authorize(by: access)
            NotificationService(feeds: feeds, options: serviceOptions).register(in: &router)
            health.register(in: &router)
            server = try Server(router: router, options: options)
            probes = try Self.probes(of: health, on: healthListeners)
        } catch {
            feeds.stop()
            throw error
        }
        listeners = server.boundListeners
        self.healthListeners = probes?.boundListeners ?? []
        server.start()
        probes?.start()
        webPushes?.start()
        for name in NotificationService.serviceNames { health.set(.serving, for: name) }
        let watched = WatchedStore(feeds.store)
        let conditionWatch = Task {
            await Self.watch(watched, health, observer.conditionChanged)
        }
        running = Guarded(
            Running(
                feeds: feeds,
                webPushes: webPushes,
                router: router,
                server: server,
                probes: probes,
                conditionWatch: conditionWatch,
                watched: watched,
                closing: observer.closing
            )
        )
    }

    /// A server that answers health alone; nil where it would have no listener.
    private static func probes(
        of health: Health,
        on listeners: [Server.Listener]
    ) throws(ServerError) -> Server? {
        guard !listeners.isEmpty else { return nil }
        var router = Router()
        health.register(in: &router)
        var options = Server.Options(listeners: listeners)
        // Take few connections: a probe is one small call, and nothing else is served here.
        options.connectionLimit = 64
        options.callsPerConnectionLimit = 16
        options.maximumReceiveBytes = 4_096
        options.memoryLimitBytes = 8 << 20
        return try Server(router: router, options: options)
    }

    deinit { stop(within: .zero) }

    /// Ends the open calls and streams within `bound`, finishes the commands that were accepted as
    /// far as the bound allows, leaves commands in slices to the next start, and closes the store.
    ///
    /// This method blocks, so do not call it where the server tells the program something. A second
    /// call waits for the first and does nothing else.
    ///
    /// - Parameter bound: How long calls and accepted commands may go on.
    /// - Returns: Whether the server served until now.
    @discardableResult
    package func stop(within bound: Duration) -> Bool {
        running.withLock { running in
            guard let stopping = running.take() else { return false }
            let end = ContinuousClock.now + bound
            stopping.conditionWatch.cancel()
            stopping.watched.end()
            stopping.webPushes?.stop()
            // End the waits for persons' answers, which the stop would wait for otherwise.
            stopping.feeds.store.endWaits()
            stopping.server.stop(within: bound)
            stopping.probes?.stop(within: .zero)
            if let stats = statistics(of: stopping.feeds) { stopping.closing(stats) }
            stopping.feeds.stop(by: end)
            return true
        }
    }

    /// Ends the calls that wait for a person and those of commands in slices, so that a stop need
    /// not wait for them.
    package func endWaits() { running.withLock { $0?.feeds.store.endWaits() } }

    /// The statistics; nil once the server is stopped, or where the store cannot be read.
    ///
    /// Waits for a stop that has begun.
    package var statistics: Belfry_V1_GetStatsResponse? {
        running.withLock { running in running.flatMap { statistics(of: $0.feeds) } }
    }

    private func statistics(of feeds: Feeds) -> Belfry_V1_GetStatsResponse? {
        try? Belfry_V1_GetStatsResponse(of: feeds, refused: access.refusedCounts)
    }

    /// The methods, for listeners of other protocols; nil once the server is stopped.
    package var router: Router? { running.withLock { $0?.router } }

    /// Takes other tokens instead of the present ones.
    ///
    /// The open streams of a token that is no more end with UNAUTHENTICATED; its unary calls that
    /// have begun are answered.
    package func replaceTokens(by tokens: [AccessToken]) {
        access.replaceTokens(by: tokens)
    }

    /// Waits until the writer has made a batch that begins after this call.
    ///
    /// - Returns: Whether the store takes writes; false once the server stops.
    package func writes() async -> Bool {
        guard let store = running.withLock({ $0?.feeds.store }) else { return false }
        return await withCheckedContinuation { continuation in
            store.afterNextBatch { result in
                continuation.resume(returning: (try? result.get()) != nil)
            }
        }
    }

    /// The number of clients' open connections; zero once the server is stopped.
    package var connectionCount: Int { running.withLock { $0?.server.connectionCount ?? 0 } }

    /// Whether a notification would be delivered later though nobody called; true where the store
    /// does not tell.
    package var hasWork: Bool {
        guard let store = running.withLock({ $0?.feeds.store }) else { return false }
        guard let usage = try? store.usage() else { return true }
        return usage.pending + usage.arriving + usage.queuedCommands > 0
    }

    /// The conditions that keep the server from some of its work now; empty once the server is
    /// stopped.
    package var conditions: [Belfry_V1_Condition] {
        let store = running.withLock { $0?.feeds.store }
        return (store?.conditions ?? []).map(Belfry_V1_Condition.init)
    }

    /// Reports the conditions: to health each second, to the program each change.
    ///
    /// - Parameters:
    ///   - store: The store; nil at the end.
    ///   - health: Is told of the clock and of the store's space.
    ///   - changed: Is told each change.
    private static func watch(
        _ store: WatchedStore,
        _ health: Health,
        _ changed: @Sendable (Belfry_V1_Condition, Bool) -> Void
    ) async {
        var told = ToldConditions()
        while !Task.isCancelled {
            guard let present = store.conditions else { return }
            let isSet = !present.contains(.clockNotSet)
            health.set(isSet ? .serving : .notServing, for: NotificationService.clockName)
            let hasRoom = !present.contains(.storeFull)
            health.set(hasRoom ? .serving : .notServing, for: NotificationService.storeName)
            for change in told.changes(to: present, at: .now) {
                changed(Belfry_V1_Condition(change.condition), change.isPresent)
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }
}

/// A store until it is stopped: an object that watches the store through this one does not keep it
/// open.
private final class WatchedStore: Sendable {
    private let store: Guarded<Store?>

    init(_ store: Store) { self.store = Guarded(store) }

    /// The conditions of now; nil from the end on.
    var conditions: [StoreCondition]? { store.withLock { $0?.conditions } }

    /// Lets the store go, once nobody reads its conditions.
    func end() { store.withLock { $0 = nil } }
}

/// The conditions that a program was told of: one that comes and goes is told once.
struct ToldConditions {
    /// How long a condition has to be absent before its end is told: a full store has room for a
    /// moment with each removal.
    static let absence = Duration.seconds(60)

    /// When each was there last.
    ///
    /// Bounded: the conditions are the server's own names.
    private var seen: [StoreCondition: ContinuousClock.Instant] = [:]

    /// The changes to tell, in the order of the conditions.
    mutating func changes(
        to present: [StoreCondition],
        at now: ContinuousClock.Instant
    ) -> [(condition: StoreCondition, isPresent: Bool)] {
        var changes: [(condition: StoreCondition, isPresent: Bool)] = []
        for condition in StoreCondition.allCases {
            if present.contains(condition) {
                if seen.updateValue(now, forKey: condition) == nil {
                    changes.append((condition, true))
                }
            } else if let last = seen[condition] {
                // A clock that was set stays set, so tell this end at once.
                guard condition == .clockNotSet || now - last >= Self.absence else { continue }
                seen[condition] = nil
                changes.append((condition, false))
            }
        }
        return changes
    }
}
