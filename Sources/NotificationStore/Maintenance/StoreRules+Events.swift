internal import BelfryLMDB
internal import NotificationCore

// The rules on the event log and on idempotency keys.

extension StoreRules {
    /// Events are numbered without gaps, and the requests that they refer to exist.
    mutating func checkEvent(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let parts = try Self.numbers(key, 4, 8)
        let center = UInt32(parts[0])
        var tally = tallies[center] ?? Tally()
        if tally.firstEvent == nil {
            tally.firstEvent = parts[1]
        } else if parts[1] != tally.lastEvent + 1 {
            found.append("follows event \(tally.lastEvent)")
        }
        tally.lastEvent = parts[1]
        tallies[center] = tally
        try checkCenterExists(center, transaction)
        let event = try EventRecord(value)
        tallies[center]?.eventBytes &+= event.byteCount
        guard let sequence = event.kind.fired?.sequence else { return }
        referred.insert(sequence)
        let row = Key.number(sequence)
        guard let bytes = try transaction.value(forKey: row, in: tables.records) else {
            found.append("is about request \(sequence), which is gone")
            return
        }
        if let last = (try? RequestRecord(bytes))?.lastEvent, last < parts[1] {
            found.append("comes after event \(last), the last one of request \(sequence)")
        }
    }

    func checkIdempotency(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        guard key.count == 16 else { throw ByteReader.corrupted }
        _ = try OnceRecord(value)
    }
}
