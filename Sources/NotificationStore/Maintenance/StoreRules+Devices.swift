internal import BelfryLMDB
internal import NotificationCore

// The rules on devices and on acts that wait for an unlock.

extension StoreRules {
    /// A device has a valid name and a valid state.
    mutating func checkDevice(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        guard isDevice(key) else { throw ByteReader.corrupted }
        let device = try DeviceRecord.device(value)
        if (try? device.validate()) == nil { found.append("is in a state that no device has") }
    }

    /// A waiting act has a number that was given; its notification may no longer exist, and the act
    /// is then dropped.
    mutating func checkUnlockWait(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        guard key.count > 9, key[key.count - 9] == 0, isDevice(Array(key.dropLast(9))) else {
            throw ByteReader.corrupted
        }
        let number = try Self.numbers(Array(key.suffix(8)), 8)[0]
        if number >= state.nextSequence { found.append("its number is still to be given") }
        let wait = try UnlockWaitRecord(value)
        if wait.center >= state.nextCenter {
            found.append("is of center \(wait.center), which is not there")
        }
    }

    private func isDevice(_ name: [UInt8]) -> Bool {
        guard !name.isEmpty else { return false }
        return (try? CenterName(app: "a", device: String(decoding: name, as: UTF8.self))) != nil
    }
}
