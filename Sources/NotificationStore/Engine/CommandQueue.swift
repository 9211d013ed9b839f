internal import BelfryLocking
internal import Faults

/// The commands that wait for the writer: a bounded number of them, whose callers take turns.
final class CommandQueue: Sendable {
    private struct State {
        var commands = TurnLine<TurnOwner, QueuedCommand>()
        var longest = 0
        var isClosed = false
        /// When waiting commands are no longer done; nil is never.
        var end: ContinuousClock.Instant?
        var hasEndedWaits = false
        // Whether the writer is about to wait, so that a signal is needed.
        var writerWaits = false
    }

    /// Why a command was not accepted.
    enum Refused {
        case full
        /// The caller's share of the places is full; other callers go on.
        case shareFull
        case closed
    }

    private let limit: Int
    /// The places that one caller may have (QU-1).
    private var share: Int { max(1, limit / 4) }
    private let wakeup: Wakeup
    private let state = Guarded(State())

    init(limit: Int, wakeup: Wakeup) {
        self.limit = limit
        self.wakeup = wakeup
    }

    var count: Int { state.withLock { $0.commands.count } }

    /// The cost of the commands that wait.
    var cost: Int { state.withLock { $0.commands.cost } }

    /// The most commands that waited at once since the start.
    var longest: Int { state.withLock { $0.longest } }

    /// Appends a command; from any thread.
    func append(_ command: QueuedCommand) -> Refused? {
        command.queuedNanoseconds = SystemTime.sinceBoot()
        let isBare = Fault.commandsWithoutLock.isPlanted
        let (refused, wakes) = state.withLock(unless: isBare) { state -> (Refused?, Bool) in
            if state.isClosed { return (.closed, false) }
            if state.commands.count >= limit { return (.full, false) }
            let caller = command.caller
            if caller != .server, state.commands.count(of: caller) >= share {
                return (.shareFull, false)
            }
            state.commands.append(command, of: caller, cost: command.cost)
            state.longest = max(state.longest, state.commands.count)
            defer { state.writerWaits = false }
            return (nil, state.writerWaits)
        }
        if wakes { wakeup.signal() }
        return refused
    }

    /// Takes commands whose costs add up to at most `limit`, and at least one command if any waits.
    func take(atMost limit: Int) -> [QueuedCommand] {
        state.withLock { $0.commands.take(atMost: limit) }
    }

    /// Notes that the writer will wait; false where commands wait or the queue is closed.
    func prepareToWait() -> Bool {
        state.withLock { state in
            state.writerWaits = state.commands.count == 0 && !state.isClosed
            return state.writerWaits
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether waiting commands are no longer done.
    var isOver: Bool {
        guard let end = state.withLock({ $0.end }) else { return false }
        return end <= .now
    }

    /// Whether commands may no longer wait for a person nor go on in a further batch, because the
    /// server is about to stop.
    var hasEndedWaits: Bool { state.withLock { $0.isClosed || $0.hasEndedWaits } }

    /// Makes the writer end all waits for a person, and leave commands in slices to the next start.
    func endWaits() {
        state.withLock { $0.hasEndedWaits = true }
        wakeup.signal()
    }

    /// Accepts no more commands; waiting commands are still done.
    ///
    /// - Parameter end: Until when; nil is however long it takes.
    func close(by end: ContinuousClock.Instant? = nil) {
        state.withLock { state in
            state.isClosed = true
            state.end = end
        }
        wakeup.signal()
    }
}
