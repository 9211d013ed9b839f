internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on requests, identifiers, the due indexes and the delivered list.

extension StoreRules {
    /// The rows that an identifier names exist, and have this identifier.
    mutating func checkIdentifier(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.identifiers.key(key)
        let center = name.center
        let identifier = try tables.identifiers.row(value, at: key)
        try checkCenterExists(center)
        if identifier.isEmpty { found.append("stands for nothing") }
        if let pending = identifier.pending {
            var all = tallies[center, default: Tally()].pending
            all.count += 1
            let record = try transaction.found(pending.sequence, in: tables.records).row
            if let byteCount = record?.request.storedByteCount {
                all.bytes? &+= byteCount
            } else {
                all.bytes = nil
            }
            tallies[center, default: Tally()].pending = all
            try checkRequest(pending.sequence, isOf: name)
            let isDue: Bool
            if let due = pending.due {
                let (row, index) = tables.due(due, of: pending.sequence)
                isDue = try transaction.contains(row, in: index)
            } else {
                isDue = try isWatched(pending.sequence)
            }
            if !isDue {
                found.append(
                    pending.due == nil
                        ? "is pending and not watched" : "is pending and not in the due index"
                )
            }
            try checkIsInZone(pending, center)
        }
        if let arriving = identifier.arriving {
            try checkRequest(arriving.sequence, isOf: name)
            let row = CallbackKey(arriving.callback, of: center)
            let isAsked = try transaction.contains(row, in: tables.callbacks)
            let isWaiting = try transaction.contains(row, in: tables.serviceArrivals)
            if !isAsked && !isWaiting {
                found.append("is arriving and its callback is gone")
            }
        }
        if let delivery = identifier.delivered {
            tallies[center, default: Tally()].delivered += 1
            switch try transaction.found(DeliveryKey(delivery, of: center), in: tables.delivered) {
            case .missing: found.append("is delivered as \(delivery) and not in the list")
            case .damaged: break
            case .row(let row): try checkRequest(row.sequence, isOf: name)
            }
        }
        if !identifier.keys.isEmpty { try checkKeys(of: identifier, name) }
        try checkSnooze(of: identifier, name)
    }

    /// A replacement key and the identifiers that have it name each other (ADD-12).
    private mutating func checkKeys(
        of identifier: IdentifierRecord,
        _ name: IdentifierKey
    ) throws(StoreFailure) {
        let sound = try identifier.soundKeys(under: name) { other throws(StoreFailure) in
            try self.identifier(other)
        }
        if sound != identifier.keys { found.append("has another replacement key than it says") }
    }

    /// A row of the elapsed due index agrees with its request's identifier, or with its callback.
    mutating func checkDueElapsed(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let due = try tables.dueElapsed.key(key)
        if let request = due.region {
            return try checkRegionDue(request, due.instant, value)
        }
        guard let center = try tables.dueElapsed.row(value, at: key).center else {
            let request = RequestNumber(rawValue: due.number)
            return try checkDue(.elapsed(due.instant), request)
        }
        if let request = due.snoozed {
            return try checkDue(.elapsed(due.instant), snoozed: request)
        }
        let row = CallbackKey(CallbackNumber(rawValue: due.number), of: center)
        let callback = try look(at: row, in: tables.callbacks, orElse: "its callback is gone")
        if let callback, callback.due != due.instant {
            found.append("its callback ends at another instant")
        }
    }

    mutating func checkDueWall(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let due = try tables.dueWall.key(key)
        guard let center = try tables.dueWall.row(value, at: key).center else {
            let request = RequestNumber(rawValue: due.number)
            return try checkDue(.wall(due.instant), request)
        }
        if let request = due.snoozed {
            return try checkDue(.wall(due.instant), snoozed: request)
        }
        if due != DueKey(due.instant, summaryOf: center) {
            found.append("is of center \(center) and has another's number")
        }
        try checkCenterExists(center)
        let row = try transaction.found(center, in: tables.centers).row
        if let row, row.center.summaryDue != due.instant {
            found.append("its center's summary is due at another instant")
        }
    }

    mutating func checkDue(_ due: Due, _ sequence: RequestNumber) throws(StoreFailure) {
        guard let identifier = try identifier(ofRequest: sequence) else { return }
        if identifier.pending?.sequence != sequence || identifier.pending?.due != due {
            found.append("its identifier is not pending so")
        }
    }

    /// A row of the delivered list agrees with its request's identifier.
    mutating func checkDelivered(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.delivered.key(key)
        let row = try tables.delivered.row(value, at: key)
        let sequence = row.sequence
        if row.isHeld { tallies[name.center, default: Tally()].held += 1 }
        referred.insert(sequence)
        guard let own = try identifierKey(ofRequest: sequence) else { return }
        guard own == IdentifierKey(row.identifier, of: name.center) else {
            return found.append("stands for request \(sequence), of another one")
        }
        guard let identifier = try identifier(own) else { return }
        if identifier.delivered != name.number {
            found.append("its identifier is not delivered so")
        }
    }

    /// Released records exist, and nothing refers to them.
    mutating func checkReleased(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let row = try tables.released.key(key)
        for request in try tables.released.row(value, at: key).requests(at: row) {
            switch try transaction.found(request, in: tables.records) {
            case .missing: found.append("releases request \(request), which is gone")
            case .damaged: break
            case .row(let record):
                guard try isKept(request, record, transaction) else { continue }
                found.append("releases request \(request), which is referred to")
            }
        }
    }

    /// Whether a row refers to a request's record.
    func isKept(
        _ request: RequestNumber,
        _ record: RequestRecord,
        _ transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) -> Bool {
        if referred.contains(request) { return true }
        let name = IdentifierKey(record.request.identifier, of: record.center)
        let identifier = try transaction.found(name, in: tables.identifiers).row
        return identifier?.pending?.sequence == request
    }

    /// A record belongs to a center that exists, its number was given, and it is referred to.
    mutating func checkRecord(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let sequence = try tables.records.key(key)
        checkIsGiven(sequence)
        // Skip a released record: it is only to be deleted, and its app may be gone.
        if try transaction.isReleased(sequence, tables) { return }
        let record = try tables.records.row(value, at: key)
        try checkCenterExists(record.center)
        let row = IdentifierKey(record.request.identifier, of: record.center)
        guard let identifier = try identifier(row) else { return }
        let isPending = identifier.pending?.sequence == sequence
        if !isPending && !referred.contains(sequence) { found.append("is kept for nothing") }
        try checkHolds(sequence, record)
        if record.request.trigger?.repeats == true, isPending != (record.lastEvent == nil) {
            found.append("does not say whether it ended")
        }
    }
}
