internal import BelfryHashing
internal import Faults
internal import NotificationCore
internal import NotificationRecords

extension Batch {
    /// How long a key is kept, in nanoseconds (W-9).
    private static let keptNanoseconds = 24 * 3600 * Int64.nanosecondsPerSecond
    /// How many old keys are removed for each new key: more than one, so that the table shrinks.
    private static let trimmedPerKey = 4
    /// How many keys are removed at most to make room for one new key: a long reply takes the place
    /// of many short ones.
    private static let replacedPerKey = 4_096

    /// Keys made at this time or before are refused, in milliseconds since 1970.
    ///
    /// `registrant` is the caller; some of its keys may be forgotten where others' are not.
    func idempotencyFloor(of registrant: Registrant?) throws(StoreFailure) -> Int64 {
        var floor = state.idempotencyFloorMilliseconds
        if let registrant { floor = max(floor, try keyFloor(of: registrant)) }
        // A floor in the future comes from a clock that was wrong: it would refuse keys that are
        // made now. Take a day ago instead, since the forgotten keys are a day old and their
        // retries are over.
        guard now.wall.isTime, floor > now.wall.nanoseconds / 1_000_000 else { return floor }
        return (now.wall.nanoseconds - Self.keptNanoseconds) / 1_000_000
    }

    /// Keeps the reply of a call for its retries, or the progress of the call.
    ///
    /// Keys that are too old or too many are removed at the end of the batch.
    ///
    /// `content` is the reply or the progress. `keptBytes` are the bytes of the key's row that the
    /// store has; 0 where it has none.
    ///
    /// - Returns: The bytes of the row now.
    func keep(
        _ content: [UInt8],
        isReply: Bool,
        for key: OnceKey,
        _ keptBytes: Int
    ) throws(StoreFailure) -> Int {
        let record = OnceRecord(
            storedAt: now.wall,
            fingerprint: key.fingerprint,
            registrant: key.registrant?.name ?? "",
            isReply: isReply,
            content: content
        )
        let bytes = record.bytes
        try transaction.set(
            bytes,
            at: key.identifier.bytes,
            in: tables.idempotency.raw,
            isNew: keptBytes == 0
        )
        hasChanged = true
        calls.kept.note(key, of: state)
        let byteCount = Self.keptByteCount(record, bytes.count)
        state.idempotencyBytes += byteCount - keptBytes
        if let registrant = key.registrant {
            if keptBytes == 0 {
                let row = KeyOwnerKey(key.identifier, of: registrant.digest)
                try transaction.put(row, in: tables.keyOwners)
            }
            try trimKeys(of: registrant, growingBy: byteCount - keptBytes, for: key)
        }
        return byteCount
    }

    /// Removes keys that are too old or too many, after the batch kept some.
    func trimKeys() throws(StoreFailure) {
        // In a full store a reply takes the place of others: the reserve is for removals.
        let most = max(calls.kept.bytesBefore, limits.idempotencyBytes / 4)
        let limit = hasRoomForAdds ? limits.idempotencyBytes : most
        let atMost = Self.replacedPerKey * calls.kept.count
        try trimKeysOfCallerWithMost(to: limit, atMost: atMost)
        for count in 0..<atMost {
            let isTooMuch = state.idempotencyBytes > limit
            guard count < Self.trimmedPerKey * calls.kept.count || isTooMuch,
                try trimOldestKey(isTooMuch: isTooMuch)
            else { break }
        }
    }

    /// Removes the oldest keys of the caller that has most, where all keys take too much: another
    /// caller, which sends few, keeps its own.
    private func trimKeysOfCallerWithMost(to limit: Int, atMost count: Int) throws(StoreFailure) {
        guard count > 0 else { return }
        let excess = try transaction.rowCount(of: tables.idempotency) - limits.idempotencyKeys
        guard excess > 0 || state.idempotencyBytes > limit,
            let registrant = Registrant(
                named: try callerWithMost(\.keyBytes, of: state.idempotencyBytes)
            )
        else { return }
        var removed = 0
        try removeKeys(of: registrant, atMost: count, except: calls.kept.last) { _ in
            defer { removed += 1 }
            return removed < excess || state.idempotencyBytes > limit
        }
    }

    /// About how many bytes the row of a key takes in the file, which has so many itself.
    static func keptByteCount(_ record: OnceRecord, _ byteCount: Int) -> Int {
        // The row of the caller's index takes the key and the overhead of a row.
        let rows = record.registrant.isEmpty ? 1 : 2
        return rows * (RowOwner.rowByteCount + 32) + byteCount
    }

    /// Charges the growth of a key's row to its caller, and removes the caller's oldest keys where
    /// they take too much together.
    private func trimKeys(
        of registrant: Registrant,
        growingBy growth: Int,
        for key: OnceKey
    ) throws(StoreFailure) {
        _ = try changeKept(of: registrant) { $0.keyBytes += growth }
        try removeKeys(of: registrant, atMost: Self.replacedPerKey, except: key.bytes) {
            $0.keyBytes > limits.idempotencyBytesPerCaller
        }
    }

    /// Removes a caller's oldest keys, as long as `isTooMuch` says so of its counts, and raises the
    /// floor below which its keys are refused.
    private func removeKeys(
        of registrant: Registrant,
        atMost limit: Int,
        except kept: [UInt8],
        while isTooMuch: (RegistrantRecord) -> Bool
    ) throws(StoreFailure) {
        var count = try changeKept(of: registrant) { _ in }
        var removed = 0
        while removed < limit, isTooMuch(count) {
            let owned = try transaction.keys(
                in: tables.keyOwners,
                .owner(registrant.digest),
                atMost: 1
            )
            guard let oldest = owned.first, oldest.identifier.bytes != kept else { return }
            if let record = try transaction.found(oldest.identifier, in: tables.idempotency).row {
                try forget(oldest.identifier, record, record.bytes.count)
            } else {
                try transaction.delete(oldest, in: tables.keyOwners)
            }
            removed += 1
            let made = OnceKey.milliseconds(oldest.identifier.bytes)
            count = try changeKept(of: registrant) { count in
                count.keyFloorMilliseconds = max(count.keyFloorMilliseconds, made)
            }
        }
    }

    /// Deletes a key's rows, of so many bytes, and takes them off the counts.
    private func forget(
        _ identifier: OnceIdentifier,
        _ record: OnceRecord,
        _ rowByteCount: Int
    ) throws(StoreFailure) {
        try transaction.delete(identifier, in: tables.idempotency)
        let byteCount = Self.keptByteCount(record, rowByteCount)
        state.idempotencyBytes = max(0, state.idempotencyBytes - byteCount)
        guard let registrant = Registrant(named: record.registrant) else { return }
        let row = KeyOwnerKey(identifier, of: registrant.digest)
        try transaction.delete(row, in: tables.keyOwners)
        // It may be another caller's row: if it is damaged, no call of this one fails.
        _ = try reportingDamage { () throws(StoreFailure) in
            try changeKept(of: registrant) { $0.keyBytes = max(0, $0.keyBytes - byteCount) }
        }
    }

    /// Removes the oldest key if it is too old or one too many, and raises the floor below which
    /// keys are refused.
    ///
    /// `isTooMuch` says whether all keys take too many bytes; the key that was kept last is not
    /// removed for that.
    ///
    /// - Returns: Whether a key was removed.
    private func trimOldestKey(isTooMuch: Bool) throws(StoreFailure) -> Bool {
        let table = tables.idempotency
        guard let key = try transaction.firstKey(in: table.raw) else { return false }
        let made = OnceKey.milliseconds(key)
        // The floor is a client's time, so a key is removed only when that time, too, is a day ago:
        // a key from a clock that is ahead must neither act twice nor cause the refusal of other
        // clients' keys.
        let isFromAhead = made > (now.wall.nanoseconds - Self.keptNanoseconds) / 1_000_000
        let isTooMany =
            try transaction.rowCount(of: table) > limits.idempotencyKeys
            || isTooMuch && key != calls.kept.last
        // Read the row only where it decides, since its reply may be long.
        guard isTooMany || !isFromAhead else { return false }
        let bytes = try transaction.bytes(at: key, in: table) ?? []
        guard let record = try? OnceRecord(bytes) else {
            // Remove a damaged key at once: its retry is refused, as for any removed key.
            damage.rows.append(
                DamagedRow(RowError(.undecodable, table: table.name, key: key))
            )
            try transaction.delete(bytes: key, in: table.raw)
            state.idempotencyFloorMilliseconds = max(state.idempotencyFloorMilliseconds, made)
            return true
        }
        let isTooOld = now.wall.nanoseconds - record.storedAt.nanoseconds > Self.keptNanoseconds
        guard isTooMany || isTooOld else { return false }
        try forget(OnceIdentifier(bytes: key), record, bytes.count)
        if Fault.floorNotMoved.isPlanted { return true }
        state.idempotencyFloorMilliseconds = max(state.idempotencyFloorMilliseconds, made)
        return true
    }
}

/// The keys of which a batch has kept a reply or the progress.
struct KeptKeys {
    /// How many they are.
    private(set) var count = 0
    /// The bytes of the last one.
    private(set) var last: [UInt8] = []
    /// The bytes of all keys of the store before.
    private(set) var bytesBefore = 0

    /// Notes a key, before its row is counted in the store's state.
    mutating func note(_ key: OnceKey, of state: StoreState) {
        if count == 0 { bytesBefore = state.idempotencyBytes }
        count += 1
        last = key.bytes
    }
}

extension Registrant {
    /// The bytes for the caller in the index of keys.
    var digest: [UInt8] { Self.digest(of: name) }

    /// The bytes for a caller of this name in the index of keys, and in the orders of what is kept.
    static func digest(of name: String) -> [UInt8] {
        Array(SHA256.digest(of: Array(name.utf8).span).prefix(KeyOwnerKey.ownerByteCount))
    }
}
