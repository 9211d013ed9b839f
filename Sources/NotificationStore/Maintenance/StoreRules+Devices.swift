internal import BelfryLMDB
internal import NotificationCore

// What devices are doing, and what waits for them.

extension StoreRules {
    /// A device has a name, and a state that a device may have.
    mutating func checkDevice(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        guard isDevice(key) else { throw ByteReader.corrupted }
        let device = try DeviceRecord.device(value)
        if (try? device.validate()) == nil { found.append("is in a state that no device has") }
    }

    /// An action that waits is numbered; its notification may be gone, and then it is dropped.
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
