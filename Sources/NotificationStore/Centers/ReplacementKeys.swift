internal import NotificationCore
internal import NotificationRecords

/// What the replacement keys of a center's notifications name (ADD-12).
///
/// A key is a name among the identifiers: the identifier with that name knows the one delivery and
/// the one arriving occurrence of other identifiers that have it as their key. So a request without
/// a key of its own reads no further row.
struct ReplacementKeys {
    let center: CenterWork

    /// The notifications of other identifiers that have the key of a request.
    struct Mates {
        var arriving: IdentifierWork?
        var delivered: IdentifierWork?
    }

    /// Finds what a delivery of a request replaces besides the notification of its own identifier.
    func mates(
        of request: NotificationRequest,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> Mates {
        let own = request.ownReplacementKey
        let key = own.isEmpty ? identifier : try center.identifier(own)
        let (record, keys) = (key.record, key.record.keys)
        var mates = Mates()
        if !own.isEmpty {
            if record.arriving != nil, keys.ofArriving.isEmpty { mates.arriving = key }
            if record.delivered != nil, keys.ofDelivered.isEmpty { mates.delivered = key }
        }
        if !keys.arriving.isEmpty, !keys.arriving.isExactly(identifier.name) {
            mates.arriving = try center.identifier(keys.arriving)
        }
        if !keys.delivered.isEmpty, !keys.delivered.isExactly(identifier.name) {
            mates.delivered = try center.identifier(keys.delivered)
        }
        return mates
    }

    /// Notes the key of an occurrence that is now arriving.
    func noteArriving(
        _ identifier: IdentifierWork,
        of request: NotificationRequest
    ) throws(StoreFailure) {
        let key = request.ownReplacementKey
        guard !key.isEmpty else { return }
        identifier.record.keys.ofArriving = key
        try center.identifier(key).record.keys.arriving = identifier.name
    }

    /// Notes the key of a notification that is now in the list.
    func noteDelivered(
        _ identifier: IdentifierWork,
        of request: NotificationRequest
    ) throws(StoreFailure) {
        let key = request.ownReplacementKey
        guard !key.isEmpty else { return }
        identifier.record.keys.ofDelivered = key
        try center.identifier(key).record.keys.delivered = identifier.name
    }

    /// Forgets the key of an occurrence that is no longer arriving.
    func forgetArriving(_ identifier: IdentifierWork) throws(StoreFailure) {
        let key = identifier.record.keys.ofArriving
        guard !key.isEmpty else { return }
        identifier.record.keys.ofArriving = ""
        try center.identifier(key).record.keys.arriving = ""
    }

    /// Forgets the key of a notification that leaves the list.
    func forgetDelivered(_ identifier: IdentifierWork) throws(StoreFailure) {
        let key = identifier.record.keys.ofDelivered
        guard !key.isEmpty else { return }
        identifier.record.keys.ofDelivered = ""
        try center.identifier(key).record.keys.delivered = ""
    }
}
