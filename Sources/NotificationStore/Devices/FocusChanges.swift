internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// Tells which Focus is on now; from any thread.
package struct FocusReader: Sendable {
    private let clock: Clock
    private let zones: ZoneDatabase

    init(clock: Clock, zones: ZoneDatabase) {
        self.clock = clock
        self.zones = zones
    }

    /// The Focus that is on; nil where none is, or where its schedule cannot be followed because
    /// the clock is not set.
    package func active(on device: DeviceState) -> ActiveFocus? {
        zones.activeFocus(on: device, at: clock.now().wall)
    }
}

extension Store {
    package var focuses: FocusReader { FocusReader(clock: clock, zones: zones) }
}

extension ZoneDatabase {
    private func rules(on device: DeviceState) -> ZoneRules {
        zone(name("", on: device))?.rules ?? .utc
    }

    fileprivate func activeFocus(on device: DeviceState, at now: WallInstant) -> ActiveFocus? {
        decisive(device, at: now).focus == nil
            ? nil : device.activeFocus(at: now, in: rules(on: device))
    }

    /// The state of a device for decisions at an instant: without a Focus that its schedule has
    /// turned off.
    ///
    /// While the clock is not set, a schedule keeps nothing quiet (DT-4).
    fileprivate func decisive(_ device: DeviceState, at now: WallInstant) -> DeviceState {
        guard device.focus?.schedule.isEmpty == false else { return device }
        guard now.isTime else {
            var device = device
            device.focus = nil
            return device
        }
        return device.decisive(at: now, in: rules(on: device))
    }

    fileprivate func focusChange(on device: DeviceState, after now: WallInstant) -> WallInstant? {
        device.focus?.nextChange(after: max(now, .firstBuild), in: rules(on: device))
    }
}

extension Batch {
    /// The state of a device for decisions of the batch.
    func decisiveDevice(_ name: String) throws(StoreFailure) -> Boxed<DeviceState> {
        let device = try boxedDevice(name)
        guard device.value.focus?.schedule.isEmpty == false else { return device }
        return Boxed(zones.decisive(device.value, at: now.wall))
    }

    /// Writes the state of a device, and when the schedule of its Focus next turns that on or off.
    func putDevice(_ name: String, _ device: DeviceState) throws(StoreFailure) {
        let (key, table) = (NameKey(name), tables.focusChanges)
        let before = try transaction.rowIfAny(key, in: tables.devices)?.focusChange
        let next = zones.focusChange(on: device, after: now.wall)
        if let before, before != next {
            try transaction.deleteExisting(FocusChangeKey(before, key), in: table)
        }
        if let next, before != next {
            try transaction.put(FocusChangeKey(next, key), in: table)
        }
        let row = DeviceRecord(device, focusChange: next)
        try transaction.put(row, at: key, in: tables.devices)
        hasChanged = true
    }

    /// Notes the state of a device for its watchers.
    func tellState(of device: DeviceState, on name: String) {
        tell(.state(device, zones.activeFocus(on: device, at: now.wall)), on: name)
    }

    /// Tells watchers of the Focuses that schedules have turned on or off, and gives how many.
    ///
    /// A result of `limit` means that there may be more.
    func turnFocuses(atMost limit: Int) throws(StoreFailure) -> Int {
        guard now.wall.isTime else { return 0 }
        return try forEachDue(in: tables.focusChanges, until: now.wall, atMost: limit) {
            due throws(StoreFailure) in
            let row = try transaction.rowIfAny(due.rest, in: tables.devices)
            guard let row, row.focusChange == due.instant else {
                throw .disagrees(due, in: tables.focusChanges)
            }
            let device = row.device
            try putDevice(due.rest.name, device)
            tellState(of: device, on: due.rest.name)
            return 0
        }
    }

    /// Computes again when the schedules of devices turn a Focus on or off, since the clock was set
    /// back or zones have other rules.
    ///
    /// - Returns: How many devices it read, and the rest; nil at the end.
    func recalculateFocuses(
        _ recalculation: Recalculation,
        atMost limit: Int
    ) throws(StoreFailure) -> (count: Int, rest: Recalculation?) {
        var keys: [[UInt8]] = []
        let raw = tables.focusChanges.raw
        try transaction.scan(bytesOf: raw, from: recalculation.position) { key, _ in
            keys.append(key)
            return keys.count <= limit
        }
        var rest: Recalculation?
        if keys.count > limit, let next = keys.popLast() {
            rest = recalculation
            rest?.position = next
        }
        for bytes in keys {
            guard let key = try? FocusChangeKey(bytes) else {
                pass(bytes, in: .focusChanges)
                continue
            }
            guard begin(bytes, in: .focusChanges) else { continue }
            let device = try device(key.rest.name)
            try putDevice(key.rest.name, device)
            tellState(of: device, on: key.rest.name)
            endWork()
        }
        return (keys.count, rest)
    }
}
