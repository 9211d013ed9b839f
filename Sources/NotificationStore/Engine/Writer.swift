internal import BelfryLMDB
internal import BelfryLocking
internal import Faults
internal import Glibc
internal import NotificationCore
internal import NotificationRecords

/// The one thread that changes the store.
///
/// The writer waits for commands or for the next due instant, and commits all waiting commands and
/// due work as one transaction with one sync. Then the calls are answered, where there are several
/// by the thread of ``Replies``, and the subscribers are woken: every reply and every told event is
/// on disk. Where more is due than a batch does, or many calls wait, the next batch is made while
/// the frame of the last one is written (``FrameWriter``).
final class Writer: Sendable {
    let context: StoreContext
    private let onFailure: @Sendable (StoreError) -> Void
    private let wakeup: Wakeup
    let queue: CommandQueue
    private let counts = Guarded(Counts())
    private let thread = Guarded<SystemThread?>(nil)
    private let hasFailed = Guarded(false)
    private let freeDisk = Guarded(FreeDiskSpace())
    let merger: Merger
    private let replies = Replies()
    let frames = FrameWriter()

    var environment: Environment { context.environment }
    var tables: Tables { context.tables }
    var limits: StoreLimits { context.limits }
    var clock: Clock { context.clock }

    init(_ context: StoreContext, onFailure: @escaping @Sendable (StoreError) -> Void) {
        self.context = context
        self.onFailure = onFailure
        wakeup = Wakeup()
        merger = Merger(context)
        queue = CommandQueue(limit: context.limits.queuedCommands, wakeup: wakeup)
    }

    /// The counts since the start; from any thread.
    func currentCounts() -> Counts {
        var now = counts.withLock { $0 }
        now.stages.replies = replies.times
        return now
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - state: The store-wide state.
    ///   - unfinished: The commands that an earlier run of the server did not finish.
    func start(from state: StoreState, goingOnWith unfinished: [QueuedCommand]) {
        merger.start()
        thread.withLock { thread in
            thread = SystemThread(named: "writer") { self.run(from: state, unfinished) }
        }
    }

    /// Ends all waits for a person, and leaves commands in slices to the next start; holds for
    /// later waits, too; from any thread.
    func endWaits() { queue.endWaits() }

    /// Finishes the queued commands and ends the thread.
    ///
    /// - Parameter end: When commands that are not begun are refused; nil is never.
    /// - Returns: Whether the store never failed.
    func stop(by end: ContinuousClock.Instant?) -> Bool {
        queue.close(by: end)
        thread.withLock { $0.take() }?.join()
        frames.stop()
        replies.stop()
        merger.stop()
        return !hasFailed.withLock { $0 }
    }

    // MARK: On the writer thread

    /// The state of the thread between two batches.
    struct Progress {
        var state: StoreState
        /// Commands that go on in the next batches, before all others.
        var unfinished: [QueuedCommand] = []
        /// The commands of the batches that were thrown away where a frame had no space: each of
        /// these batches is made again by itself.
        var returned: [[QueuedCommand]] = []
        /// Commands that wait for a person.
        var waiting = WaitingCommands()
        /// The idempotency keys of the unfinished and the waiting commands.
        var openKeys = OpenKeys()
        var setAside = SetAside()
        var cache = BatchCache()
        /// The last batch, where its frame is being written.
        var unsynced: UnsyncedBatch?
        /// The next due work, as of the last batch.
        var nextWork = NextWork()
        /// How much due work a batch does.
        var pace = DuePace()
        /// Whether the last batch did some due work, and all that there was.
        var gathersDueWork = false
        var callPace = CallPace()

        /// Whether a command that advances the manual clock has begun.
        var isFiring: Bool { unfinished.contains(where: \.firesDue) }
        /// Whether no command waits for a batch but those of the queue.
        var hasNoCommands: Bool { unfinished.isEmpty && returned.isEmpty }
        /// Whether a command that has begun, or was returned, can go on: not those that wait for
        /// due work while that rests.
        func goesOn(while rests: Bool) -> Bool {
            !returned.isEmpty || unfinished.contains { !rests || !$0.awaitsDueWork }
        }
        /// The cost of the next steps of the unfinished commands.
        var unfinishedCost: Int { unfinished.reduce(0) { $0 + $1.cost } }

        /// Takes over what a batch left, which nothing but a lack of space undoes any more.
        ///
        /// `share` is the rows of due work that it might do, but for its pace.
        mutating func take(_ attempt: Attempt, of share: Int) {
            for command in attempt.round.begun { command.keep() }
            cache = attempt.batch.end(isDurable: true)
            nextWork = attempt.next
            state = attempt.batch.state
            unfinished = attempt.round.unfinished
            waiting = attempt.round.waiting
            openKeys = attempt.batch.calls.keys
            setAside = attempt.batch.damage.setAside
            gathersDueWork = attempt.dueRows >= Writer.gatheredRows && attempt.dueRows < share
        }

        /// Forgets an unfinished command that was answered between two steps.
        mutating func drop(_ command: QueuedCommand) {
            unfinished.removeAll { $0 === command }
            if let key = command.key { openKeys.going.remove(key.bytes) }
        }

        /// Keeps the unfinished commands whose turn it is, with costs of at most `limit` together,
        /// and gives the others, which go on in later batches.
        ///
        /// A command that advances the clock always goes on: other work fires nothing meanwhile.
        mutating func restOfUnfinished(beyond limit: Int) -> [QueuedCommand] {
            guard unfinished.count > 1 else { return [] }
            var line = TurnLine<TurnOwner, QueuedCommand>()
            for command in unfinished {
                line.append(command, of: command.caller, cost: command.cost)
            }
            let chosen = Set(line.take(atMost: limit).map(ObjectIdentifier.init))
            let all = unfinished
            unfinished = all.filter { $0.firesDue || chosen.contains(ObjectIdentifier($0)) }
            return all.filter { !$0.firesDue && !chosen.contains(ObjectIdentifier($0)) }
        }
    }

    /// How long the writer lets work gather where due work comes row by row: a batch costs as much
    /// as some ten firings, and its subscribers are woken for each.
    private static let gatheringMicroseconds: UInt32 = 300
    /// The rows of due work in a batch from which on it does so.
    private static let gatheredRows = 4

    private func run(from state: StoreState, _ unfinished: [QueuedCommand]) {
        var progress = Progress(state: state, unfinished: unfinished)
        do {
            if Fault.firedAgainAfterCrash.isPlanted {
                try tables.batch(in: environment, at: clock.now()) {
                    transaction throws(StoreFailure) in
                    try DueWork.remakeDueIndex(tables, in: transaction)
                }
            }
            progress.nextWork = try environment.reading { transaction throws(StoreFailure) in
                try DueWork.next(tables, past: progress.setAside, in: transaction)
            }
            while try hasWork(&progress) {
                if progress.unsynced != nil {
                    try makeNextBatch(&progress)
                    continue
                }
                if progress.gathersDueWork { usleep(Self.gatheringMicroseconds) }
                if progress.hasNoCommands { letCallsGather(progress.callPace) }
                try makeBatch(&progress)
            }
            endWaits(&progress)
        } catch {
            let returned = progress.returned.joined()
            giveUp(error, progress.unfinished + returned + progress.waiting.commands)
        }
    }

    /// Waits for work, if there is none for a batch before the last one is durable; false at the
    /// end.
    private func hasWork(_ progress: inout Progress) throws(StoreFailure) -> Bool {
        if let last = progress.unsynced, hasNext(behind: last.attempt) { return true }
        try settle(&progress)
        if progress.pace.awaitsRoom, try room() > .removals { progress.pace.noteRoom() }
        return waitForWork(&progress)
    }

    /// Waits a moment for the calls that are likely to come, where few have: a batch of a few calls
    /// takes a sync as one of many does.
    private func letCallsGather(_ pace: CallPace) {
        guard pace.awaited > 0 else { return }
        for _ in 0..<CallPace.naps where queue.count < pace.awaited && !queue.isClosed {
            usleep(CallPace.napMicroseconds)
        }
    }

    /// Waits for a command or for the next due instant; false at the end.
    private func waitForWork(_ progress: inout Progress) -> Bool {
        while true {
            if queue.hasEndedWaits { endWaits(&progress) }
            if queue.isOver { for command in queue.take(atMost: .max) { command.fail(.stopping) } }
            let isWaitOver = progress.waiting.hasEnded(at: clock.waited())
            let rest = progress.pace.end(on: clock)
            if rest != nil { refuseWhatAwaitsRoom(&progress) }
            let isDue = rest == nil && hasDueWork(progress, at: clock.now())
            let goesOn = progress.goesOn(while: rest != nil)
            guard !goesOn && !isDue && !isWaitOver else { break }
            guard queue.prepareToWait() else { return queue.count > 0 }
            // On a manual clock, only the command that moves the clock makes work due.
            var next = clock.isManual ? NextWork() : progress.nextWork
            if let rest { next = NextWork(elapsed: rest) }
            if let end = progress.waiting.nextEnd {
                next.elapsed = min(next.elapsed ?? end, end)
            }
            wakeup.wait(
                untilBootNanoseconds: next.elapsed.map(clock.bootNanoseconds(at:)),
                untilWallNanoseconds: next.wall?.nanoseconds
            )
        }
        return !queue.isClosed || queue.count > 0 || !progress.hasNoCommands
    }

    /// Refuses the commands that wait for due work, where only more room in the store helps; what
    /// they have done is durable.
    private func refuseWhatAwaitsRoom(_ progress: inout Progress) {
        guard progress.pace.needsRoom else { return }
        for command in progress.unfinished where command.awaitsDueWork {
            command.leave(as: Refusal.storeFull(leaving:))
            progress.drop(command)
        }
    }

    /// Whether work is due, and does not rest.
    private func isDue(_ progress: Progress, at now: Now) -> Bool {
        progress.pace.end(on: clock) == nil && hasDueWork(progress, at: now)
    }

    private func hasDueWork(_ progress: Progress, at now: Now) -> Bool {
        guard !progress.state.isRecalculating(at: now), !progress.nextWork.isDue(at: now) else {
            return true
        }
        return progress.nextWork.wall != nil && progress.state.isSetBack(at: now)
    }

    /// Answers the commands that wait for a person, since no answer comes in this run of the
    /// server, and the commands in slices, whose rest the store keeps.
    private func endWaits(_ progress: inout Progress) {
        for command in progress.waiting.commands { command.fail(.stoppingWhileAsking) }
        for command in progress.unfinished { command.leave(as: Refusal.stopping(leaving:)) }
        progress.waiting = WaitingCommands()
        progress.unfinished = []
        progress.openKeys = OpenKeys()
    }

    /// The work of a batch.
    struct Turn {
        let now: Now
        /// When it began, by the boot-time clock.
        let beganNanoseconds = SystemTime.sinceBoot()
        /// The rows that due work may touch, and the commands.
        let share: Int
        /// The rows of due work that it does at most, where some is due.
        var dueShare: Int
        let isDue: Bool
        /// Whether rows that are too old are deleted where the store is full: not where that found
        /// no space.
        var mayExpire = true
        /// The unfinished commands whose turn it is not.
        let resting: [QueuedCommand]
        /// The commands that were taken from the queue.
        let taken: [QueuedCommand]
        var commands: [QueuedCommand]
        /// The commands behind the one that met damage; the next batch does them.
        var later: [QueuedCommand] = []

        /// Whether it is made again: the batch of some of its commands was thrown away.
        var isAgain = false

        /// All that have left the queue.
        var all: [QueuedCommand] { commands + later + resting }
    }

    func takeTurn(_ progress: inout Progress, at now: Now) -> Turn {
        precondition(now.elapsed >= progress.state.now.elapsed, "the elapsed clock went backward")
        // Share the batch: where commands wait, due work gets half of it.
        let isDue = isDue(progress, at: now)
        let share = isDue ? max(1, limits.rowsPerBatch / 2) : limits.rowsPerBatch
        let resting = progress.restOfUnfinished(beyond: share / 2)
        // Bound the commands that have begun like those that wait: each has a row of its own.
        let isFull = progress.unfinished.count + resting.count >= limits.queuedCommands
        var taken: [QueuedCommand] = []
        let isAgain = !progress.returned.isEmpty
        if isAgain {
            taken = progress.returned.removeFirst()
        } else if !isFull {
            taken = queue.take(atMost: max(1, share - progress.unfinishedCost))
        }
        return Turn(
            now: now,
            share: share,
            dueShare: progress.pace.share(of: share),
            isDue: isDue,
            resting: resting,
            taken: taken,
            commands: progress.unfinished + taken,
            isAgain: isAgain
        )
    }

    private func makeBatch(_ progress: inout Progress) throws(StoreFailure) {
        var turn = takeTurn(&progress, at: clock.now())
        while true {
            let attempt: Attempt
            do {
                attempt = try begin(&progress, turn.now)
            } catch {
                // Keep them: they have left the queue, and only their answers are missing.
                progress.unfinished = turn.all
                throw error
            }
            // Due work waits where the rest of the reserve is for removals.
            let rests = attempt.batch.room == .removals && !Fault.dueWorkTakesTheReserve.isPlanted
            if rests { turn.dueShare = 0 }
            do {
                try perform(attempt, turn, isFiring: progress.isFiring)
                return try commit(attempt, turn, &progress)
            } catch {
                progress.cache = attempt.batch.end(isDurable: false)
                guard try isMadeAgain(after: error, attempt, &turn, &progress) else { return }
                turn.isAgain = true
            }
        }
    }

    /// Makes a batch durable, or lets its frame be written while the next one is made.
    ///
    /// - Throws: Why it is not durable, or may not be.
    func commit(
        _ attempt: Attempt,
        _ turn: Turn,
        _ progress: inout Progress
    ) throws(StoreFailure) {
        if hasNext(behind: attempt), canBeUndone(attempt, turn, progress),
            let frame = attempt.batch.transaction.frame(at: attempt.batch.now),
            frame.byteCount <= UnsyncedBatch.mostBytes
        {
            let unsynced = UnsyncedBatch(attempt, turn, over: progress)
            end(turn, attempt, &progress)
            progress.unsynced = unsynced
            frames.begin(frame)
        } else {
            try attempt.commit()
            end(turn, attempt, &progress)
            publish(attempt)
        }
    }

    /// Decides what becomes of a batch that failed; nothing of it happened.
    ///
    /// - Returns: Whether it is made again, without what it met; if not, its calls were refused for
    ///   want of space.
    /// - Throws: The error, where the store takes no further batch.
    private func isMadeAgain(
        after error: StoreFailure,
        _ attempt: Attempt,
        _ turn: inout Turn,
        _ progress: inout Progress
    ) throws(StoreFailure) -> Bool {
        if let row = error.row,
            setAside(row, met: attempt, by: &turn.commands, &turn.later, &progress)
        {
            return true
        }
        guard context.isOutOfSpace(error), isUsable() else {
            progress.unfinished = turn.all
            throw error
        }
        if attempt.dueRows > 0 {
            slowDown(turn, &progress)
            // Try the commands without due work: they may fit, and removals make room.
            let haveCalls = !(turn.commands.isEmpty && attempt.round.resumed.isEmpty)
            if haveCalls, !Fault.removalsWaitForDueWork.isPlanted {
                for command in attempt.round.begun { command.takeBack() }
                (turn.dueShare, turn.mayExpire) = (0, false)
                return true
            }
        }
        for command in turn.resting { command.fail(.storeFullMidway) }
        outOfSpace(turn.commands + turn.later, attempt.round.resumed, &progress)
        return false
    }

    /// Takes over what a batch left, which is durable or is being written.
    private func end(_ turn: Turn, _ attempt: Attempt, _ progress: inout Progress) {
        progress.take(attempt, of: turn.share)
        if turn.isDue {
            if turn.dueShare > 0 {
                progress.pace.speedUp(to: turn.share)
            } else if attempt.batch.room == .removals {
                progress.pace.awaitRoom(on: clock)
            }
        }
        progress.callPace.note(turn.taken.count)
        progress.unfinished = turn.resting + progress.unfinished + turn.later
        for command in turn.taken {
            let waited = turn.beganNanoseconds - command.queuedNanoseconds
            attempt.batch.counts.stages.queueWait.record(waited)
        }
    }

    private func begin(_ progress: inout Progress, _ now: Now) throws(StoreFailure) -> Attempt {
        let room = try roomAfterMerges()
        return begin(
            try tables.beginBatch(environment),
            &progress,
            now,
            room,
            context.board.current
        )
    }

    /// Begins a batch with what the last one left.
    func begin(
        _ transaction: consuming ChangeTransaction,
        _ progress: inout Progress,
        _ now: Now,
        _ room: StoreSpace.Room,
        _ presentations: OpenPresentations
    ) -> Attempt {
        var cache = BatchCache()
        swap(&cache, &progress.cache)
        let batch = Batch(
            context,
            transaction: transaction,
            clock: BatchClock(now, waited: clock.waited()),
            state: progress.state,
            setAside: progress.setAside,
            calls: OpenCalls(keys: progress.openKeys, waiting: progress.waiting),
            room: room,
            cache: cache,
            presentations: presentations
        )
        return Attempt(batch, Round(waiting: progress.waiting))
    }

    /// Rows that the writer merges at a time in a full store, whose room is in rows that were
    /// deleted and are still to be merged: few, since a slice takes pages before it frees any.
    private static let rowsInFullStore = 512
    /// The slices of such rows before one batch.
    private static let slicesInFullStore = 16

    /// The changes for which the store has space, after changes were written into the trees where
    /// the merger has fallen behind, or where the store is full.
    private func roomAfterMerges() throws(StoreFailure) -> StoreSpace.Room {
        if let failure = merger.failure { throw failure }
        while tables.keeper.isTooFarBehind, try mergeSlice() {}
        var room = try room()
        var isMore = !room.takesAdds
        for _ in 0..<Self.slicesInFullStore where isMore && !room.takesAdds {
            tables.keeper.beginMerge()
            // Go on with what has gathered since: the deletions that give room may be there.
            isMore = try mergeSlice(atMost: Self.rowsInFullStore)
            if !isMore, !Fault.mergesEndWithTheFirst.isPlanted {
                isMore = tables.keeper.beginMerge()
            }
            room = try self.room()
        }
        if isMore, room.takesAdds { merger.goOn() }
        return room
    }

    /// Writes a slice into the trees; false at the end of the merge, and where there is no space
    /// for it: the log has room for removals still.
    private func mergeSlice(atMost limit: Int? = nil) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            return try tables.keeper.mergeSlice(environment, atMost: limit)
        } catch {
            guard context.isOutOfSpace(error) else { throw error }
            return false
        }
    }

    /// Does the due work and makes the commands' steps: all but the commit.
    ///
    /// - Parameters:
    ///   - attempt: The batch.
    ///   - turn: The work.
    ///   - isFiring: Whether a command that has begun does the due work itself.
    /// - Throws: What the store reports; the batch is then thrown away.
    func perform(
        _ attempt: Attempt,
        _ turn: Turn,
        isFiring: Bool
    ) throws(StoreFailure) {
        let share = turn.isDue ? turn.dueShare : 0
        let batch = attempt.batch
        batch.noteWallClock()
        if batch.room == .removals, turn.mayExpire {
            attempt.dueRows += try batch.due.expire(atMost: 256)
        }
        if share > 0 {
            if !isFiring {
                attempt.dueRows += try batch.due.fire(atMost: share)
                attempt.dueRows += try batch.due.expire(atMost: share)
                attempt.dueRows += try batch.tagPushes.perform(atMost: share)
            }
            // Requests that are due by their old dates have fired, or keep their old dates.
            attempt.dueRows += try batch.recalculate(atMost: share)
        }
        try attempt.round.go(through: turn.commands, batch)
        try batch.finish(bootNanoseconds: clock.bootNanoseconds(of: batch.now))
        if Fault.replyBeforeCommit.isPlanted {
            for command in attempt.round.done { command.finish() }
        }
        if Fault.wakeBeforeCommit.isPlanted { context.observer.committed(batch.news) }
        attempt.next = try batch.due.next()
        attempt.isMoreDue = attempt.dueRows >= max(1, share) && attempt.next.isDue(at: batch.now)
        attempt.noteMaking(since: turn.beganNanoseconds)
    }

    /// The changes for which the store has space now; from any thread.
    func room() throws(StoreFailure) -> StoreSpace.Room {
        let statistics = environment.statistics
        let now = SystemTime.sinceBoot()
        let freeDiskBytes = freeDisk.withLock { disk in
            disk.byteCount(beside: context.space.reservedDiskBytes, at: now) {
                DiskSpace(ofFile: context.path)?.freeBytes ?? .max
            }
        }
        return try context.space.room(
            usedBytes: statistics.usedByteCount + tables.keeper.expectedTreeBytes,
            freeDiskBytes: freeDiskBytes - tables.keeper.expectedDiskBytes
        ) { () throws(StoreFailure) in
            try environment.reading { transaction throws(StoreFailure) in
                try StoreFailure.ofLMDB { () throws(LMDBError) in
                    try transaction.freePageCount() * statistics.pageByteCount
                }
            }
        }
    }

    /// Tells the results of a batch, which is durable now.
    func publish(_ attempt: Attempt) {
        let (batch, round) = (attempt.batch, attempt.round)
        if clock.isManual { clock.set(batch.now) }
        context.files.remove(batch.news.removedFiles)
        counts.withLock { counts in
            counts.add(batch.counts)
            counts.commands += round.done.count
            counts.batches += 1
        }
        // Before the calls are answered, since an answered app may call again at once.
        context.apps.noteSilence(of: batch.news.missedDeadlines)
        context.board.show(batch.presentations)
        if !Fault.replyBeforeCommit.isPlanted {
            replies.tell(round.done, committedAt: attempt.committedNanoseconds)
        }
        for row in batch.damage.rows { context.damage.tell(row) }
        if !Fault.wakeBeforeCommit.isPlanted { context.observer.committed(batch.news) }
    }

    /// Whether the store takes further batches: not after a failed sync, since it is then unknown
    /// whether the batch is on the disk.
    func isUsable() -> Bool {
        guard tables.keeper.isUsable || Fault.failedSyncServedOn.isPlanted else { return false }
        return (try? environment.writing { _ throws(StoreFailure) in }) != nil
    }

    /// The disk or the map is full: nothing of the batch happened, and the store serves on.
    ///
    /// - Parameters:
    ///   - commands: The commands of the batch; the first of them are the unfinished ones.
    ///   - resumed: The commands whose wait ended with the batch; some may be in `commands`.
    ///   - progress: The state of the thread.
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
        letDueWorkRest(&progress)
    }

    /// Lets due work rest, and a batch do less of it, after a batch with some found no space.
    func slowDown(_ turn: Turn, _ progress: inout Progress) {
        if turn.dueShare > 0 {
            progress.pace.slowDown(from: turn.dueShare, on: clock)
        } else {
            progress.pace.awaitRoom(on: clock)
        }
    }

    /// Lets due work wait a while, where some is due.
    func letDueWorkRest(_ progress: inout Progress) {
        if isDue(progress, at: clock.now()) { progress.pace.rest(on: clock) }
    }

    /// Gives the store up after any other failure: nothing is acknowledged any more, and a restart
    /// verifies.
    private func giveUp(_ error: StoreFailure, _ commands: [QueuedCommand]) {
        hasFailed.withLock { $0 = true }
        onFailure(.failed(error))
        queue.close()
        for command in commands + queue.take(atMost: .max) { command.fail(.storeFailed) }
    }
}
