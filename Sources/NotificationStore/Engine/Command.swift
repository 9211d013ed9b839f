internal import Faults
package import NotificationCore
internal import NotificationRecords

/// How far a command came in a batch.
enum Step<Reply: Coded> {
    /// The step was the last: the reply waits for the commit.
    case done(Result<Reply, Refusal>)
    /// The command goes on in the next batch, because no batch may be long.
    case more(Rest)
    /// The command waits for due work that others do; nil where it has changed nothing yet.
    case awaitsDueWork(Rest?)
    /// The command goes on once its person has answered, or its wait has timed out.
    case waits(Wait)
}

/// The part of a command that a stop of the server, or a crash, leaves undone between two steps.
enum Rest: Equatable {
    /// The part that rows of its own describe: the next start goes on from these rows.
    case kept
    /// A task: the next start goes on with it, from the progress that the command writes.
    case task(OpenCommandRecord.Task)
    /// A part that only a retry with the same key does; the steps until now stand.
    case retry
}

/// The wait of a command: for the answer to a prompt, as long as its caller allows.
struct Wait: Equatable {
    var prompt: PromptNumber
    /// When the wait ends at the latest, on the clock that ``Clock/waited()`` reads.
    var end: ElapsedInstant
}

/// A change to the store that the writer makes: the core decides, the store records.
protocol Command: Sendable {
    associatedtype Reply: Coded

    /// How many rows a step may touch, at least 1; a batch's limit and the turn of the caller count
    /// these.
    var cost: Int { get }
    var owner: CenterName? { get }
    /// The key under which the command acts once, however often it is submitted.
    var key: OnceKey? { get }
    /// The caller for whom new rows count beside the app's centers, where ``CommandSource/current``
    /// does not say it; nil for a caller without a limit.
    var registrant: Registrant? { get }
    /// How the store may grow by the command, which is asked before each step.
    var growth: Growth { get }
    /// Whether ``apply(to:)`` changes the command, which records its progress. Other commands are
    /// not copied before a step.
    static var changesItself: Bool { get }
    /// Whether the command moves the clock step by step, and itself fires what becomes due on the
    /// way.
    var firesDue: Bool { get }

    /// Makes the change, or the next part of the change, within `batch`.
    ///
    /// A refusal leaves nothing changed.
    ///
    /// - Throws: What the store reports: the whole batch is then given up. A refusal that is thrown
    ///   is the command's reply.
    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<Reply>

    /// Writes the command's progress after a step that was not the last: a retry goes on from
    /// there, also after a crash.
    func writeProgress(to writer: inout ByteWriter)

    /// Restores the progress that ``writeProgress(to:)`` wrote.
    mutating func resume(_ reader: inout ByteReader) throws(RowProblem)
}

extension Command {
    var cost: Int { 1 }
    var owner: CenterName? { nil }
    var key: OnceKey? { nil }
    var registrant: Registrant? { nil }
    static var changesItself: Bool { true }
    var firesDue: Bool { false }

    // These do nothing, since most commands are done in one step.
    func writeProgress(to writer: inout ByteWriter) {}
    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {}
}

extension Command {
    /// Makes the change, or refuses it where the store has no room for what it keeps.
    mutating func applyWithinRoom(of batch: Batch) throws(StoreFailure) -> Step<Reply> {
        do throws(StoreFailure) {
            try StoreFailure.refuse(batch.refusal(of: growth, on: owner))
            return try apply(to: batch)
        } catch .refused(let refusal) {
            // Every step is made here, also that of a command with a key: no refusal goes further.
            return .done(.failure(refusal))
        }
    }
}

protocol CenterCommand: Command {
    var center: CenterName { get }
}

extension CenterCommand {
    var owner: CenterName? { center }
}

/// Tells a caller the reply, once the change is durable.
package typealias Completion<Reply> = @Sendable (Result<Reply, Refusal>) -> Void

/// A command in the writer's queue, with a reply of any type.
///
/// The caller's thread hands the command to the writer thread through the queue's lock, and the
/// writer a command that is done to ``Replies``; only one of them uses it at a time. One closure,
/// compiled for the command's type, does all that the command does: a generic subclass would look
/// up its types at run time.
final class QueuedCommand: @unchecked Sendable {
    // Safety: used by the submitting thread until it is in the queue, then by the writer thread
    // until the command is done and in `Replies`; a lock lies between them.

    /// The state of a command after a step.
    enum State {
        case done
        /// The command goes on in the next batch, where it may have to wait for due work.
        case unfinished(awaitsDueWork: Bool)
        case waiting(Wait)
    }

    /// The operations of the writer on a command.
    fileprivate enum Act {
        case step(Batch)
        case finish
        case fail(Refusal)
        case refuse(Refusal)
        case takeBack
        case keep
        case leave((Rest?) -> Refusal)
    }

    /// How many rows a step may touch, and the rows that reading the request was worth: a batch's
    /// limit and the turn of the caller count these.
    let cost: Int
    /// The caller whose turn the command takes.
    let caller: TurnOwner
    let owner: CenterName?
    let key: OnceKey?
    /// Whether the command itself fires what becomes due.
    let firesDue: Bool
    /// When the command was queued, by the boot-time clock.
    var queuedNanoseconds: Int64 = 0
    /// Whether it waited, in its last step, for due work.
    var awaitsDueWork = false
    private let perform: (Act) throws(StoreFailure) -> State

    /// Queues a command.
    ///
    /// `row` is the number of its row of the table `open_commands`, where an earlier run of the
    /// server began it. `completion` is told the reply, once the change is durable.
    init<C: Command>(
        _ command: C,
        goingOnFrom row: StoreOrderKey? = nil,
        _ completion: @escaping Completion<C.Reply>
    ) {
        cost = command.cost + (CommandSource.current?.cost ?? 0)
        caller = CommandSource.caller(of: command.owner)
        owner = command.owner
        key = command.key
        firesDue = command.firesDue
        var submission = Submission(command: command, row: row, completion: completion)
        perform = { act throws(StoreFailure) in try submission.perform(act) }
    }

    func step(_ batch: Batch) throws(StoreFailure) -> State { try perform(.step(batch)) }

    /// Tells the caller the reply of a step that is now durable.
    func finish() { act(.finish) }

    /// Tells the caller that the batch failed.
    func fail(_ refusal: Refusal) { act(.fail(refusal)) }

    /// Answers the command with a refusal in place of a step; the caller is told after the commit.
    func refuse(_ refusal: Refusal) { act(.refuse(refusal)) }

    /// Undoes the steps since ``keep()``: their batch is made again.
    func takeBack() {
        awaitsDueWork = false
        act(.takeBack)
    }

    /// Notes that all steps until now stand, unless the last was the end of the command.
    func keep() { act(.keep) }

    /// Tells the caller why the command ends between two steps: for a stop, what becomes of the
    /// rest.
    func leave(as refusal: @escaping (Rest?) -> Refusal) { act(.leave(refusal)) }

    private func act(_ act: Act) {
        do {
            _ = try perform(act)
        } catch {
            preconditionFailure("only a step reads the store")
        }
    }
}

private struct Submission<C: Command> {
    var command: C
    /// The command as it was before the steps that are not durable.
    var before: C?
    /// Its row of the table of open commands: as this batch wrote it, and as the last durable batch
    /// left it.
    var row: StoreOrderKey?
    var keptRow: StoreOrderKey?
    /// The part that is left after the last step, and after the last durable batch; nil for all.
    var rest: Rest?
    var keptRest: Rest?
    let completion: Completion<C.Reply>
    /// The caller for whom new rows count; nil where the command says it.
    let caller = CommandSource.current?.registrant
    var reply: Result<C.Reply, Refusal>?

    init(command: C, row: StoreOrderKey?, completion: @escaping Completion<C.Reply>) {
        self.command = command
        self.row = row
        keptRow = row
        self.completion = completion
    }

    mutating func perform(_ act: QueuedCommand.Act) throws(StoreFailure) -> QueuedCommand.State {
        switch act {
        case .step(let batch): return try step(batch)
        case .finish:
            guard let reply else {
                preconditionFailure("a command was finished before it was done")
            }
            completion(reply)
        case .fail(let refusal):
            let lost = Fault.fullAcknowledged.isPlanted ? reply : nil
            completion(lost ?? .failure(refusal))
        case .refuse(let refusal): reply = .failure(refusal)
        case .takeBack:
            if let before = before.take() { command = before }
            row = keptRow
            rest = keptRest
            reply = nil
        case .keep where reply == nil:
            if C.changesItself { before = nil }
            keptRow = row
            keptRest = rest
        // A command that is done is made again where its batch does not become durable.
        case .keep: break
        case .leave(let refusal): completion(.failure(refusal(rest)))
        }
        return .done
    }

    private mutating func step(_ batch: Batch) throws(StoreFailure) -> QueuedCommand.State {
        if C.changesItself, before == nil { before = command }
        batch.registrants.present = caller ?? command.registrant
        let step = try command.applyWithinRoom(of: batch)
        // Count now, so that the limit refuses the next command of the batch.
        try batch.settleRows()
        batch.registrants.present = nil
        switch step {
        case .done(let reply):
            self.reply = reply
            if let row = row.take() {
                try batch.transaction.deleteExisting(row, in: batch.tables.openCommands)
                batch.hasChanged = true
            }
            return .done
        case .more(let rest):
            self.rest = rest
            if case .task(let task) = rest { try keep(task, batch) }
            return .unfinished(awaitsDueWork: false)
        case .awaitsDueWork(let rest):
            self.rest = rest
            return .unfinished(awaitsDueWork: true)
        case .waits(let wait): return .waiting(wait)
        }
    }

    /// Writes the task and the progress of the command, so that a start goes on with it.
    private mutating func keep(
        _ task: OpenCommandRecord.Task,
        _ batch: Batch
    ) throws(StoreFailure) {
        let row = row ?? StoreOrderKey(batch.state.takeNumber())
        self.row = row
        var progress = ByteWriter()
        command.writeProgress(to: &progress)
        let key = command.key.map {
            OpenCommandRecord.Key(identifier: $0.bytes, fingerprint: $0.fingerprint)
        }
        let record = OpenCommandRecord(task, key: key, progress: progress.bytes)
        try batch.transaction.put(record, at: row, in: batch.tables.openCommands)
        batch.hasChanged = true
    }
}
