internal import NotificationCore
internal import NotificationRecords

// The rules on devices and on acts that wait for an unlock.

extension StoreRules {
    /// A device has a valid name and a valid state.
    mutating func checkDevice(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        guard isDevice(key) else { throw tables.devices.error(.undecodable, key) }
        let device = try tables.devices.row(value, at: key).device
        if (try? device.validate()) == nil { found.append("is in a state that no device has") }
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

    private func isDevice(_ name: [UInt8]) -> Bool {
        guard !name.isEmpty else { return false }
        return (try? CenterName(app: "a", device: String(decoding: name, as: UTF8.self))) != nil
    }
}
