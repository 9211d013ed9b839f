internal import Faults
internal import NotificationCore
internal import NotificationRecords

// Where more is due than a batch does, or many calls wait, the next batch is made while the frame
// of the last one is written. It is made over changes that may not become durable: where there is
// no space for the frame, both batches are thrown away. Each of them is then made again by itself,
// over what is durable, so that its calls end as those of any other batch.

extension Writer {
    /// A batch whose frame is being written: nothing of it was told.
    final class UnsyncedBatch {
        /// The most bytes of its changes: the next batch then has about the space that it had.
        static let mostBytes = 1 << 20

        let attempt: Attempt
        /// Its work.
        let turn: Turn
        /// The thread's state before the batch.
        let before: Progress

        init(_ attempt: Attempt, _ turn: Turn, over progress: Progress) {
            self.attempt = attempt
            self.turn = turn
            before = progress
        }
    }

    /// Whether a batch can be thrown away after its end, as if it had not been made, and nothing of
    /// it concerns the next batch before it is durable.
    func canBeUndone(_ attempt: Attempt, _ turn: Turn, _ progress: Progress) -> Bool {
        let (batch, round) = (attempt.batch, attempt.round)
        // A command that is not done is refused with this batch, since it keeps this step. So it
        // has to be one of which batches before did a part.
        let wentOnBefore = round.unfinished.allSatisfy { command in
            command.firesDue && progress.unfinished.contains { $0 === command }
        }
        let areOthersDone = round.done.count + round.unfinished.count == round.begun.count
        let canBeTakenBack = wentOnBefore && areOthersDone && round.resumed.isEmpty
        return (canBeTakenBack || Fault.stepNotTakenBack.isPlanted) && !turn.isAgain
            && turn.resting.isEmpty && batch.damage.rows.isEmpty
            && batch.news.missedDeadlines.isEmpty && batch.news.removedFiles.isEmpty
    }

    /// Whether there is work for a batch before the one of an attempt is durable.
    func hasNext(behind attempt: Attempt) -> Bool {
        // Let fewer calls wait: those that come meanwhile share a frame with them.
        let areManyCalls = queue.cost >= max(1, limits.rowsPerBatch / 2)
        let goesOn = attempt.round.unfinished.contains { !$0.awaitsDueWork }
        guard attempt.isMoreDue || areManyCalls || goesOn else { return false }
        return attempt.room == .adds && !queue.hasEndedWaits && !tables.keeper.isTooFarBehind
            && merger.failure == nil
    }

    /// Makes a batch while the frame of the last one is written.
    func makeNextBatch(_ progress: inout Progress) throws(StoreFailure) {
        guard let last = progress.unsynced else { preconditionFailure("no batch is unsynced") }
        // A manual clock shows the instant of the last batch once that is durable.
        let turn = takeTurn(&progress, at: clock.isManual ? last.attempt.batch.now : clock.now())
        var attempt: Attempt?
        var isLastDurable = false
        do {
            let made = begin(
                try tables.beginBatch(environment, over: last.attempt.batch.transaction),
                &progress,
                turn.now,
                last.attempt.room,
                last.attempt.batch.presentations
            )
            attempt = made
            try perform(made, turn, isFiring: progress.isFiring)
            guard try settle(&progress, before: made) else {
                return throwAway(made, turn, &progress)
            }
            isLastDurable = true
            // The last batch took of the space.
            made.room = try room()
            try commit(made, turn, &progress)
        } catch {
            // Behind what the last batch gives back, where its frame failed.
            defer { throwAway(attempt, turn, &progress) }
            // Make it again over what is durable: then its error is of a batch like all others.
            if progress.unsynced != nil {
                try settle(&progress)
            } else if !isLastDurable || !context.isOutOfSpace(error) || !isUsable() {
                throw error
            }
        }
    }

    /// Throws a batch away whose frame was not begun: its calls are those of a later batch.
    private func throwAway(_ attempt: Attempt?, _ turn: Turn, _ progress: inout Progress) {
        if let attempt { takeBack(attempt) }
        giveBack(turn, &progress)
    }

    private func takeBack(_ attempt: Attempt) {
        _ = attempt.batch.end(isDurable: false)
        for command in attempt.round.begun { command.takeBack() }
    }

    private func giveBack(_ turn: Turn, _ progress: inout Progress) {
        guard !turn.taken.isEmpty, !Fault.returnedCallsForgotten.isPlanted else { return }
        progress.returned.append(turn.taken)
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
            takeBack(last.attempt)
            giveBack(last.turn, &progress)
            guard context.isOutOfSpace(error), isUsable() else { throw error }
            if last.attempt.dueRows > 0 { slowDown(last.turn, &progress) }
            for command in last.attempt.round.unfinished {
                command.fail(.storeFullMidway)
                progress.drop(command)
            }
            letDueWorkRest(&progress)
            return Fault.nextBatchOutlivesTheLast.isPlanted
        }
    }
}
