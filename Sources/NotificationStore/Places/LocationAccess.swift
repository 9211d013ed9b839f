internal import NotificationCore
internal import NotificationRecords

/// Whether an app may know the location, by its own permission and its device's (LOC-5).
struct LocationAccess {
    /// Whether its location triggers may be added and fire.
    var isAllowed: Bool
    /// When it was last allowed, after it was not: older states of its regions do not count.
    var since: WatchStart?
}

extension Batch {
    /// The access of an app to the location of its device.
    func locationAccess(
        of center: CenterNumber,
        on device: String
    ) throws(StoreFailure) -> LocationAccess {
        let own = try transaction.rowIfAny(center, in: tables.locationAccess)
        let permission = own?.permission ?? .notDetermined
        let isAllowed = permission.effective(on: try self.device(device).locationPermission)
            .allowsTriggers
        guard permission == .notDetermined, let shared = try sensors(of: device).allowedSince
        else { return LocationAccess(isAllowed: isAllowed, since: own?.since) }
        return LocationAccess(isAllowed: isAllowed, since: .latest(shared, own?.since))
    }

    /// The newest reports of a device's sensors.
    func sensors(of device: String) throws(StoreFailure) -> SensorsRecord {
        try transaction.rowIfAny(NameKey(device), in: tables.sensors) ?? SensorsRecord()
    }

    /// Writes the newest reports of a device's sensors.
    func setSensors(_ sensors: SensorsRecord, of device: String) throws(StoreFailure) {
        try transaction.put(sensors, at: NameKey(device), in: tables.sensors)
        hasChanged = true
    }

    /// A new number and the present instant, from which regions count as watched.
    func watchStart() -> WatchStart {
        WatchStart(number: state.takeNumber(), instant: now.elapsed)
    }

    /// Notes that a device's own permission for the location changed.
    func locationPermissionChanged(
        from before: LocationPermission,
        to after: LocationPermission,
        on device: String
    ) throws(StoreFailure) {
        guard !before.allowsTriggers, after.allowsTriggers else { return }
        var sensors = try sensors(of: device)
        sensors.allowedSince = watchStart()
        try setSensors(sensors, of: device)
    }
}

extension CenterWork {
    /// The regions that the center's requests wait for.
    var regions: Regions { Regions(center: self) }

    /// The app's access to the location, by both permissions.
    func locationAccess() throws(StoreFailure) -> LocationAccess {
        try batch.locationAccess(of: number, on: name.device)
    }

    /// Changes the app's own permission for the location (LOC-5).
    ///
    /// While the app may not know the location, its regions keep their rows and are passed over;
    /// once it may again, their states are unknown.
    func setLocationPermission(_ permission: LocationPermission) throws(StoreFailure) {
        let table = batch.tables.locationAccess
        var record =
            try batch.transaction.rowIfAny(number, in: table) ?? LocationAccessRecord()
        guard record.permission != permission else { return }
        let wasAllowed = try locationAccess().isAllowed
        record.permission = permission
        let device = try device().locationPermission
        if !wasAllowed && permission.effective(on: device).allowsTriggers {
            record.since = batch.watchStart()
        }
        try batch.transaction.put(record, at: number, in: table)
        batch.hasChanged = true
        tell(.app(name))
    }
}
