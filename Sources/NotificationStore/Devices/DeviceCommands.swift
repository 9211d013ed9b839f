internal import BelfryLMDB
internal import Faults
package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Reads the state of a device; a device that was never changed has the default state.
    ///
    /// A point read: it runs on the calling thread.
    ///
    /// - Parameter device: The device's identifier, as in ``CenterName/device``.
    /// - Returns: The device's state.
    /// - Throws: That the store failed.
    package func deviceState(of device: String) throws(Refusal) -> DeviceState {
        try damage.orRefuse {
            try environment.reading { transaction throws(StoreFailure) in
                try transaction.device(device, tables)
            }
        }
    }

    /// Changes the state of a device (W-20, `UpdateDeviceState`).
    ///
    /// `device` is the device's identifier, as in ``CenterName/device``. `change` changes the state
    /// as it is in the command's batch; it is called on the writer thread, and must neither block
    /// nor depend on anything but the state. `completion` is told the whole new state, once it is
    /// durable. A state that is not valid is refused with paths relative to it, and nothing
    /// changes.
    package func updateDeviceState(
        of device: String,
        once key: OnceKey? = nil,
        _ change: @escaping @Sendable (inout DeviceState) -> Void,
        completion: @escaping Completion<DeviceState>
    ) {
        submit(UpdateDeviceCommand(device: device, change: change), once: key, completion)
    }
}

struct UpdateDeviceCommand: Command {
    let device: String
    let change: @Sendable (inout DeviceState) -> Void
    /// Dates up to this instant fire before the command goes on: by the old state until the change,
    /// by the new state until the reply.
    var firesUntil: WallInstant?
    /// The new state, kept until the dates that it moves are computed again.
    var changed: DeviceState?
    /// The number of the work that the display leads to, where that takes more than one batch.
    var display: UInt64?

    var growth: Growth { .asked }

    /// The change may unlock the device: acts that waited for the unlock are done in the same
    /// batch.
    var cost: Int { 64 }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<DeviceState> {
        if let changed {
            if let display {
                let queue = SensorQueue(batch: batch, device: device)
                guard case .done = try queue.goOn(with: display) else { return .more(.kept) }
                self.display = nil
            }
            return try isWaiting(batch) ? .awaitsDueWork(.kept) : .done(.success(changed))
        }
        let before = try batch.device(device)
        var state = before
        change(&state)
        try StoreFailure.ofRefusal { () throws(Refusal) in
            try state.validate()
            let zone = state.timeZone.isEmpty ? "UTC" : state.timeZone
            if try batch.zones.find(zone) == nil {
                throw .invalid(
                    [.timeZone],
                    "is no zone of the server's zone database",
                    reason: .timeZoneInvalid
                )
            }
        }
        guard state != before else { return .done(.success(state)) }
        try StoreFailure.refuse(batch.refusal(ofDevice: device, state))
        let movesDates = state.timeZone != before.timeZone || state.summary != before.summary
        if movesDates, !Fault.dueDatesMoved.isPlanted, try isWaiting(batch) {
            return .awaitsDueWork(nil)
        }
        try batch.setDevice(device, to: state)
        if before.isLocked && !state.isLocked {
            try UnlockWaits(batch: batch, device: device).release()
        }
        try batch.locationPermissionChanged(
            from: before.locationPermission,
            to: state.locationPermission,
            on: device
        )
        if !before.isDisplayOn && state.isDisplayOn {
            let begun = try SensorQueue(batch: batch, device: device).begin(.display)
            if begun.firedCount == nil { display = begun.number }
        }
        if !before.isLocked && state.isLocked { batch.presentationWork.closeAll(on: device) }
        if state.summary != before.summary {
            try batch.summaryChanged(on: device)
            batch.recalculate(.summary(device))
        }
        if state.timeZone != before.timeZone {
            batch.recalculate(Fault.zoneMovesAll.isPlanted ? .all : .device(device))
        }
        let isWaiting = movesDates && batch.isRecalculating
        guard isWaiting || display != nil else { return .done(.success(state)) }
        // The caller is answered only when all dates are those of the new state, and have fired if
        // they have passed.
        changed = state
        firesUntil = batch.now.wall
        return display == nil ? .awaitsDueWork(.kept) : .more(.kept)
    }

    /// Whether dates are still to be computed again, or were due by the last step and are still to
    /// fire.
    ///
    /// Requests that are due when the command begins fire by the old state (CAL-8). Requests that
    /// become due later do not delay the command.
    private mutating func isWaiting(_ batch: Batch) throws(StoreFailure) -> Bool {
        let until = firesUntil ?? batch.now.wall
        firesUntil = until
        guard !batch.isRecalculating else { return true }
        return try batch.hasDates(dueBy: until)
    }

    func writeProgress(to writer: inout ByteWriter) {
        writer.put(display) { $0.put($1) }
        changed.write(to: &writer)
    }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        display = try reader.optional { reader throws(RowProblem) in try reader.number() }
        changed = try reader.value()
    }
}

extension Batch {
    /// Why a device may not have a state now; nil where it may.
    ///
    /// A device that is known may always be locked and unlocked: its state is of a limited size.
    fileprivate func refusal(
        ofDevice name: String,
        _ state: DeviceState
    ) throws(StoreFailure) -> Refusal? {
        guard try !transaction.contains(NameKey(name), in: tables.devices) else { return nil }
        let byteCount = DeviceRecord(state, focusChange: nil).bytes.count
        return try refusal(ofKeeping: byteCount, of: .device(name))
    }
}
