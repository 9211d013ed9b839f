public import BelfryLMDB
public import NotificationCore

/// The durable notification centers of one data directory.
///
/// Every change goes through one writer thread and is on disk before its completion is told. Reads
/// see all that was told before they began. Opening loads nothing up front: what is pending is read
/// when it is due.
///
/// One process holds a data directory at a time. Methods may be called from any thread.
public final class Store: Sendable {
    /// How a store is opened.
    public struct Options: Sendable {
        /// The data directory, made where it is missing.
        public var directory: String
        /// The clock that it runs on.
        public var clock = Clock.Form.system
        /// Its limits.
        public var limits = StoreLimits()
        /// The zone of devices that name none, by its name in the zone database.
        public var timeZone = "UTC"
        /// The machine's zone database.
        public var zoneDirectory = "/usr/share/zoneinfo"
        /// Whose behaviour it follows where there is a choice (D-22).
        public var profile = Profile.server
        /// Whether an app registers itself by its first call (W-2).
        public var registersNewApps = true
        /// The LMDB environment's settings.
        public var environment = Environment.Options()

        /// Makes options for `directory`, with the system clock and the default limits.
        public init(directory: String) {
            self.directory = directory
        }
    }

    let context: StoreContext
    /// Whether an app registers itself by its first call.
    let registersNewApps: Bool
    /// When it was opened.
    public let openedAt: WallInstant
    /// Knows the page tokens that the store gave.
    public let pageTokenKey: PageTokenKey
    /// Reads lists for callers.
    package let lists: ListReaders
    let writer: Writer
    let backups: Backups
    let transfers: AttachmentTransfers
    private let lock: DataDirectoryLock

    /// The clock that decides what is due.
    public var clock: Clock { context.clock }
    /// The limits that it was opened with.
    public var limits: StoreLimits { context.limits }
    /// Whose behaviour it follows where there is a choice.
    public var profile: Profile { context.profile }
    var environment: Environment { context.environment }
    var tables: Tables { context.tables }
    var files: AttachmentFiles { context.files }
    var damage: DamageReport { context.damage }
    var space: StoreSpace { context.space }
    var directory: String { context.directory }
    var path: String { context.path }

    /// Locks the directory, opens the store and begins to fire what is due.
    ///
    /// - Parameters:
    ///   - options: How to open it.
    ///   - observer: Who is told what becomes durable; absent is nobody.
    ///   - apps: Who knows which apps are there; absent, none ever is.
    ///   - onFailure: Called once, on the writer thread, if the store fails for good: from then on
    ///     nothing is acknowledged, and the process should end.
    ///   - onDamage: Told each damaged row once, on any thread: what needs it is refused, and all
    ///     else goes on.
    /// - Throws: Why it cannot be opened; the directory is then free again.
    /// - Complexity: Independent of how much is pending.
    public init(
        _ options: Options,
        observer: (any CommitObserver)? = nil,
        apps: (any AppPresenceSource)? = nil,
        onFailure: @escaping @Sendable (StoreError) -> Void,
        onDamage: @escaping @Sendable (DamagedRow) -> Void = { _ in }
    ) throws(StoreError) {
        lock = try DataDirectoryLock(directory: options.directory)
        registersNewApps = options.registersNewApps
        let (environment, tables) = try Self.openTables(options)
        let zones = ZoneDatabase(directory: options.zoneDirectory, localName: options.timeZone)
        let opened = try Self.openState(environment, tables, zones, clock: options.clock)
        pageTokenKey = try Self.openPageTokenKey(environment, tables)
        openedAt = opened.clock.now().wall
        let path = StoreContext.path(in: options.directory)
        context = StoreContext(
            environment: environment,
            tables: tables,
            limits: options.limits,
            profile: options.profile,
            clock: opened.clock,
            zones: zones,
            directory: options.directory,
            space: StoreSpace(
                diskBytes: DiskSpace(ofFile: path)?.totalBytes,
                mapBytes: environment.statistics.mapByteCount,
                limits: options.limits
            ),
            files: AttachmentFiles(dataDirectory: options.directory),
            damage: DamageReport(tables, onDamage: onDamage),
            apps: apps ?? Nobody(),
            observer: observer ?? Nobody()
        )
        lists = ListReaders()
        transfers = AttachmentTransfers(limits: options.limits)
        writer = Writer(context, onFailure: onFailure)
        backups = Backups(
            environment: environment,
            dataDirectory: options.directory,
            clock: opened.clock,
            files: context.files,
            keptCount: options.limits.keptBackups,
            reservedDiskBytes: context.space.reservedDiskBytes
        )
        files.cleanUp(reader)
        writer.start(from: opened.state, goingOnWith: opened.unfinished)
    }

    private static func openPageTokenKey(
        _ environment: Environment,
        _ tables: Tables
    ) throws(StoreError) -> PageTokenKey {
        do {
            return try PageTokenKey.stored(in: environment, tables)
        } catch {
            throw .lmdb(error)
        }
    }

    /// Opens the file, upgraded to the format of this version, and its tables.
    private static func openTables(
        _ options: Options
    ) throws(StoreError) -> (Environment, Tables) {
        try StoreUpgrade.run(in: options.directory, options.environment)
        do {
            let environment = try Environment(
                directory: options.directory,
                options: options.environment
            )
            // Before anything is written: the tables of a newer format are not this version's.
            try StoreState.requireKnownFormat(in: environment)
            let tables = try Tables(environment)
            try tables.readEnds(environment)
            return (environment, tables)
        } catch let error as LMDBError {
            throw .lmdb(error)
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("an unknown error came from a start: \(error)")
        }
    }

    /// Reads the state, or makes it and the format where the store is new.
    private static func openState(
        _ environment: Environment,
        _ tables: Tables,
        _ zones: ZoneDatabase,
        clock form: Clock.Form
    ) throws(StoreError) -> (clock: Clock, state: StoreState, unfinished: [QueuedCommand]) {
        do throws(LMDBError) {
            let found = try environment.read { transaction throws(LMDBError) in
                try readState(tables, in: transaction)
            }
            let clock = Clock(form: form, last: found)
            var state =
                found ?? StoreState(now: clock.now(), bootNanoseconds: 0, bootIdentifier: "")
            if state.unsettled == nil {
                state.unsettled = try environment.read { transaction throws(LMDBError) in
                    try StoreState.Unsettled(counting: tables.centers, in: transaction)
                }
            }
            let now = clock.now()
            state.now = now
            state.bootNanoseconds = clock.bootNanoseconds(of: state.now)
            state.bootIdentifier = SystemTime.bootIdentifier()
            if found != nil {
                try environment.write { transaction throws(LMDBError) in
                    let before = state
                    let changed = try changedZones(zones, tables, &state, in: transaction)
                    if !changed.isEmpty {
                        state.recalculations.append(Recalculation(.zones(changed), since: now.wall))
                    }
                    guard state != before else { return }
                    try transaction.put(state.bytes, forKey: Key.state, in: tables.meta)
                }
            } else {
                state.localZone = zones.localName
                try environment.write { transaction throws(LMDBError) in
                    try transaction.put(
                        Key.number(StoreState.format),
                        forKey: Key.format,
                        in: tables.meta
                    )
                    try transaction.put(state.bytes, forKey: Key.state, in: tables.meta)
                }
            }
            let unfinished = try environment.read { transaction throws(LMDBError) in
                try FinishUnregisteringCommand.all(tables, in: transaction)
            }
            return (clock, state, unfinished)
        } catch {
            throw .lmdb(error)
        }
    }

    private static func readState(
        _ tables: Tables,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> StoreState? {
        guard try transaction.contains(key: Key.format, in: tables.meta) else { return nil }
        return try transaction.state(tables)
    }

    /// Finishes what was accepted, and ends the threads.
    ///
    /// Commands that come later are refused. A backup that is under way is given up. Blocks for at
    /// most the batches that are queued and the sync of a part of the backup.
    public func stop() {
        backups.stop()
        if writer.stop() { StoreUpgrade.finish(in: directory) }
        lists.stop()
        transfers.stop()
        files.stop()
    }

    /// Tells when all that was begun before is durable.
    ///
    /// - Parameter completion: Told so on the writer thread, or why it will not be.
    package func afterNextBatch(_ completion: @escaping Completion<Void>) {
        submit(BarrierCommand(), once: nil) { completion($0.map { _ in }) }
    }

    /// Hands a command to the writer; with a key it acts once however often it comes.
    func submit<C: Command>(
        _ command: C,
        once key: OnceKey?,
        _ completion: @escaping Completion<C.Reply>
    ) {
        let queued =
            if let key {
                QueuedCommand(OnceCommand(command, key: key), completion)
            } else {
                QueuedCommand(command, completion)
            }
        switch writer.queue.append(queued) {
        case nil: break
        case .full: completion(.failure(.overloaded))
        case .shareFull: completion(.failure(.centerOverloaded))
        case .closed: completion(.failure(.stopping))
        }
    }
}

/// Changes nothing: it is done when all that was begun before it is durable.
private struct BarrierCommand: Command {
    func apply(to batch: Batch) throws(LMDBError) -> Step<Int> { .done(.success(0)) }
}
