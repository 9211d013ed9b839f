internal import BelfryLMDB
internal import NotificationCore

extension Batch {
    /// Takes away what is too old, and gives how many rows that were.
    ///
    /// As many as `limit` means that there may be more.
    func expire(atMost limit: Int) throws(LMDBError) -> Int {
        var count = 0
        while count < limit,
            var due = try Self.front(of: tables.expiry, past: setAside, in: transaction),
            due.nanoseconds <= now.elapsed.nanoseconds
        {
            count += 1
            let number: UInt32 = try due.number.number()
            guard begin(due.key, in: tables.expiry, of: number) else { continue }
            let instant = ElapsedInstant(nanoseconds: due.nanoseconds)
            count += try center(number).events.expire(dueAt: instant)
            endWork()
        }
        count += try expireAttachments(atMost: max(0, limit - count))
        return count
    }
}
