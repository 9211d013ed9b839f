internal import BelfryLMDB
internal import NotificationCore

// The rules on callbacks, open and ended.

extension StoreRules {
    /// An open callback is in the index at its deadline, and an arriving occurrence names its
    /// callback.
    mutating func checkCallback(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let parts = try Self.numbers(key, 4, 8)
        let center = UInt32(parts[0])
        try checkCenterExists(center, transaction)
        if parts[1] >= state.nextSequence { found.append("its number is still to be given") }
        let callback = try CallbackRecord(value)
        let due = Key.due(callback.deadline.nanoseconds, number: parts[1])
        if try transaction.value(forKey: due, in: tables.dueElapsed) != Key.number(center) {
            found.append("is open and not in the due index")
        }
        switch callback.question {
        case .willPresent(let fired):
            tallies[center, default: Tally()].arriving += 1
            referred.insert(fired.sequence)
            guard let identifier = try identifier(ofRequest: fired.sequence, transaction) else {
                return
            }
            let arriving = IdentifierRecord.Arriving(callback: parts[1], sequence: fired.sequence)
            if identifier.arriving != arriving { found.append("its identifier is not arriving so") }
        case .didReceive:
            tallies[center, default: Tally()].openResponses += 1
        }
    }

    mutating func checkEndedCallback(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let center = UInt32(try Self.numbers(key, 4, 8)[0])
        try checkCenterExists(center, transaction)
        _ = try EndedCallbackRecord(value)
        tallies[center, default: Tally()].endedCallbacks += 1
    }
}
