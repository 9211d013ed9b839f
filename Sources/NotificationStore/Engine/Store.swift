package import BelfryLMDB
internal import Faults
package import NotificationCore
internal import NotificationRecords

/// The durable notification centers of one data directory.
///
/// Every change goes through one writer thread and is on disk before its completion is called. A
/// read sees every change whose completion was called before the read began. Opening loads no
/// requests: a pending request is read when it is due.
///
/// Only one process at a time may hold a data directory. Methods may be called from any thread.
package final class Store: Sendable {
    package struct Options: Sendable {
        /// The data directory, made where it is missing.
        package var directory: String
        package var clock = Clock.Form.system
        package var limits = StoreLimits()
        /// The zone of devices that report no zone, by its name in the zone database.
        package var timeZone = "UTC"
        /// The machine's zone database.
        package var zoneDirectory = "/usr/share/zoneinfo"
        /// Which behaviour the store follows where there is a choice (D-22).
        package var profile = Profile.server
        /// Whether an app is registered by its first call (W-2).
        package var registersNewApps = true
        /// The LMDB environment's settings.
        package var environment = Environment.Options()

        /// Makes options for `directory`, with the system clock and the default limits.
        package init(directory: String) {
            self.directory = directory
        }
    }

    let context: StoreContext
    let registersNewApps: Bool
    package let openedAt: WallInstant
    /// Signs the page tokens that the store gives, and checks them.
    package let pageTokenKey: PageTokenKey
    /// Of which the key is made with which pushes to browsers are signed.
    package let webPushSecret: [UInt8]
    package let lists: ListReaders
    let writer: Writer
    let backups: Backups
    let transfers: AttachmentTransfers
    private let lock: DataDirectoryLock

    package var clock: Clock { context.clock }
    package var limits: StoreLimits { context.limits }
    package var profile: Profile { context.profile }
    var environment: Environment { context.environment }
    var tables: Tables { context.tables }
    var files: AttachmentFiles { context.files }
    var damage: DamageReport { context.damage }
    var space: StoreSpace { context.space }
    var zones: ZoneDatabase { context.zones }
    var directory: String { context.directory }
    var path: String { context.path }

    /// Locks the directory, opens the store and begins to fire due requests.
    ///
    /// - Parameters:
    ///   - options: How to open the store.
    ///   - observer: Told each durable commit; may be absent.
    ///   - apps: Knows which apps are connected; without it no app is.
    ///   - extensions: Knows which extensions serve; without it none does.
    ///   - onFailure: Called once, on the writer thread, if the store fails for good: from then on
    ///     nothing is acknowledged, and the process should end.
    ///   - onDamage: Told each damaged row once, on any thread: calls that need the row are
    ///     refused, and all else goes on.
    /// - Throws: Why the store cannot be opened; the directory is then unlocked.
    /// - Complexity: Independent of the number of pending requests.
    package init(
        _ options: Options,
        observer: (any CommitObserver)? = nil,
        apps: (any AppPresenceSource)? = nil,
        extensions: (any ExtensionPresenceSource)? = nil,
        onFailure: @escaping @Sendable (StoreError) -> Void,
        onDamage: @escaping @Sendable (DamagedRow) -> Void = { _ in }
    ) throws(StoreError) {
        lock = try DataDirectoryLock(directory: options.directory)
        registersNewApps = options.registersNewApps
        let zones = ZoneDatabase(directory: options.zoneDirectory, localName: options.timeZone)
        try StoreCreation.run(in: options.directory) { part throws(StoreError) in
            let (environment, tables) = try Self.openTables(options, in: part)
            try Self.makeState(environment, tables, zones, clock: options.clock)
        }
        let (environment, tables) = try Self.openTables(options, in: options.directory)
        let opened = try Self.openState(environment, tables, zones, clock: options.clock)
        (pageTokenKey, webPushSecret) = try Self.openSecrets(environment, tables)
        openedAt = opened.clock.now().wall
        let path = StoreContext.path(in: options.directory)
        let space = StoreSpace(
            diskBytes: DiskSpace(ofFile: path)?.totalBytes,
            mapBytes: environment.statistics.mapByteCount,
            limits: options.limits
        )
        var limits = options.limits
        limits.fit(space.limitBytes)
        context = StoreContext(
            environment: environment,
            tables: tables,
            limits: limits,
            profile: options.profile,
            clock: opened.clock,
            zones: zones,
            directory: options.directory,
            space: space,
            files: AttachmentFiles(dataDirectory: options.directory),
            reports: Reports(damage: DamageReport(onDamage: onDamage)),
            outside: Outside(
                apps: apps ?? Nobody(),
                extensions: extensions ?? Nobody(),
                observer: observer ?? Nobody()
            )
        )
        lists = ListReaders()
        transfers = AttachmentTransfers(limits: options.limits)
        writer = Writer(context, onFailure: onFailure)
        backups = Backups(context)
        files.cleanUp(reader)
        writer.start(from: opened.state, goingOnWith: opened.unfinished)
    }

    private static func openSecrets(
        _ environment: Environment,
        _ tables: Tables
    ) throws(StoreError) -> (pageTokens: PageTokenKey, webPush: [UInt8]) {
        do {
            return (
                try PageTokenKey.stored(in: environment, tables),
                try SecretRow.stored(at: .webPush, of: tables.webPushSecret, in: environment)
            )
        } catch {
            throw .failed(error)
        }
    }

    private static func openTables(
        _ options: Options,
        in directory: String
    ) throws(StoreError) -> (Environment, Tables) {
        do {
            let environment = try Environment(directory: directory, options: options.environment)
            // Check before anything is written: another format may have other tables.
            let isStore = try StoreState.requireKnownFormat(in: environment)
            let path = StoreContext.path(in: directory)
            // The part of a first start has no log: it gets one in its place.
            let isPart = directory != options.directory
            guard isStore || isPart else { throw StoreError.notAStore(path: path) }
            if isStore { try environment.requireTables(TableName.allCases.map(\.rawValue)) }
            let tables = try Tables(
                environment,
                log: isPart ? nil : LogDirectory.of(path),
                changes: options.limits.changes.fitting(DiskSpace(ofFile: path)?.totalBytes)
            )
            try tables.readEnds(environment)
            let note = crashNote(in: directory)
            if Files.exists(note) {
                try tables.checkPages(environment)
                try Files.remove(note)
            }
            return (environment, tables)
        } catch let error as LMDBError {
            throw .failed(.lmdb(error))
        } catch let error as StoreFailure {
            throw .failed(error)
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("an unknown error came from a start: \(error)")
        }
    }

    /// The name of the file that a process leaves which a signal ended while it served the store: a
    /// damaged file may have caused it, so the next start checks all pages (ST-4).
    package static let crashNoteName: StaticString = "crashed"

    /// The path of that file.
    package static func crashNote(in directory: String) -> String {
        "\(directory)/\(crashNoteName)"
    }

    /// Writes the state and the format of a new store.
    private static func makeState(
        _ environment: Environment,
        _ tables: Tables,
        _ zones: ZoneDatabase,
        clock form: Clock.Form
    ) throws(StoreError) {
        let clock = Clock(form: form, last: nil)
        let now = clock.now()
        let state = StoreState(
            now: now,
            bootNanoseconds: clock.bootNanoseconds(of: now),
            bootIdentifier: SystemTime.bootIdentifier(),
            localZone: zones.localName
        )
        do {
            try environment.writing { transaction throws(StoreFailure) in
                let format = FormatRow(version: StoreState.format)
                try transaction.put(format, at: .format, in: tables.format)
                try transaction.put(state, at: .state, in: tables.state)
            }
        } catch {
            throw .failed(error)
        }
    }

    /// Reads the store-wide state, and notes what changed while the server was down.
    private static func openState(
        _ environment: Environment,
        _ tables: Tables,
        _ zones: ZoneDatabase,
        clock form: Clock.Form
    ) throws(StoreError) -> (clock: Clock, state: StoreState, unfinished: [QueuedCommand]) {
        do throws(StoreFailure) {
            let found = try environment.reading { transaction throws(StoreFailure) in
                try transaction.state(tables)
            }
            let clock = Clock(form: form, last: found)
            var state = found
            let now = clock.now()
            state.now = now
            state.bootNanoseconds = clock.bootNanoseconds(of: state.now)
            state.bootIdentifier = SystemTime.bootIdentifier()
            try tables.batch(in: environment, at: now) { transaction throws(StoreFailure) in
                let before = state
                let changed = try changedZones(zones, tables, &state, in: transaction)
                if !changed.isEmpty {
                    state.recalculations.append(Recalculation(.zones(changed), since: now.wall))
                }
                // Look for schedules of Focuses, too: a zone that only these follow has no noted
                // version.
                if try !transaction.isEmpty(tables.focusChanges) {
                    state.recalculations.append(Recalculation(.focuses, since: now.wall))
                }
                guard state != before else { return }
                try transaction.put(state, at: .state, in: tables.state)
            }
            let unfinished = try environment.reading { transaction throws(StoreFailure) in
                var left = try FinishUnregisteringCommand.all(tables, in: transaction)
                if !Fault.reportCutByACrash.isPlanted {
                    left += try FinishReportsCommand.all(tables, in: transaction)
                }
                return try left + OpenCommands.all(tables, in: transaction)
            }
            return (clock, state, unfinished)
        } catch {
            throw .failed(error)
        }
    }

    /// Finishes the accepted commands, and ends the threads.
    ///
    /// Later commands are refused. A backup that is under way is cancelled. Blocks at most until
    /// the queued batches and the sync of a part of the backup are done, and the log of changes is
    /// merged: a second or two where much was changed.
    ///
    /// Commands in slices end after their slice: the store says what is left, and the next start
    /// goes on.
    ///
    /// - Parameter end: When commands that are not begun are refused, and the log stays as it is;
    ///   nil is never.
    package func stop(by end: ContinuousClock.Instant? = nil) {
        backups.stop()
        if writer.stop(by: end) {
            // Leave the rest in the log, for the next start.
            try? tables.mergeChanges(environment) { end.map { .now < $0 } ?? true }
        }
        lists.stop()
        transfers.stop()
        files.stop()
    }

    /// Tells when a batch that begins after this call is durable.
    ///
    /// - Parameter completion: Called on a thread of the store, with the refusal if that cannot
    ///   happen.
    package func afterNextBatch(_ completion: @escaping Completion<Void>) {
        submit(BarrierCommand(), once: nil) { completion($0.map { _ in }) }
    }

    /// Submits a command to the writer; a command with a key acts once, however often it is
    /// submitted.
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
        case .full:
            context.refusals.note(.overloaded)
            completion(.failure(.overloaded))
        case .shareFull:
            context.refusals.note(.overloaded)
            completion(.failure(.callerOverloaded))
        case .closed: completion(.failure(.stopping))
        }
    }
}

/// Changes nothing; its completion tells that its batch is durable.
private struct BarrierCommand: Command {
    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> { .done(.success(0)) }
}
