internal import BelfryLMDB
internal import NotificationCore

// The rules on requests, identifiers, the due indexes and the delivered list.

extension StoreRules {
    /// The rows that an identifier names exist, and have this identifier.
    mutating func checkIdentifier(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard key.count > 4 else { throw ByteReader.corrupted }
        let center = UInt32(try Self.numbers(Array(key.prefix(4)), 4)[0])
        let identifier = try IdentifierRecord(value)
        try checkCenterExists(center, transaction)
        if identifier.isEmpty { found.append("stands for nothing") }
        if let pending = identifier.pending {
            tallies[center, default: Tally()].pending += 1
            try checkRequest(pending.sequence, isOf: key, transaction)
            let (due, index) =
                switch pending.due {
                case .elapsed(let instant): (instant.nanoseconds, tables.dueElapsed)
                case .wall(let date): (date.nanoseconds, tables.dueWall)
                }
            let row = Key.due(due, number: pending.sequence)
            if try !transaction.contains(key: row, in: index) {
                found.append("is pending and not in the due index")
            }
            try checkIsInZone(pending, center, transaction)
        }
        if let arriving = identifier.arriving {
            try checkRequest(arriving.sequence, isOf: key, transaction)
            let row = Key.numbered(arriving.callback, center: center)
            if try !transaction.contains(key: row, in: tables.callbacks) {
                found.append("is arriving and its callback is gone")
            }
        }
        if let delivery = identifier.delivered {
            tallies[center, default: Tally()].delivered += 1
            let row = Key.numbered(delivery, center: center)
            if let bytes = try transaction.value(forKey: row, in: tables.delivered) {
                guard let delivered = try? DeliveredRecord(bytes) else { return }
                try checkRequest(delivered.sequence, isOf: key, transaction)
            } else {
                found.append("is delivered as \(delivery) and not in the list")
            }
        }
    }

    /// A row of the elapsed due index agrees with its request's identifier, or with its callback.
    mutating func checkDueElapsed(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let due = ElapsedInstant(nanoseconds: Int64(bitPattern: try Self.numbers(key, 8, 8)[0]))
        guard !value.isEmpty else { return try checkDue(.elapsed(due), key, transaction) }
        let row = Key.numbered(
            try Self.numbers(key, 8, 8)[1],
            center: UInt32(try Self.numbers(value, 4)[0])
        )
        guard let bytes = try transaction.value(forKey: row, in: tables.callbacks) else {
            found.append("its callback is gone")
            return
        }
        // A callback that does not decode is reported where the callbacks are walked.
        if let callback = try? CallbackRecord(bytes), callback.deadline != due {
            found.append("its callback ends at another instant")
        }
    }

    mutating func checkDueWall(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let due = WallInstant(nanoseconds: Int64(bitPattern: try Self.numbers(key, 8, 8)[0]))
        guard !value.isEmpty else { return try checkDue(.wall(due), key, transaction) }
        let center = try Self.numbers(value, 4)[0]
        if Key.summaryNumber(UInt32(center)) != (try Self.numbers(key, 8, 8)[1]) {
            found.append("is of center \(center) and has another's number")
        }
        guard let bytes = try transaction.value(forKey: value, in: tables.centers) else {
            found.append("is of center \(center), which is not there")
            return
        }
        // A center that does not decode is reported where the centers are walked.
        if let center = try? CenterRecord.center(bytes), center.summaryDue != due {
            found.append("its center's summary is due at another instant")
        }
    }

    mutating func checkDue(
        _ due: Due,
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let sequence = try Self.numbers(key, 8, 8)[1]
        guard let identifier = try identifier(ofRequest: sequence, transaction) else { return }
        if identifier.pending?.sequence != sequence || identifier.pending?.due != due {
            found.append("its identifier is not pending so")
        }
    }

    /// A row of the delivered list agrees with its request's identifier.
    mutating func checkDelivered(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let parts = try Self.numbers(key, 4, 8)
        let delivery = parts[1]
        let row = try DeliveredRecord(value)
        let sequence = row.sequence
        if row.isHeld { tallies[UInt32(parts[0]), default: Tally()].held += 1 }
        referred.insert(sequence)
        guard let identifier = try identifier(ofRequest: sequence, transaction) else { return }
        if identifier.delivered != delivery { found.append("its identifier is not delivered so") }
    }

    /// A record belongs to a center that exists, its number was given, and it is referred to.
    mutating func checkRecord(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let sequence = try Self.numbers(key, 8)[0]
        if sequence >= state.nextSequence { found.append("its number is still to be given") }
        let record = try RequestRecord(value)
        try checkCenterExists(record.center, transaction)
        let row = Key.identifier(record.request.identifier, center: record.center)
        guard let identifier = try identifier(row, transaction) else { return }
        let isPending = identifier.pending?.sequence == sequence
        if !isPending && !referred.contains(sequence) { found.append("is kept for nothing") }
        try attachments.checkHolds(sequence, record, transaction, noting: &found)
        if record.request.trigger?.repeats == true, isPending != (record.lastEvent == nil) {
            found.append("does not say whether it ended")
        }
    }
}
