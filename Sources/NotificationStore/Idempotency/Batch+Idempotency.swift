internal import BelfryLMDB
internal import NotificationCore

extension Batch {
    /// How long a key is kept, in nanoseconds (W-9).
    private static let keptNanoseconds = 24 * 3600 * Int64.nanosecondsPerSecond
    /// Keys that one key's arrival may take away: more than arrive, so that the table shrinks.
    private static let trimmedPerKey = 4

    /// Keeps a reply for the retries of its call, or how far the call came.
    ///
    /// Keys that are too old or too many go.
    func keep(_ content: [UInt8], isReply: Bool, for key: OnceKey) throws(LMDBError) {
        let record = OnceRecord(
            storedAt: now.wall,
            fingerprint: key.fingerprint,
            isReply: isReply,
            content: content
        )
        try transaction.put(record.bytes, forKey: key.bytes, in: tables.idempotency)
        hasChanged = true
        for _ in 0..<Self.trimmedPerKey {
            guard try trimOldestKey() else { return }
        }
    }

    /// Takes the oldest key away if it is due to go; the floor then says which keys are refused.
    private func trimOldestKey() throws(LMDBError) -> Bool {
        let table = tables.idempotency
        guard let oldest = try transaction.rows(in: table, [], atMost: 1).first else {
            return false
        }
        let made = OnceKey.milliseconds(oldest.key)
        guard let storedAt = (try? OnceRecord(oldest.value))?.storedAt else {
            // A damaged one goes at once: its retry is refused, as that of any key that went.
            damage.rows.append(DamagedRow(ByteReader.corrupted.at(oldest.key, in: table), tables))
            try transaction.deleteExisting(oldest.key, in: table)
            state.idempotencyFloorMilliseconds = max(state.idempotencyFloorMilliseconds, made)
            return true
        }
        // The floor is a client's time, so a key goes only when that is a day ago too: one from a
        // clock that is ahead must neither act twice nor have the keys of all others refused.
        let isFromAhead = made > (now.wall.nanoseconds - Self.keptNanoseconds) / 1_000_000
        let isTooOld = now.wall.nanoseconds - storedAt.nanoseconds > Self.keptNanoseconds
        let isTooMany = try transaction.count(of: table) > limits.idempotencyKeys
        guard isTooMany || isTooOld && !isFromAhead else { return false }
        try transaction.deleteExisting(oldest.key, in: table)
        state.idempotencyFloorMilliseconds = max(state.idempotencyFloorMilliseconds, made)
        return true
    }
}
