internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on callbacks, open and ended.

extension StoreRules {
    /// An open callback is in the index at its deadline, and an arriving occurrence names its
    /// callback.
    mutating func checkCallback(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        let name = try tables.callbacks.key(key)
        let center = name.center
        try checkCenterExists(center, transaction)
        checkIsGiven(name.number)
        let callback = try tables.callbacks.row(value, at: key)
        let due = DueKey(callback.deadline, name.number)
        if try transaction.found(due, in: tables.dueElapsed).row?.center != center {
            found.append("is open and not in the due index")
        }
        switch callback.question {
        case .willPresent(let fired):
            tallies[center, default: Tally()].arriving += 1
            referred.insert(fired.sequence)
            guard let identifier = try identifier(ofRequest: fired.sequence, transaction) else {
                return
            }
            let arriving = IdentifierRecord.Arriving(
                callback: name.number,
                sequence: fired.sequence
            )
            if identifier.arriving != arriving { found.append("its identifier is not arriving so") }
        case .didReceive:
            tallies[center, default: Tally()].openResponses += 1
        }
    }

    mutating func checkEndedCallback(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        let center = try tables.endedCallbacks.key(key).center
        try checkCenterExists(center, transaction)
        _ = try tables.endedCallbacks.row(value, at: key)
        tallies[center, default: Tally()].endedCallbacks += 1
    }
}
