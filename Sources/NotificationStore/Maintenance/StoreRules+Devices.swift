internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on devices and on acts that wait for an unlock.

extension StoreRules {
    /// A device has a valid name and a valid state, and is in the index by which its Focus is
    /// turned on and off.
    mutating func checkDevice(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        guard isDevice(key) else { throw tables.devices.error(.undecodable, key) }
        let row = try tables.devices.row(value, at: key)
        let device = row.device
        if let change = row.focusChange {
            let place = FocusChangeKey(change, NameKey(String(decoding: key, as: UTF8.self)))
            try require(place, in: tables.focusChanges, "its Focus is not turned on or off")
        }
        if (try? device.validate()) == nil { found.append("is in a state that no device has") }
    }

    /// A row of the index of Focuses to turn agrees with its device.
    mutating func checkFocusChange(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let change = try tables.focusChanges.key(key)
        _ = try tables.focusChanges.row(value, at: key)
        let row = try look(at: change.rest, in: tables.devices, orElse: "its device is gone")
        if let row, row.focusChange != change.instant {
            found.append("its device's Focus changes at another instant")
        }
    }

    /// A waiting act has a number that was given; its notification may no longer exist, and the act
    /// is then dropped.
    mutating func checkUnlockWait(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let act = try tables.unlockWaits.key(key)
        guard isDevice(Array(act.device.utf8)) else {
            throw tables.unlockWaits.error(.undecodable, key)
        }
        if act.number >= state.nextSequence { found.append("its number is still to be given") }
        let wait = try tables.unlockWaits.row(value, at: key)
        if wait.center >= state.nextCenter {
            found.append("is of center \(wait.center), which is not there")
        }
    }

    func isDevice(_ name: [UInt8]) -> Bool {
        guard !name.isEmpty else { return false }
        return (try? CenterName(app: "a", device: String(decoding: name, as: UTF8.self))) != nil
    }
}
