internal import BelfryHashing
internal import NotificationCore
internal import NotificationRecords

// The numbers of events and deliveries of apps that were unregistered. No number comes twice under
// a center's name (W-12): a reference or a bookmark of an earlier app must mean nothing in a later
// one.

extension Batch {
    /// The state of the center of an app that is registered: behind the numbers of an earlier app
    /// of its name, so that whoever resumes behind that one's last event is told that events are
    /// missing.
    func newCenter(_ name: CenterName) throws(StoreFailure) -> CenterState {
        var center = CenterState(name: name)
        let key = EndedNumbersKey(of: name)
        let found = try reportingDamage { () throws(StoreFailure) in
            try transaction.rowIfAny(key, in: tables.endedNumbers)
        }
        guard let greatest = found??.greatest else { return center }
        center.lastEvent = EventNumber(rawValue: greatest + 1)
        center.firstEvent = center.lastEvent.next
        center.lastDelivery = DeliveryNumber(rawValue: greatest + 1)
        return center
    }

    /// Notes the numbers of a center whose app is unregistered.
    func noteEnd(of center: CenterState) throws(StoreFailure) {
        let key = EndedNumbersKey(of: center.name)
        let found = try reportingDamage { () throws(StoreFailure) in
            try transaction.rowIfAny(key, in: tables.endedNumbers)
        }
        let own = max(center.lastEvent.rawValue, center.lastDelivery.rawValue)
        let row = EndedNumbersRow(greatest: max(own, found??.greatest ?? 0))
        try transaction.put(row, at: key, in: tables.endedNumbers)
    }
}

extension EndedNumbersKey {
    fileprivate init(of name: CenterName) {
        let digest = SHA256.digest(of: name.bytes.span)
        self.init(UInt16(digest[0]) << 8 | UInt16(digest[1]))
    }
}
