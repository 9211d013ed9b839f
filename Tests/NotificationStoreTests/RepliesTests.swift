internal import BelfryLocking
internal import Dispatch
internal import NotificationCore
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Replies of durable batches are told in order, and the writer goes on")
struct RepliesTests {
    private let replies = Replies()
    private let told = Told()

    /// The commands of a batch, whose replies note their numbers; `first` runs before the first.
    private func batch(
        _ numbers: Range<Int>,
        first: @escaping @Sendable () -> Void = {}
    ) -> [QueuedCommand] {
        numbers.map { number in
            let command = QueuedCommand(NoChange()) { [told] _ in
                if number == numbers.lowerBound { first() }
                told.numbers.withLock { $0.append(number) }
            }
            command.refuse(.stopping)
            return command
        }
    }

    private func tell(_ commands: [QueuedCommand]) { replies.tell(commands, committedAt: 0) }

    @Test("A reply that is alone is told at once")
    func alone() {
        tell(batch(0..<1))
        #expect(told.numbers.withLock { $0 } == [0])
        #expect(replies.times.count == 1)
        replies.stop()
    }

    @Test("A later batch is not answered before an earlier one, which holds nobody up")
    func order() {
        let (blocked, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        tell(
            batch(0..<6) { [told] in
                blocked.signal()
                let isOpen = gate.wait(timeout: .now() + 10) == .success
                told.wasOpened.withLock { $0 = isOpen }
            }
        )
        blocked.wait()
        tell(batch(6..<7))
        tell(batch(7..<20))
        #expect(told.numbers.withLock { $0 } == [])
        gate.signal()
        replies.stop()
        #expect(told.wasOpened.withLock { $0 })
        #expect(told.numbers.withLock { $0 } == Array(0..<20))
    }

    @Test("All replies are told by the stop")
    func stop() {
        for start in stride(from: 0, to: 4_000, by: 8) { tell(batch(start..<start + 8)) }
        replies.stop()
        #expect(told.numbers.withLock { $0 } == Array(0..<4_000))
        #expect(replies.times.count == 500)
    }
}

private final class Told: Sendable {
    let numbers = Guarded<[Int]>([])
    let wasOpened = Guarded(false)
}

/// Is refused before it is asked for a change.
private struct NoChange: Command {
    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> { .done(.success(0)) }
}
