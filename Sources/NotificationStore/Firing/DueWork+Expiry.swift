internal import BelfryLMDB
internal import NotificationCore

extension DueWork {
    /// Removes the events, notifications and attachments that are too old, and gives how many rows
    /// these were.
    ///
    /// A result of `limit` means that there may be more.
    func expire(atMost limit: Int) throws(LMDBError) -> Int {
        var count = 0
        while count < limit,
            var due = try Self.front(
                of: batch.tables.expiry,
                past: batch.damage.setAside,
                in: batch.transaction
            ),
            due.nanoseconds <= batch.now.elapsed.nanoseconds
        {
            count += 1
            let number: UInt32 = try due.number.number()
            guard batch.begin(due.key, in: batch.tables.expiry, of: number) else { continue }
            let instant = ElapsedInstant(nanoseconds: due.nanoseconds)
            count += try batch.center(number).events.expire(dueAt: instant)
            batch.endWork()
        }
        count += try batch.attachments.expire(atMost: max(0, limit - count))
        return count
    }
}
