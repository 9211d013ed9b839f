internal import DequeModule
internal import Locking

/// The commands that wait for the writer: one bounded line, first in, first out.
final class CommandQueue: Sendable {
    private struct State {
        var commands = Deque<QueuedCommand>()
        var longest = 0
        var isClosed = false
        // Whether the writer is about to wait, so that a signal is worth its system call.
        var writerWaits = false
    }

    /// Why a command was not taken.
    enum Refused {
        case full
        case closed
    }

    private let limit: Int
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

    /// Takes no more commands; those that wait are still done.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }
}
