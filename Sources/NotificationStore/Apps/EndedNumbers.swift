internal import BelfryHashing
internal import Faults
internal import NotificationCore
internal import NotificationRecords

// The numbers of events and deliveries of apps that were unregistered (W-12).

extension Batch {
    /// The state of the center of an app that is registered: behind the numbers of an earlier app
    /// of its name.
    func newCenter(_ name: CenterName) throws(StoreFailure) -> CenterState {
        guard let greatest = try greatestEnded(of: name), !Fault.numbersBeginAnew.isPlanted else {
            return CenterState(name: name)
        }
        return CenterState(name: name, behind: greatest)
    }

    /// Notes the numbers of a center whose app is unregistered.
    func noteEnd(of center: CenterState) throws(StoreFailure) {
        let greatest = max(center.greatestNumber, try greatestEnded(of: center.name) ?? 0)
        let row = EndedNumbersRecord(greatest: greatest)
        try transaction.put(row, at: EndedNumbersKey(of: center.name), in: tables.endedNumbers)
    }

    private func greatestEnded(of name: CenterName) throws(StoreFailure) -> UInt64? {
        let row = try reportingDamage { () throws(StoreFailure) in
            try transaction.rowIfAny(EndedNumbersKey(of: name), in: tables.endedNumbers)
        }
        return row??.greatest
    }
}

extension EndedNumbersKey {
    fileprivate init(of name: CenterName) {
        let digest = SHA256.digest(of: name.bytes.span)
        self.init(UInt16(digest[0]) << 8 | UInt16(digest[1]))
    }
}
