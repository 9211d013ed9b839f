internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

extension Writer {
    /// A batch that is being made: it is made again where it meets a damaged row.
    final class Attempt {
        let batch: Batch
        var round: Round
        /// The changes for which the store had space when it was last asked.
        var room: StoreSpace.Room
        /// How many rows of due work were done, before the commands.
        var dueRows = 0
        /// The next due work after the batch, and whether it is due already.
        var next = NextWork()
        var isMoreDue = false
        /// When the commit ended, by the boot-time clock.
        var committedNanoseconds: Int64 = 0

        init(_ batch: Batch, _ round: Round) {
            self.batch = batch
            self.round = round
            room = batch.room
        }

        /// Notes how long it took to make the batch.
        ///
        /// `began` is when it was begun, by the boot-time clock.
        func noteMaking(since began: Int64) {
            batch.counts.stages.making.record(SystemTime.sinceBoot() - began)
        }

        /// Commits the batch, and notes how long that took.
        func commit() throws(StoreFailure) {
            let made = SystemTime.sinceBoot()
            try batch.transaction.commit(at: batch.now)
            noteCommit(of: SystemTime.sinceBoot() - made)
        }

        /// Notes that the commit ended now, which took so many nanoseconds.
        func noteCommit(of nanoseconds: Int64) {
            committedNanoseconds = SystemTime.sinceBoot()
            batch.counts.stages.commit.record(nanoseconds)
        }
    }

    /// The commands of a batch, by their progress.
    struct Round {
        var done: [QueuedCommand] = []
        var unfinished: [QueuedCommand] = []
        var waiting: WaitingCommands
        /// The commands whose wait ended with this batch.
        var resumed: [QueuedCommand] = []
        /// The commands of which a step was begun.
        var begun: [QueuedCommand] = []
        var current: QueuedCommand?

        init(waiting: WaitingCommands) {
            self.waiting = waiting
        }

        /// Makes a step of each command, then of the commands whose wait ended by these steps.
        mutating func go(through commands: [QueuedCommand], _ batch: Batch) throws(StoreFailure) {
            for command in commands { try step(command, batch) }
            resumed = waiting.takeEnded(prompts: batch.news.endedPrompts, at: batch.clock.waited)
            for command in resumed { try step(command, batch) }
        }

        private mutating func step(_ command: QueuedCommand, _ batch: Batch) throws(StoreFailure) {
            begun.append(command)
            current = command
            if let row = try batch.damage(of: command.owner) {
                command.refuse(.rowDamaged(row))
                if let key = command.key { batch.calls.keys.going.remove(key.bytes) }
                done.append(command)
                current = nil
                return
            }
            switch try command.step(batch) {
            case .done: done.append(command)
            case .unfinished(let awaitsDueWork):
                command.awaitsDueWork = awaitsDueWork
                unfinished.append(command)
            case .waiting(let wait): waiting.append(command, wait)
            }
            current = nil
        }
    }
}
