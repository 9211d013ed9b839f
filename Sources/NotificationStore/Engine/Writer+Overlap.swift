internal import Faults
internal import NotificationCore
internal import NotificationRecords

// Where more is due than a batch does, the next batch is made while the frame of the last one is
// written. It is made over changes that may not become durable, so it takes no call of the queue:
// it does due work, and goes on with calls of batches before. Where the frame fails, the next batch
// is thrown away, and what becomes of these calls is what becomes of them with the last batch.

extension Writer {
    /// A batch whose frame is being written: nothing of it was told.
    final class UnsyncedBatch {
        let attempt: Attempt
        /// The next due work after it.
        let next: NextWork
        /// The rows of due work that it was to do at most.
        let dueShare: Int
        /// The changes for which the store had space when it was last asked: the reserve has room
        /// for a batch or two.
        let room: StoreSpace.Room
        /// The thread's state before the batch.
        let before: Progress

        init(
            _ attempt: Attempt,
            _ next: NextWork,
            dueAtMost dueShare: Int,
            _ room: StoreSpace.Room,
            over progress: Progress
        ) {
            self.attempt = attempt
            self.next = next
            self.dueShare = dueShare
            self.room = room
            before = progress
        }
    }

    /// Whether the next batch is made before this one is durable.
    func allowsNext(_ unsynced: UnsyncedBatch) -> Bool {
        let (batch, round) = (unsynced.attempt.batch, unsynced.attempt.round)
        let isMoreDue =
            unsynced.attempt.dueRows >= max(1, unsynced.dueShare)
            && unsynced.next.isDue(at: batch.now)
        guard isMoreDue || !round.unfinished.isEmpty else { return false }
        return round.done.isEmpty && round.resumed.isEmpty
            && round.unfinished.allSatisfy(\.firesDue)
            // The next batch would not know of these: they are told when this one is durable.
            && batch.damage.rows.isEmpty && batch.news.missedDeadlines.isEmpty
            && unsynced.room.takesAdds && queue.count == 0 && !queue.hasEndedWaits
            && !tables.keeper.isTooFarBehind && merger.failure == nil
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
        let share = max(1, limits.rowsPerBatch / 2)
        let dueShare = isDue(progress, at: now) ? progress.pace.share(of: share, at: now) : 0
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
                dueAtMost: dueShare,
                isFiring: progress.isFiring
            )
            made.noteMaking(since: began)
            guard try settle(&progress, before: made) else { return throwAway(made) }
            let room = try room()
            let unsynced = UnsyncedBatch(made, next, dueAtMost: dueShare, room, over: progress)
            progress.take(made, next, of: share)
            if dueShare > 0 { progress.pace.speedUp(to: share) }
            if let frame = made.batch.transaction.frame(at: made.batch.now) {
                goAhead(frame, of: unsynced, &progress)
            } else {
                made.noteCommit(of: 0)
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
            // Go back also where the store gives up: it has the calls that are to be told so.
            progress = last.before
            guard context.isOutOfSpace(error), isUsable() else { throw error }
            if last.attempt.dueRows > 0 {
                progress.pace.slowDown(from: last.dueShare, at: batch.now)
            }
            outOfSpace(progress.unfinished, last.attempt.round.resumed, &progress)
            return Fault.nextBatchOutlivesTheLast.isPlanted
        }
    }
}
