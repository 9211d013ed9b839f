internal import NotificationCore
internal import NotificationRecords

extension DueWork {
    /// Removes events, notifications and attachments that are too old, turns the Focuses whose time
    /// has come, and gives how many rows these were.
    ///
    /// A result of `limit` means that there may be more.
    func expire(atMost limit: Int) throws(StoreFailure) -> Int {
        var count = 0
        while count < limit,
            let due = try Self.front(
                of: batch.tables.expiry,
                past: batch.damage.setAside,
                in: batch.transaction
            ),
            due.instant <= batch.now.elapsed
        {
            count += 1
            guard batch.begin(due.bytes, in: .expiry, of: due.rest) else { continue }
            count += try batch.center(due.rest).events.expire(dueAt: due.instant)
            batch.endWork()
        }
        count += try batch.attachments.expire(atMost: max(0, limit - count))
        count += try batch.turnFocuses(atMost: max(0, limit - count))
        return count
    }
}
