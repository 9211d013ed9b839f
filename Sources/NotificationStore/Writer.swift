internal import Glibc
internal import LMDB
internal import Locking
internal import NotificationCore

/// The one thread that changes the store.
///
/// It waits for work or for the next due instant, takes all that waits, and commits it as one
/// transaction with one sync. Then, in this order, the calls are answered and the subscribers are
/// woken: what was answered is on disk, and what was told is on disk.
final class Writer: Sendable {
    private let environment: Environment
    private let tables: Tables
    private let limits: StoreLimits
    private let profile: Profile
    private let clock: Clock
    private let space: StoreSpace
    /// The data file.
    private let path: String
    private let subscriptions: Subscriptions
    private let delegates: Delegates
    private let watches: DeviceWatches
    private let zones: ZoneDatabase
    private let files: AttachmentFiles
    private let onFailure: @Sendable (StoreError) -> Void
    private let wakeup: Wakeup
    let queue: CommandQueue
    private let counts = Guarded(Counts())
    private let thread = Guarded<SystemThread?>(nil)
    private let hasFailed = Guarded(false)

    /// How long due work rests after a batch found no space, in nanoseconds.
    private static let restAfterNoSpace: Int64 = 1_000_000_000
    /// A disk with less free counts as full when a write fails.
    private static let fullDiskBytes = 1 << 20

    init(
        environment: Environment,
        tables: Tables,
        limits: StoreLimits,
        profile: Profile,
        clock: Clock,
        space: StoreSpace,
        path: String,
        subscriptions: Subscriptions,
        delegates: Delegates,
        watches: DeviceWatches,
        zones: ZoneDatabase,
        files: AttachmentFiles,
        onFailure: @escaping @Sendable (StoreError) -> Void
    ) {
        self.environment = environment
        self.tables = tables
        self.limits = limits
        self.profile = profile
        self.clock = clock
        self.space = space
        self.path = path
        self.subscriptions = subscriptions
        self.delegates = delegates
        self.watches = watches
        self.zones = zones
        self.files = files
        self.onFailure = onFailure
        wakeup = Wakeup()
        queue = CommandQueue(limit: limits.queuedCommands, wakeup: wakeup)
    }

    /// What was done since the start; from any thread.
    func currentCounts() -> Counts { counts.withLock { $0 } }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - state: What the store holds.
    ///   - unfinished: What an earlier run of the server left undone.
    func start(from state: StoreState, goingOnWith unfinished: [QueuedCommand]) {
        thread.withLock { thread in
            thread = SystemThread { self.run(from: state, unfinished) }
        }
    }

    /// Answers what waits for a person, now and from now on; from any thread.
    func endWaits() { queue.endWaits() }

    /// Finishes what is queued and ends the thread, and gives whether the store never failed.
    func stop() -> Bool {
        queue.close()
        thread.withLock { $0.take() }?.join()
        return !hasFailed.withLock { $0 }
    }

    // MARK: On the writer thread

    /// What the thread knows between two batches.
    private struct Progress {
        var state: StoreState
        /// Commands that go on, before all others.
        var unfinished: [QueuedCommand] = []
        /// Commands that wait for a person.
        var waiting = WaitingCommands()
        /// The idempotency keys of both.
        var openKeys = OpenKeys()
        /// What is to be done next unasked, as of the last batch.
        var nextWork = NextWork()
    }

    private func run(from state: StoreState, _ unfinished: [QueuedCommand]) {
        var progress = Progress(state: state, unfinished: unfinished)
        do {
            progress.nextWork = try environment.read { transaction throws(LMDBError) in
                try Batch.nextWork(tables, in: transaction)
            }
            while waitForWork(&progress) {
                try makeBatch(&progress)
            }
            endWaits(&progress)
        } catch {
            giveUp(error, progress.unfinished + progress.waiting.commands)
        }
    }

    /// Waits for a command or for the next due instant; false at the end.
    private func waitForWork(_ progress: inout Progress) -> Bool {
        while true {
            if queue.hasEndedWaits { endWaits(&progress) }
            let isWaitOver = progress.waiting.hasEnded(at: clock.waited())
            guard progress.unfinished.isEmpty && !isDue(progress) && !isWaitOver else {
                break
            }
            guard queue.prepareToWait() else { return queue.count > 0 }
            // Due instants of a manual clock come with the command that moves it.
            var next = clock.isManual ? NextWork() : progress.nextWork
            if let end = progress.waiting.nextEnd {
                next.elapsed = min(next.elapsed ?? end, end)
            }
            wakeup.wait(
                untilBootNanoseconds: next.elapsed.map(clock.bootNanoseconds(at:)),
                untilWallNanoseconds: next.wall?.nanoseconds
            )
        }
        return !queue.isClosed || queue.count > 0 || !progress.unfinished.isEmpty
    }

    /// Whether there is something to do unasked.
    private func isDue(_ progress: Progress) -> Bool {
        let now = clock.now()
        guard !progress.state.isRecalculating(at: now), !progress.nextWork.isDue(at: now) else {
            return true
        }
        return progress.nextWork.wall != nil && progress.state.isSetBack(at: now)
    }

    /// Answers what waits for a person: nobody will, as far as this run of the server goes.
    private func endWaits(_ progress: inout Progress) {
        for command in progress.waiting.commands { command.fail(.stoppingWhileAsking) }
        progress.waiting = WaitingCommands()
        progress.openKeys.waiting = [:]
    }

    private func makeBatch(_ progress: inout Progress) throws(LMDBError) {
        let now = clock.now()
        precondition(
            now.elapsed >= progress.state.now.elapsed,
            "the elapsed clock went backward"
        )
        // In a contended batch due work and commands get half each.
        let contended = isDue(progress)
        let share = contended ? limits.rowsPerBatch / 2 : limits.rowsPerBatch
        let commands = progress.unfinished + queue.take(atMost: share)
        let batch = Batch(
            tables: tables,
            limits: limits,
            profile: profile,
            delegates: delegates,
            subscriptions: subscriptions,
            watches: watches,
            zones: zones,
            now: now,
            waited: clock.waited(),
            state: progress.state,
            openKeys: progress.openKeys,
            hasRoomForAdds: try hasRoomForAdds(),
            waiting: progress.waiting
        )
        // An advance of the manual clock that is under way fires what is due itself, and counts it.
        let firesDue = !progress.unfinished.contains { $0.firesDue }
        var round = Round(waiting: progress.waiting)
        do {
            progress.nextWork = try environment.write { transaction throws(LMDBError) in
                batch.noteWallClock()
                if firesDue {
                    _ = try batch.fireDue(atMost: share, in: transaction)
                    _ = try batch.expire(atMost: share, in: transaction)
                }
                // What is due by the old dates has fired, or is left as it is.
                _ = try batch.recalculate(atMost: share, in: transaction)
                try round.go(through: commands, batch, in: transaction)
                try batch.finish(
                    bootNanoseconds: clock.bootNanoseconds(of: batch.now),
                    in: transaction
                )
                return try Batch.nextWork(tables, in: transaction)
            }
        } catch {
            guard isOutOfSpace(error), isUsable() else {
                progress.unfinished = commands
                throw error
            }
            outOfSpace(commands, round.resumed, &progress)
            return
        }
        progress.state = batch.state
        progress.unfinished = round.unfinished
        progress.waiting = round.waiting
        progress.openKeys = batch.openKeys
        publish(batch, round.done)
    }

    /// How far the commands of a batch came.
    private struct Round {
        var done: [QueuedCommand] = []
        var unfinished: [QueuedCommand] = []
        var waiting: WaitingCommands
        /// Those that waited until this batch.
        var resumed: [QueuedCommand] = []

        init(waiting: WaitingCommands) {
            self.waiting = waiting
        }

        /// Makes a step of each command, then of those whose wait ended with it.
        mutating func go(
            through commands: [QueuedCommand],
            _ batch: Batch,
            in transaction: borrowing WriteTransaction
        ) throws(LMDBError) {
            for command in commands { try step(command, batch, in: transaction) }
            resumed = waiting.takeEnded(
                prompts: batch.news.endedPrompts,
                at: batch.waited
            )
            for command in resumed { try step(command, batch, in: transaction) }
        }

        private mutating func step(
            _ command: QueuedCommand,
            _ batch: Batch,
            in transaction: borrowing WriteTransaction
        ) throws(LMDBError) {
            switch try command.step(batch, in: transaction) {
            case .done: done.append(command)
            case .unfinished: unfinished.append(command)
            case .waiting(let wait): waiting.append(command, wait)
            }
        }
    }

    private func hasRoomForAdds() throws(LMDBError) -> Bool {
        let statistics = environment.statistics
        return try space.hasRoomForAdds(
            usedBytes: statistics.usedByteCount,
            freeDiskBytes: DiskSpace(ofFile: path)?.freeBytes ?? .max
        ) { () throws(LMDBError) in
            try environment.read { transaction throws(LMDBError) in
                try transaction.freePageCount() * statistics.pageByteCount
            }
        }
    }

    /// The batch is durable: now it may be told.
    private func publish(_ batch: Batch, _ done: [QueuedCommand]) {
        if clock.isManual { clock.set(batch.now) }
        files.remove(batch.news.removedFiles)
        counts.withLock { counts in
            counts.add(batch.counts)
            counts.commands += done.count
            counts.batches += 1
        }
        // Before anybody is told: a call that is answered now may be followed by one of the app.
        delegates.noteSilence(of: batch.news.missedDeadlines)
        for command in done { command.finish() }
        subscriptions.wake(batch.news)
        watches.wake(batch.news.devices)
    }

    /// Whether a batch failed for space.
    ///
    /// LMDB tells of a write that was cut short, because the disk got full within it, as EIO.
    private func isOutOfSpace(_ error: LMDBError) -> Bool {
        error.isOutOfSpace || error.code == EIO && isDiskFull
    }

    private var isDiskFull: Bool {
        DiskSpace(ofFile: path).map { $0.freeBytes < Self.fullDiskBytes } ?? false
    }

    /// Whether the store takes further batches: not after a failed write of the meta page, when it
    /// is not known whether the batch is on the disk.
    private func isUsable() -> Bool {
        (try? environment.write { _ throws(LMDBError) in }) != nil
    }

    /// The disk or the map is full: nothing of the batch happened, and the store serves on.
    ///
    /// - Parameters:
    ///   - commands: What the batch took up; the first of them were unfinished.
    ///   - resumed: What waited until the batch, and some of `commands` perhaps.
    ///   - progress: What the thread knows.
    private func outOfSpace(
        _ commands: [QueuedCommand],
        _ resumed: [QueuedCommand],
        _ progress: inout Progress
    ) {
        for (index, command) in commands.enumerated() {
            command.fail(index < progress.unfinished.count ? .storeFullMidway : .storeFull)
        }
        for command in resumed where !commands.contains(where: { $0 === command }) {
            command.fail(.storeFullMidway)
        }
        progress.unfinished = []
        progress.waiting.remove(resumed)
        progress.openKeys = OpenKeys(waiting: progress.waiting.keys)
        if isDue(progress) {
            progress.nextWork = NextWork(
                elapsed: clock.now().elapsed.advanced(byNanoseconds: Self.restAfterNoSpace)
            )
        }
    }

    /// After any other failure nothing is acknowledged any more; a restart verifies.
    private func giveUp(_ error: LMDBError, _ commands: [QueuedCommand]) {
        hasFailed.withLock { $0 = true }
        onFailure(.lmdb(error))
        queue.close()
        for command in commands + queue.take(atMost: .max) { command.fail(.storeFailed) }
    }
}

extension Refusal {
    /// The line of commands is full: nothing happened, and a retry helps.
    static let overloaded = Refusal(
        .resourceExhausted,
        reason: "OVERLOADED",
        message: "the server has more commands waiting than it takes: retry after the delay",
        retryAfterNanoseconds: 50_000_000
    )

    /// The center has its share of the line: nothing happened, and a retry helps.
    static let centerOverloaded = Refusal(
        .resourceExhausted,
        reason: "OVERLOADED",
        message: """
            the app has more commands waiting than the server takes of one: retry after the delay
            """,
        retryAfterNanoseconds: 50_000_000
    )

    /// There is no space: nothing happened.
    static let storeFull = Refusal(
        .resourceExhausted,
        reason: "STORE_FULL",
        message: "the store has no space left: free some disk, or remove requests"
    )

    /// There is no space for the rest of a call of which earlier batches did a part.
    static let storeFullMidway = Refusal(
        .resourceExhausted,
        reason: "STORE_FULL",
        message: """
            the store has no space left, and a part of this call is done: free some disk, then \
            call again with the same idempotency_key
            """
    )

    /// The store failed; whether the command took effect is known after a restart.
    static let storeFailed = Refusal(
        .unavailable,
        reason: "OUTCOME_UNKNOWN",
        message:
            "the store failed and the server stops: what this call did is known after a restart"
    )

    /// The server is stopping while the person is asked: the prompt is open and stays.
    static let stoppingWhileAsking = Refusal(
        .unavailable,
        reason: "STOPPING",
        message: "the server is stopping, and the prompt stays open: ask again to go on waiting",
        retryAfterNanoseconds: 1_000_000_000
    )

    /// The server is stopping: nothing happened.
    static let stopping = Refusal(
        .unavailable,
        reason: "STOPPING",
        message: "the server is stopping: retry elsewhere or later",
        retryAfterNanoseconds: 1_000_000_000
    )
}
