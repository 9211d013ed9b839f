internal import NotificationCore
internal import NotificationRecords

extension DueWork {
    /// Removes events, notifications and attachments that are too old, turns the Focuses whose time
    /// has come, and gives how many rows these were.
    ///
    /// A result of `limit` means that there may be more.
    func expire(atMost limit: Int) throws(StoreFailure) -> Int {
        let (index, now) = (batch.tables.expiry, batch.now.elapsed)
        var count = try batch.forEachDue(in: index, until: now, atMost: limit) {
            due throws(StoreFailure) in
            guard batch.isIntact(due.rest) else { return 0 }
            return try batch.center(due.rest).events.expire(dueAt: due.instant)
        }
        count += try batch.attachments.expire(atMost: max(0, limit - count))
        count += try batch.turnFocuses(atMost: max(0, limit - count))
        return count
    }
}

extension Batch {
    /// Does the work of an index whose instant has come, and gives how much that was: each row, and
    /// what `body` did beside it.
    ///
    /// Rows that are set aside are skipped. `body` deletes the row's key, or moves it behind `end`.
    func forEachDue<Key: InstantKey, Row>(
        in index: TypedTable<Key, Row>,
        until end: Key.Instant,
        atMost limit: Int,
        _ body: (_ due: Key) throws(StoreFailure) -> Int
    ) throws(StoreFailure) -> Int {
        var count = 0
        while count < limit,
            let due = try DueWork.front(of: index, past: damage.setAside, in: transaction),
            due.instant.nanoseconds <= end.nanoseconds
        {
            count += 1
            guard begin(due.bytes, in: index.name) else { continue }
            count += try body(due)
            endWork()
        }
        return count
    }
}
