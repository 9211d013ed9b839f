internal import LMDB
public import NotificationCore

extension Store {
    /// What a device is doing; one that was never named has the defaults.
    ///
    /// A point read: it runs on the calling thread.
    ///
    /// - Parameter device: The device's identifier, as in ``CenterName/device``.
    /// - Returns: Its state.
    /// - Throws: That the store failed.
    public func deviceState(of device: String) throws(Refusal) -> DeviceState {
        do {
            return try environment.read { transaction throws(LMDBError) in
                try transaction.device(device, tables)
            }
        } catch {
            throw .storeFailed
        }
    }

    /// Changes what a device is doing (api.md 4, `UpdateDeviceState`).
    ///
    /// - Parameters:
    ///   - device: The device's identifier, as in ``CenterName/device``.
    ///   - key: Makes a retry act once.
    ///   - change: Changes the state as it is in the command's batch; it is called on the writer
    ///     thread, and must neither block nor depend on anything but the state.
    ///   - completion: Told the whole new state, once it is durable. A state that is not valid is
    ///     refused with paths relative to it, and nothing changes.
    public func updateDeviceState(
        of device: String,
        once key: IdempotencyKey? = nil,
        _ change: @escaping @Sendable (inout DeviceState) -> Void,
        completion: @escaping Completion<DeviceState>
    ) {
        submit(UpdateDeviceCommand(device: device, change: change), once: key, completion)
    }
}

struct UpdateDeviceCommand: Command {
    let device: String
    let change: @Sendable (inout DeviceState) -> Void
    /// The new state, until the dates that it moves are computed again.
    private var changed: DeviceState?

    init(device: String, change: @escaping @Sendable (inout DeviceState) -> Void) {
        self.device = device
        self.change = change
    }

    /// It may unlock: what waited for that is done in the same batch.
    var cost: Int { 64 }

    mutating func apply(
        to batch: Batch,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Step<DeviceState> {
        if let changed {
            return batch.state.recalculation == nil ? .done(.success(changed)) : .more
        }
        let before = try batch.device(device, in: transaction)
        var state = before
        change(&state)
        do throws(Refusal) {
            try state.validate()
            if !state.timeZone.isEmpty && batch.zones.zone(state.timeZone) == nil {
                throw .invalid(
                    "time_zone",
                    "is no zone of the server's zone database",
                    reason: "TIME_ZONE_INVALID"
                )
            }
        } catch {
            return .done(.failure(error))
        }
        guard state != before else { return .done(.success(state)) }
        try batch.setDevice(device, to: state, in: transaction)
        if before.isLocked && !state.isLocked {
            try batch.releaseUnlockWaits(of: device, in: transaction)
        }
        if state.timeZone != before.timeZone { batch.recalculateAll() }
        if state.summary != before.summary {
            try batch.summaryChanged(on: device, in: transaction)
        }
        // Who is answered finds each date where the new state has it.
        guard batch.state.recalculation != nil else { return .done(.success(state)) }
        changed = state
        return .more
    }

    func writeProgress(to writer: inout ByteWriter) {
        writer.put(changed) { $1.write(to: &$0) }
    }

    mutating func resume(_ reader: inout ByteReader) throws(LMDBError) {
        changed = try reader.optional { reader throws(LMDBError) in try DeviceState(&reader) }
    }
}
