internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on the event log and on idempotency keys.

extension StoreRules {
    /// Events are numbered without gaps, and the requests that they refer to exist.
    mutating func checkEvent(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.events.key(key)
        let center = name.center
        var tally = tallies[center] ?? Tally()
        if tally.events.first == nil {
            tally.events.first = name.number
        } else if name.number != tally.events.last.next, !tally.events.isCutShort {
            found.append("follows event \(tally.events.last)")
        }
        tally.events.last = name.number
        // Until the row is decoded.
        tally.events.isCutShort = true
        tallies[center] = tally
        try checkCenterExists(center)
        let run = try tables.events.row(value, at: key)
        tally.events.isCutShort = false
        try run.forEach(numberedFrom: name.number) { number, event throws(StoreFailure) in
            tally.events.last = number
            tally.events.bytes &+= event.byteCount
            tally.events.settingsBytes &+= event.settingsByteCount
            try checkRequest(of: event, number)
            return true
        }
        tallies[center] = tally
    }

    /// The request of an event exists for as long as its events.
    private mutating func checkRequest(
        of event: EventRecord,
        _ number: EventNumber
    ) throws(StoreFailure) {
        guard let sequence = event.kind.fired?.sequence else { return }
        referred.insert(sequence)
        let record = try transaction.found(sequence, in: tables.records)
        if record.isMissing { found.append("is about request \(sequence), which is gone") }
        if let byteCount = event.kind.fired?.recordByteCount, let row = record.row,
            row.lastEvent == nil, row.request.trigger?.repeats != true,
            let found = try transaction.byteCount(at: sequence, in: tables.records),
            found != byteCount
        {
            self.found.append("counts \(byteCount) bytes of request \(sequence) of \(found)")
        }
        if let last = record.row?.lastEvent, last < number {
            found.append("comes after event \(last), the last one of request \(sequence)")
        }
    }

    /// A key that counts for a caller is in the caller's index.
    mutating func checkIdempotency(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let identifier = try tables.idempotency.key(key)
        let record = try tables.idempotency.row(value, at: key)
        guard let registrant = Registrant(named: record.registrant) else { return }
        let byteCount = Batch.keptByteCount(record, value.count)
        try count(registrant.name) { $0.keyBytes &+= byteCount }
        let row = KeyOwnerKey(identifier, of: registrant.digest)
        try require(row, in: tables.keyOwners, "is not in the index of its caller's keys")
    }

    mutating func checkKeyOwner(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let row = try tables.keyOwners.key(key)
        requireEmpty(value)
        let kept = try transaction.found(row.identifier, in: tables.idempotency)
        let owner = kept.row.flatMap { Registrant(named: $0.registrant)?.digest }
        if kept.isMissing || kept.row != nil && owner != row.owner {
            found.append("is of no key that its caller sent")
        }
    }
}
