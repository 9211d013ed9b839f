internal import BelfryLMDB
public import NotificationCore

/// How far a command came in a batch.
enum Step<Reply: StoredReply> {
    /// It is done: its reply waits for the commit.
    case done(Result<Reply, Refusal>)
    /// It goes on in the next batch, because no batch may be long.
    case more
    /// It goes on once what it waits for has ended, and is left alone until then.
    case waits(Wait)
}

/// What a command waits for: the answer to a prompt, for as long as its caller is ready to.
struct Wait: Equatable {
    /// The prompt.
    var prompt: UInt64
    /// When it waits no longer, on the clock that ``Clock/waited()`` reads.
    var end: ElapsedInstant
}

/// A change to the store that the writer makes: the core decides, the store records.
protocol Command: Sendable {
    /// What the caller is told.
    associatedtype Reply: StoredReply

    /// The rows that a step may touch, at the least 1: what a batch's limit counts.
    var cost: Int { get }
    /// The center whose share of the queue it takes; nil for what an administrator does.
    var owner: CenterName? { get }
    /// The idempotency key under which it acts once.
    var key: OnceKey? { get }
    /// Whether ``apply(to:)`` changes the command, which then knows how far it came. A command
    /// that it does not change is not copied before a step.
    static var changesItself: Bool { get }
    /// Whether it moves the clock step by step, and fires what becomes due on the way itself.
    var firesDue: Bool { get }

    /// Makes the change, or the next part of it, within `batch`.
    ///
    /// A refusal leaves nothing changed.
    ///
    /// - Throws: What the store reports; the whole batch is then given up.
    mutating func apply(to batch: Batch) throws(LMDBError) -> Step<Reply>

    /// Writes how far it came, after a step that was not the last: its retry goes on from there,
    /// also after a crash.
    func writeProgress(to writer: inout ByteWriter)

    /// Goes on from what ``writeProgress(to:)`` wrote.
    mutating func resume(_ reader: inout ByteReader) throws(LMDBError)
}

extension Command {
    var cost: Int { 1 }
    var owner: CenterName? { nil }
    var key: OnceKey? { nil }
    static var changesItself: Bool { true }
    var firesDue: Bool { false }

    // Most are done in one step.
    func writeProgress(to writer: inout ByteWriter) {}
    mutating func resume(_ reader: inout ByteReader) throws(LMDBError) {}
}

/// A command about one center.
protocol CenterCommand: Command {
    var center: CenterName { get }
}

extension CenterCommand {
    var owner: CenterName? { center }
}

/// What a caller is told, once what it asked for is durable.
public typealias Completion<Reply> = @Sendable (Result<Reply, Refusal>) -> Void

/// A command in the writer's queue, whatever its reply.
///
/// Handed from the caller's thread to the writer's through the queue's lock, then the writer's
/// alone. What a command does lies behind one closure, which is compiled for its type: a generic
/// subclass would find each type it handles out as it runs.
final class QueuedCommand: @unchecked Sendable {
    // Safety: used by the submitting thread until it is in the queue, then by the writer thread
    // alone; the queue's lock lies between them.

    /// How far a step came.
    enum State {
        /// It is done: its caller is told after the commit.
        case done
        /// It goes on in the next batch.
        case unfinished
        /// It goes on once what it waits for has ended.
        case waiting(Wait)
    }

    /// What the writer has a command do.
    fileprivate enum Act {
        case step(Batch)
        case finish
        case fail(Refusal)
        case refuse(Refusal)
        case takeBack
        case keep
    }

    /// The rows that a step may touch: what a batch's limit counts.
    let cost: Int
    /// The center whose share of the queue it takes.
    let owner: CenterName?
    /// The idempotency key under which it acts once.
    let key: OnceKey?
    /// Whether it fires what becomes due itself.
    let firesDue: Bool
    private let perform: (Act) throws(LMDBError) -> State

    /// Queues a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - completion: Told its reply, once that is durable.
    init<C: Command>(_ command: C, _ completion: @escaping Completion<C.Reply>) {
        cost = command.cost
        owner = command.owner
        key = command.key
        firesDue = command.firesDue
        var submission = Submission(command: command, completion: completion)
        perform = { act throws(LMDBError) in try submission.perform(act) }
    }

    /// Makes the next step.
    func step(_ batch: Batch) throws(LMDBError) -> State { try perform(.step(batch)) }

    /// Tells the caller the reply of a step that is now durable.
    func finish() { act(.finish) }

    /// Tells the caller that the batch failed.
    func fail(_ refusal: Refusal) { act(.fail(refusal)) }

    /// Answers a step that is not made; the caller is told as after any other.
    func refuse(_ refusal: Refusal) { act(.refuse(refusal)) }

    /// Takes back the steps since ``keep()``: their batch is made again.
    func takeBack() { act(.takeBack) }

    /// Notes that the steps until now are durable.
    func keep() { act(.keep) }

    private func act(_ act: Act) {
        do {
            _ = try perform(act)
        } catch {
            preconditionFailure("only a step reads the store")
        }
    }
}

/// A command with its completion.
private struct Submission<C: Command> {
    var command: C
    /// The command as it was before the steps that are not durable.
    var before: C?
    let completion: Completion<C.Reply>
    var reply: Result<C.Reply, Refusal>?

    init(command: C, completion: @escaping Completion<C.Reply>) {
        self.command = command
        self.completion = completion
    }

    mutating func perform(_ act: QueuedCommand.Act) throws(LMDBError) -> QueuedCommand.State {
        switch act {
        case .step(let batch): return try step(batch)
        case .finish:
            guard let reply else {
                preconditionFailure("a command was finished before it was done")
            }
            completion(reply)
        case .fail(let refusal): completion(.failure(refusal))
        case .refuse(let refusal): reply = .failure(refusal)
        case .takeBack:
            if let before = before.take() { command = before }
            reply = nil
        case .keep: if C.changesItself { before = nil }
        }
        return .done
    }

    private mutating func step(_ batch: Batch) throws(LMDBError) -> QueuedCommand.State {
        if C.changesItself, before == nil { before = command }
        switch try command.apply(to: batch) {
        case .done(let reply):
            self.reply = reply
            return .done
        case .more: return .unfinished
        case .waits(let wait): return .waiting(wait)
        }
    }
}
