internal import NotificationCore
internal import NotificationRecords

extension IdentifierRecord {
    /// Gives the replacement keys that agree with the rows of the identifiers that they name.
    ///
    /// `read` reads the record of another identifier; nil where its row does not decode.
    ///
    /// - Returns: The keys, without those that do not agree.
    func soundKeys(
        under name: IdentifierKey,
        _ read: (IdentifierKey) throws(StoreFailure) -> IdentifierRecord?
    ) throws(StoreFailure) -> Keys {
        func other(_ text: String) throws(StoreFailure) -> IdentifierRecord {
            try read(IdentifierKey(text, of: name.center)) ?? IdentifierRecord()
        }
        func isOwn(_ text: String) -> Bool { text.isExactly(name.identifier) }
        var sound = keys
        if !keys.ofDelivered.isEmpty {
            let isKnown = isOwn(try other(keys.ofDelivered).keys.delivered)
            if delivered == nil && snoozed == nil || !isKnown { sound.ofDelivered = "" }
        }
        if !keys.ofArriving.isEmpty {
            let isKnown = isOwn(try other(keys.ofArriving).keys.arriving)
            if arriving == nil || !isKnown { sound.ofArriving = "" }
        }
        if !keys.delivered.isEmpty, !isOwn(try other(keys.delivered).keys.ofDelivered) {
            sound.delivered = ""
        }
        if !keys.arriving.isEmpty, !isOwn(try other(keys.arriving).keys.ofArriving) {
            sound.arriving = ""
        }
        return sound
    }
}
