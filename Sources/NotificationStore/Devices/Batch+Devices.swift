internal import BelfryLMDB
internal import NotificationCore

// What devices are doing decides how notifications show. A batch reads each device once.

extension Batch {
    /// What a device is doing, from the batch where it was read already.
    func device(_ name: String) throws(LMDBError) -> DeviceState {
        if let known = devices[name] { return known }
        let device = try transaction.device(name, tables)
        devices[name] = device
        return device
    }

    /// Writes what a device is doing from now on.
    func setDevice(_ name: String, to device: DeviceState) throws(LMDBError) {
        try transaction.put(
            DeviceRecord.bytes(of: device),
            forKey: Key.device(name),
            in: tables.devices
        )
        devices[name] = device
        hasChanged = true
        tell(.state(device), on: name)
    }
}
