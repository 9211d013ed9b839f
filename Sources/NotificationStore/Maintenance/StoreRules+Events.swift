internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on the event log and on idempotency keys.

extension StoreRules {
    /// Events are numbered without gaps, and the requests that they refer to exist.
    mutating func checkEvent(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        let name = try tables.events.key(key)
        let center = name.center
        var tally = tallies[center] ?? Tally()
        if tally.firstEvent == nil {
            tally.firstEvent = name.number
        } else if name.number != tally.lastEvent.next {
            found.append("follows event \(tally.lastEvent)")
        }
        tally.lastEvent = name.number
        tallies[center] = tally
        try checkCenterExists(center, transaction)
        let event = try tables.events.row(value, at: key)
        tallies[center]?.eventBytes &+= event.byteCount
        guard let sequence = event.kind.fired?.sequence else { return }
        referred.insert(sequence)
        let record = try transaction.found(sequence, in: tables.records)
        if record.isMissing { found.append("is about request \(sequence), which is gone") }
        if let last = record.row?.lastEvent, last < name.number {
            found.append("comes after event \(last), the last one of request \(sequence)")
        }
    }

    func checkIdempotency(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        _ = try tables.idempotency.key(key)
        _ = try tables.idempotency.row(value, at: key)
    }
}
