internal import BelfryLocking
internal import DequeModule
internal import NotificationCore

/// The commands that wait for the writer: one bounded line, first in, first out.
final class CommandQueue: Sendable {
    private struct State {
        var commands = Deque<QueuedCommand>()
        /// How many of them each center has.
        var places: [CenterName: Int] = [:]
        var longest = 0
        var isClosed = false
        var hasEndedWaits = false
        // Whether the writer is about to wait, so that a signal is worth its system call.
        var writerWaits = false
    }

    /// Why a command was not taken.
    enum Refused {
        case full
        /// The center has all the places that one may have; others go on.
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

    /// Puts a command at the end; from any thread.
    func append(_ command: QueuedCommand) -> Refused? {
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

    /// Takes commands whose costs add up to at most `limit`, at the least one if any waits.
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

    /// Tells the queue that the writer will wait; false where there is work or the end.
    func prepareToWait() -> Bool {
        state.withLock { state in
            state.writerWaits = state.commands.isEmpty && !state.isClosed
            return state.writerWaits
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether no command may wait for a person any longer: the server is about to stop.
    var hasEndedWaits: Bool { state.withLock { $0.isClosed || $0.hasEndedWaits } }

    /// Has the writer end what waits for a person.
    func endWaits() {
        state.withLock { $0.hasEndedWaits = true }
        wakeup.signal()
    }

    /// Takes no more commands; those that wait are still done.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }
}
