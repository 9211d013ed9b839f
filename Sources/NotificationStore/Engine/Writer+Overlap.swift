internal import Faults
internal import NotificationCore
internal import NotificationRecords

// Where more is due than a batch does, the next batch is made while the frame of the last one is
// written. It is made over changes that may not become durable, so it does due work alone: where
// the frame fails, the next batch is thrown away, and no call was taken that would have to be
// answered.

extension Writer {
    /// A batch whose frame is being written: nothing of it was told.
    final class UnsyncedBatch {
        let attempt: Attempt
        /// The thread's state before the batch.
        let before: Progress
        /// The rows of due work that it was to do at most.
        let dueShare: Int
        /// The changes for which the store has space.
        let room: StoreSpace.Room

        /// `room` is what the store has space for after the batch; nil is what it had before.
        init(
            _ attempt: Attempt,
            over progress: Progress,
            dueShare: Int,
            room: StoreSpace.Room? = nil
        ) {
            self.attempt = attempt
            before = progress
            self.dueShare = dueShare
            self.room = room ?? attempt.batch.room
        }
    }

    /// Whether the next batch may be made before this one is durable, if it has due work alone.
    private func allowsNext(_ attempt: Attempt, _ room: StoreSpace.Room) -> Bool {
        let (batch, round) = (attempt.batch, attempt.round)
        return round.done.isEmpty && round.resumed.isEmpty
            && round.unfinished.allSatisfy(\.firesDue)
            // The next batch would not know of these: they are told when this one is durable.
            && batch.damage.rows.isEmpty && batch.news.missedDeadlines.isEmpty
            && room.takesAdds && queue.count == 0 && !queue.hasEndedWaits
            && !tables.keeper.isTooFarBehind
    }

    /// Whether a batch leaves so much due work that the next one is made before it is durable.
    ///
    /// `share` is the rows of due work that it was to do at most.
    func leavesDueWork(_ attempt: Attempt, _ next: NextWork, _ share: Int) -> Bool {
        let isMoreDue = attempt.dueRows >= max(1, share) && next.isDue(at: attempt.batch.now)
        guard isMoreDue || !attempt.round.unfinished.isEmpty else { return false }
        return allowsNext(attempt, attempt.batch.room)
    }

    /// Whether the next batch is made before the last one is durable.
    func goesAhead(_ progress: Progress) -> Bool {
        guard let last = progress.unsynced, allowsNext(last.attempt, last.room) else {
            return false
        }
        return !progress.unfinished.isEmpty || isDue(progress)
    }

    /// Lets the frame of a batch be written while the next one is made.
    func goAhead(_ frame: BatchFrame, of batch: UnsyncedBatch, _ progress: inout Progress) {
        progress.unsynced = batch
        frames.begin(frame)
    }

    /// Makes a batch of due work while the frame of the last one is written.
    func makeNextBatch(_ progress: inout Progress) throws(StoreFailure) {
        guard let last = progress.unsynced else { preconditionFailure("no batch is unsynced") }
        let began = SystemTime.sinceBoot()
        // A manual clock shows the instant of the last batch once that is durable.
        let now = clock.isManual ? last.attempt.batch.now : clock.now()
        let dueShare = progress.pace.share(of: max(1, limits.rowsPerBatch / 2), at: now)
        let share = isDue(progress) ? dueShare : 0
        var attempt: Attempt?
        do {
            let made = begin(
                try last.attempt.batch.transaction.next(),
                &progress,
                now,
                last.room,
                last.attempt.batch.presentations
            )
            attempt = made
            let next = try perform(
                made,
                of: progress.unfinished,
                dueAtMost: share,
                isFiring: progress.isFiring
            )
            made.noteMaking(since: began)
            guard try settle(&progress, before: made) else { return throwAway(made) }
            let before = UnsyncedBatch(made, over: progress, dueShare: share, room: try room())
            progress.take(made, next)
            if share > 0 { progress.pace.speedUp(to: share) }
            if let frame = made.batch.transaction.frame(at: made.batch.now) {
                goAhead(frame, of: before, &progress)
            } else {
                publish(made)
            }
        } catch {
            if let attempt { throwAway(attempt) }
            // Make it again over what is durable: then its error is of a batch like all others.
            guard progress.unsynced != nil else { throw error }
            try settle(&progress)
        }
    }

    private func throwAway(_ attempt: Attempt) {
        _ = attempt.batch.end(isDurable: false)
        for command in attempt.round.begun { command.takeBack() }
    }

    /// Waits until the last batch is durable, and tells its results; nothing where it is.
    ///
    /// Where there was no space for its frame, nothing of it happened.
    ///
    /// - Parameters:
    ///   - progress: The state of the thread.
    ///   - attempt: The batch that was made meanwhile; nil for none.
    /// - Returns: Whether that batch may be committed.
    /// - Throws: Why it is unknown whether the last batch is durable.
    @discardableResult
    func settle(
        _ progress: inout Progress,
        before attempt: Attempt? = nil
    ) throws(StoreFailure) -> Bool {
        guard let last = progress.unsynced else { return true }
        progress.unsynced = nil
        let outcome = frames.end()
        let batch = last.attempt.batch
        do throws(StoreFailure) {
            var mayGoOn = true
            if let attempt {
                let next = attempt.batch
                mayGoOn = try batch.transaction.finish(outcome.appended, before: next.transaction)
            } else {
                try batch.transaction.finish(outcome.appended)
            }
            last.attempt.noteCommit(of: outcome.nanoseconds)
            publish(last.attempt)
            return mayGoOn
        } catch {
            guard context.isOutOfSpace(error), isUsable() else { throw error }
            progress = last.before
            if last.attempt.dueRows > 0 {
                progress.pace.slowDown(from: last.dueShare, at: batch.now)
            }
            outOfSpace(progress.unfinished, last.attempt.round.resumed, &progress)
            return Fault.nextBatchOutlivesTheLast.isPlanted
        }
    }
}
