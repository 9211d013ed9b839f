internal import Glibc
internal import Synchronization

/// What an environment knows of the write transaction that is open now.
///
/// It turns two mistakes that would hang or read freed memory into traps: a write inside a write,
/// and a write while a value of the same transaction is borrowed.
@usableFromInline
final class WriterState: Sendable {
    /// The thread that holds LMDB's write lock, or 0.
    ///
    /// Written only while holding it.
    private let thread = Atomic<UInt>(0)

    /// How many values are borrowed.
    ///
    /// Used only by the writing thread; atomic only to be Sendable.
    private let borrows = Atomic<Int>(0)

    /// Traps if this thread has a write transaction already: LMDB would wait for itself.
    func requireNoWriteOnThisThread() {
        precondition(
            thread.load(ordering: .relaxed) != UInt(pthread_self()),
            "a write transaction is open on this thread: it cannot begin another"
        )
    }

    /// Notes that this thread got the write lock.
    func begin() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
    }

    /// Notes that this thread is about to give the write lock back.
    func end() {
        assert(borrows.load(ordering: .relaxed) == 0, "a borrowed value outlived its transaction")
        thread.store(0, ordering: .relaxed)
    }

    /// Notes that a value of the transaction is in use.
    func beginBorrow() {
        borrows.store(borrows.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// Notes that a value of the transaction is no longer in use.
    func endBorrow() {
        borrows.store(borrows.load(ordering: .relaxed) &- 1, ordering: .relaxed)
    }

    /// Traps if a value of the transaction is in use: a write may move or free its bytes.
    func requireNoBorrow() {
        precondition(
            borrows.load(ordering: .relaxed) == 0,
            "a value or an entry of this transaction is borrowed: copy it before writing"
        )
    }
}
