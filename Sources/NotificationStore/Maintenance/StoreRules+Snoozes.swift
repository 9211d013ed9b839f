internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on notifications that are snoozed.

extension StoreRules {
    /// A snooze agrees with its request's identifier, and is in the due index.
    mutating func checkSnoozed(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.snoozed.key(key)
        let row = try tables.snoozed.row(value, at: key)
        tallies[name.center, default: Tally()].snoozed += 1
        referred.insert(row.sequence)
        let (due, index) = tables.due(row.due, of: row.sequence, isSnoozed: true)
        if try !transaction.contains(due, in: index) {
            found.append("is snoozed and never comes back")
        }
        guard let identifier = try identifier(ofRequest: row.sequence) else { return }
        if identifier.snoozed != name.number { found.append("its identifier is not snoozed so") }
    }

    /// The snooze that an identifier names exists and has this identifier, and no newer delivery
    /// is in the list.
    mutating func checkSnooze(
        of identifier: IdentifierRecord,
        _ name: IdentifierKey
    ) throws(StoreFailure) {
        guard let delivery = identifier.snoozed else { return }
        if identifier.delivered != nil { found.append("is in the list and snoozed") }
        switch try transaction.found(DeliveryKey(delivery, of: name.center), in: tables.snoozed) {
        case .missing: found.append("is snoozed as \(delivery), and nothing comes back")
        case .damaged: break
        case .row(let row): try checkRequest(row.sequence, isOf: name)
        }
    }

    /// A row of a due index agrees with the snooze of its request's notification.
    mutating func checkDue(_ due: Due, snoozed request: RequestNumber) throws(StoreFailure) {
        guard let key = try identifierKey(ofRequest: request),
            let identifier = try identifier(key)
        else { return }
        guard let delivery = identifier.snoozed else {
            return found.append("its notification is not snoozed")
        }
        let row = try transaction.found(DeliveryKey(delivery, of: key.center), in: tables.snoozed)
        if row.isMissing || row.row.map({ $0.due != due || $0.sequence != request }) == true {
            found.append("its notification is not snoozed so")
        }
    }
}
