internal import BelfryLocking
internal import DequeModule
internal import NotificationCore

/// The commands that wait for the writer: one bounded line, first in, first out.
final class CommandQueue: Sendable {
    private struct State {
        var commands = Deque<QueuedCommand>()
        /// How many of the waiting commands each center has.
        var places: [CenterName: Int] = [:]
        var longest = 0
        var isClosed = false
        var hasEndedWaits = false
        // Whether the writer is about to wait, so that a signal is needed.
        var writerWaits = false
    }

    /// Why a command was not accepted.
    enum Refused {
        case full
        /// The center's share of the places is full; other centers go on.
        case shareFull
        case closed
    }

    private let limit: Int
    /// The places that one center may have (QU-1).
    private var share: Int { max(1, limit / 4) }
    private let wakeup: Wakeup
    private let state = Guarded(State())

    init(limit: Int, wakeup: Wakeup) {
        self.limit = limit
        self.wakeup = wakeup
    }

    var count: Int { state.withLock { $0.commands.count } }

    /// The most commands that waited at once since the start.
    var longest: Int { state.withLock { $0.longest } }

    /// Appends a command; from any thread.
    func append(_ command: QueuedCommand) -> Refused? {
        command.queuedNanoseconds = SystemTime.sinceBoot()
        let (refused, wakes) = state.withLock { state -> (Refused?, Bool) in
            if state.isClosed { return (.closed, false) }
            if state.commands.count >= limit { return (.full, false) }
            if let owner = command.owner {
                let taken = state.places[owner, default: 0]
                if taken >= share { return (.shareFull, false) }
                state.places[owner] = taken + 1
            }
            state.commands.append(command)
            state.longest = max(state.longest, state.commands.count)
            defer { state.writerWaits = false }
            return (nil, state.writerWaits)
        }
        if wakes { wakeup.signal() }
        return refused
    }

    /// Takes commands whose costs add up to at most `limit`, and at least one command if any waits.
    func take(atMost limit: Int) -> [QueuedCommand] {
        state.withLock { state in
            var taken: [QueuedCommand] = []
            var cost = 0
            while let first = state.commands.first {
                cost += first.cost
                if !taken.isEmpty && cost > limit { break }
                taken.append(state.commands.removeFirst())
                if let owner = first.owner, let places = state.places[owner] {
                    state.places[owner] = places > 1 ? places - 1 : nil
                }
            }
            return taken
        }
    }

    /// Notes that the writer will wait; false where commands wait or the queue is closed.
    func prepareToWait() -> Bool {
        state.withLock { state in
            state.writerWaits = state.commands.isEmpty && !state.isClosed
            return state.writerWaits
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether commands may no longer wait for a person, because the server is about to stop.
    var hasEndedWaits: Bool { state.withLock { $0.isClosed || $0.hasEndedWaits } }

    /// Makes the writer end all waits for a person.
    func endWaits() {
        state.withLock { $0.hasEndedWaits = true }
        wakeup.signal()
    }

    /// Accepts no more commands; waiting commands are still done.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }
}
