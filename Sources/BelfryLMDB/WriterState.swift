internal import Glibc
internal import Synchronization

/// The state of an environment's open write transaction.
///
/// Its checks turn mistakes that would hang or read freed memory into traps: a write inside a
/// write, a write while a value of the same transaction is borrowed, and a use of a transaction
/// that ended.
@usableFromInline
final class WriterState: Sendable {
    /// The thread that holds LMDB's write lock, or 0.
    ///
    /// Written only by the thread that holds the lock.
    private let thread = Atomic<UInt>(0)

    /// The number of the open transaction, counted from 1; 0 where none is open.
    ///
    /// Written only by the thread that holds the write lock.
    private let open = Atomic<Int>(0)

    /// How many transactions were begun; used as ``open``.
    private let begun = Atomic<Int>(0)

    /// How many values are borrowed.
    ///
    /// Used only by the writing thread; atomic only to be Sendable.
    private let borrows = Atomic<Int>(0)

    /// How many cursors are lent; used as ``borrows``.
    private let cursors = Atomic<Int>(0)

    /// Traps if this thread has a write transaction already: LMDB's lock would wait for its own
    /// holder.
    func requireNoWriteOnThisThread() {
        precondition(
            thread.load(ordering: .relaxed) != UInt(pthread_self()),
            "a write transaction is open on this thread: it cannot begin another"
        )
    }

    /// Notes that this thread got the write lock, and gives the transaction's number.
    func begin() -> Int {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let number = begun.load(ordering: .relaxed) &+ 1
        begun.store(number, ordering: .relaxed)
        open.store(number, ordering: .relaxed)
        return number
    }

    /// Whether a transaction is still open.
    func isOpen(_ number: Int) -> Bool { open.load(ordering: .relaxed) == number }

    /// Traps if a transaction has ended: LMDB may have freed its memory.
    func requireOpen(_ number: Int) {
        precondition(isOpen(number), "the write transaction has ended")
    }

    /// Notes that this thread is about to give the write lock back.
    func end() {
        assert(borrows.load(ordering: .relaxed) == 0, "a borrowed value outlived its transaction")
        thread.store(0, ordering: .relaxed)
        open.store(0, ordering: .relaxed)
    }

    /// Notes that a value of the transaction is in use.
    func beginBorrow() {
        borrows.store(borrows.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// Notes that a value of the transaction is no longer in use.
    func endBorrow() {
        borrows.store(borrows.load(ordering: .relaxed) &- 1, ordering: .relaxed)
    }

    /// Notes that a cursor of the transaction is lent.
    func beginCursor() {
        cursors.store(cursors.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// Notes that a cursor of the transaction is no longer lent.
    func endCursor() {
        cursors.store(cursors.load(ordering: .relaxed) &- 1, ordering: .relaxed)
    }

    /// Traps if a cursor of the transaction is lent: the end frees it.
    func requireNoCursor() {
        precondition(
            cursors.load(ordering: .relaxed) == 0,
            "a cursor of this transaction is lent: it cannot end yet"
        )
    }

    /// Traps if a value of the transaction is in use: a write may move or free its bytes.
    func requireNoBorrow() {
        precondition(
            borrows.load(ordering: .relaxed) == 0,
            "a value or an entry of this transaction is borrowed: copy it before writing"
        )
    }
}
