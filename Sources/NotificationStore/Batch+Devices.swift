internal import LMDB
internal import NotificationCore

// What devices are doing decides how notifications show. A batch reads each device once.

extension Batch {
    /// What a device is doing, from the batch where it was read already.
    func device(
        _ name: String,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> DeviceState {
        if let known = devices[name] { return known }
        let device = try transaction.device(name, tables)
        devices[name] = device
        return device
    }

    /// What a center's device is doing.
    func device(
        of center: NotificationCenter,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> DeviceState {
        try device(center.name.device, in: transaction)
    }

    /// Writes what a device is doing from now on.
    func setDevice(
        _ name: String,
        to device: DeviceState,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
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
