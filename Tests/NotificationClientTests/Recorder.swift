internal import BelfryLocking
internal import Synchronization

/// Keeps the requests of a server's handlers, for the test to look at.
final class Recorder<Value: Sendable>: Sendable {
    private let recorded = Guarded<[Value]>([])

    var values: [Value] { recorded.withLock { $0 } }

    /// Keeps a value and gives its place.
    @discardableResult
    func record(_ value: Value) -> Int {
        recorded.withLock { values in
            values.append(value)
            return values.count - 1
        }
    }
}

/// Counts from 0.
final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int {
        count.add(1, ordering: .relaxed).oldValue
    }
}
