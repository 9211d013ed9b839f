internal import NotificationCore
internal import NotificationRecords

extension Batch {
    /// How long a key is kept, in nanoseconds (W-9).
    private static let keptNanoseconds = 24 * 3600 * Int64.nanosecondsPerSecond
    /// How many old keys are removed for each new key: more than one, so that the table shrinks.
    private static let trimmedPerKey = 4

    /// Keys made at this time or before are refused, in milliseconds since 1970.
    ///
    /// A floor that lies ahead is from a clock that was wrong then: keys of now would be refused
    /// for as long as that. The keys that were forgotten are a day old, and their retries are over.
    var idempotencyFloor: Int64 {
        let floor = state.idempotencyFloorMilliseconds
        guard now.wall.isTime, floor > now.wall.nanoseconds / 1_000_000 else { return floor }
        return (now.wall.nanoseconds - Self.keptNanoseconds) / 1_000_000
    }

    /// Keeps the reply of a call for its retries, or the progress of the call.
    ///
    /// Keys that are too old or too many are removed.
    func keep(_ content: [UInt8], isReply: Bool, for key: OnceKey) throws(StoreFailure) {
        let record = OnceRecord(
            storedAt: now.wall,
            fingerprint: key.fingerprint,
            isReply: isReply,
            content: content
        )
        try transaction.put(record, at: key.identifier, in: tables.idempotency)
        hasChanged = true
        for _ in 0..<Self.trimmedPerKey {
            guard try trimOldestKey() else { return }
        }
    }

    /// Removes the oldest key if it is too old or one too many, and raises the floor below which
    /// keys are refused.
    private func trimOldestKey() throws(StoreFailure) -> Bool {
        let table = tables.idempotency
        guard let key = try transaction.keys(bytesOf: table.raw, atMost: 1).first else {
            return false
        }
        let made = OnceKey.milliseconds(key)
        // The floor is a client's time, so a key is removed only when that time, too, is a day ago:
        // a key from a clock that is ahead must neither act twice nor cause the refusal of other
        // clients' keys.
        let isFromAhead = made > (now.wall.nanoseconds - Self.keptNanoseconds) / 1_000_000
        let isTooMany = try transaction.rowCount(of: table) > limits.idempotencyKeys
        // The row, which may have a long reply, is read only where it decides.
        guard isTooMany || !isFromAhead else { return false }
        let bytes = try transaction.bytes(at: key, in: table) ?? []
        guard let record = try? OnceRecord(bytes) else {
            // A damaged key is removed at once: its retry is refused, as for any removed key.
            damage.rows.append(
                DamagedRow(RowError(.undecodable, table: table.name, key: key))
            )
            try transaction.delete(bytes: key, in: table.raw)
            state.idempotencyFloorMilliseconds = max(state.idempotencyFloorMilliseconds, made)
            return true
        }
        let isTooOld = now.wall.nanoseconds - record.storedAt.nanoseconds > Self.keptNanoseconds
        guard isTooMany || isTooOld else { return false }
        try transaction.delete(bytes: key, in: table.raw)
        state.idempotencyFloorMilliseconds = max(state.idempotencyFloorMilliseconds, made)
        return true
    }
}
