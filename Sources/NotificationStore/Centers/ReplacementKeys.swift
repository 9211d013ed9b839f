internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The replacement keys of a center's notifications (ADD-12).
///
/// A key is a name among the identifiers: the identifier with that name knows the one delivery, in
/// the list or snoozed, and the one arriving occurrence of other identifiers that have it as their
/// key. So a request without a key of its own reads no further row.
struct ReplacementKeys {
    let center: CenterWork

    /// Finds the other identifier whose occurrence is arriving with the key of a request; nil where
    /// there is none.
    func arrivingMate(
        of request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> IdentifierWork? {
        let key = try work(of: request, as: identifier)
        guard key !== identifier || key.record.keysIfAny != nil else { return nil }
        let (record, keys) = (key.record, key.record.keys)
        if !keys.arriving.isEmpty, !keys.arriving.isExactly(identifier.name) {
            return try center.identifier(keys.arriving)
        }
        let isOther = key !== identifier
        return isOther && record.arriving != nil && keys.ofArriving.isEmpty ? key : nil
    }

    /// Finds the other identifier whose delivery, in the list or snoozed, a delivery of a request
    /// replaces; nil where there is none.
    func deliveredMate(
        of request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> IdentifierWork? {
        let key = try work(of: request, as: identifier)
        guard key !== identifier || key.record.keysIfAny != nil else { return nil }
        let (record, keys) = (key.record, key.record.keys)
        if !keys.delivered.isEmpty, !keys.delivered.isExactly(identifier.name) {
            return try center.identifier(keys.delivered)
        }
        let isOther = key !== identifier
        let isThere = record.delivered != nil || record.snoozed != nil
        return isOther && isThere && keys.ofDelivered.isEmpty ? key : nil
    }

    /// The identifier that has the key of a request as its name.
    private func work(
        of request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> IdentifierWork {
        let own = request.ownReplacementKey
        return own.isEmpty ? identifier : try center.identifier(own)
    }

    /// Notes the key of an occurrence that is now arriving.
    func noteArriving(
        _ identifier: IdentifierWork,
        of request: RequestHead
    ) throws(StoreFailure) {
        let key = request.ownReplacementKey
        guard !key.isEmpty else { return }
        noteUse()
        identifier.record.keys.ofArriving = key
        try center.identifier(key).record.keys.arriving = identifier.name
    }

    /// Notes the key of a notification that is now in the list, or snoozed.
    func noteDelivered(
        _ identifier: IdentifierWork,
        of request: RequestHead
    ) throws(StoreFailure) {
        let key = request.ownReplacementKey
        guard !key.isEmpty else { return }
        noteUse()
        identifier.record.keys.ofDelivered = key
        try center.identifier(key).record.keys.delivered = identifier.name
    }

    private func noteUse() {
        if !Fault.usedKeysNotNoted.isPlanted { center.state.hasUsedKeys = true }
    }

    /// Forgets the key of an occurrence that is no longer arriving.
    func forgetArriving(_ identifier: IdentifierWork) throws(StoreFailure) {
        guard identifier.record.keysIfAny != nil else { return }
        let key = identifier.record.keys.ofArriving
        guard !key.isEmpty else { return }
        identifier.record.keys.ofArriving = ""
        try center.identifier(key).record.keys.arriving = ""
    }

    /// Forgets the key of a notification that is neither in the list nor snoozed any more.
    func forgetDelivered(_ identifier: IdentifierWork) throws(StoreFailure) {
        guard identifier.record.keysIfAny != nil else { return }
        let key = identifier.record.keys.ofDelivered
        guard !key.isEmpty else { return }
        identifier.record.keys.ofDelivered = ""
        try center.identifier(key).record.keys.delivered = ""
    }
}
