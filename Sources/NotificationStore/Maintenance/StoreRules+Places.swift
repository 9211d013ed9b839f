internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on regions, on the reports of sensors, and on the permission for the location.

extension StoreRules {
    /// The region that a pending request waits for, and its device; nil, with a note, where the
    /// request does not wait for one.
    private mutating func watched(
        _ request: RequestNumber
    ) throws(StoreFailure) -> (record: RequestRecord, region: Region, device: String)? {
        guard let record = try record(of: request) else { return nil }
        let key = IdentifierKey(record.request.identifier, of: record.center)
        guard let identifier = try identifier(key) else { return nil }
        guard let pending = identifier.pending, pending.sequence == request,
            pending.due == nil, let region = record.request.trigger?.region
        else {
            found.append("its request does not wait for a region")
            return nil
        }
        let center = try transaction.found(record.center, in: tables.centers).row?.center
        return center.map { (record, region, $0.name.device) }
    }

    /// Whether the rows of a pending request's region exist.
    func isWatched(_ request: RequestNumber) throws(StoreFailure) -> Bool {
        guard let record = try transaction.found(request, in: tables.records).row,
            let center = try transaction.found(record.center, in: tables.centers).row?.center
        else { return true }
        guard let region = record.request.trigger?.region else { return false }
        let (place, device) = (RegionPlace(region.shape), center.name.device)
        let name = RegionNameKey(region.identifier, of: record.center, request)
        let key = RegionKey(request, at: place, on: device)
        guard try transaction.contains(key, in: tables.regions) else { return false }
        return try transaction.contains(name, in: tables.regionNames)
    }

    /// A watched region is that of its request.
    mutating func checkRegion(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let region = try tables.regions.key(key)
        let row = try tables.regions.row(value, at: key)
        guard let request = try watched(region.request) else { return }
        let right = RegionRecord(
            center: request.record.center,
            region: request.region,
            addedAt: request.record.base
        )
        let place = RegionPlace(request.region.shape)
        if row != right || region != RegionKey(region.request, at: place, on: request.device) {
            found.append("is not the region of its request")
        }
    }

    /// A region's identifier is that of its request's region.
    mutating func checkRegionName(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.regionNames.key(key)
        requireEmpty(value)
        guard let request = try watched(name.request) else { return }
        let (center, identifier) = (request.record.center, request.region.identifier)
        if name != RegionNameKey(identifier, of: center, name.request) {
            found.append("is not the region of its request")
        }
    }

    /// The state of a region is that of a watched one, and its change is in the due index.
    mutating func checkRegionState(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.regionStates.key(key)
        let row = try tables.regionStates.row(value, at: key)
        if row.number >= state.nextSequence { found.append("its report is still to come") }
        let region = RegionKey(name.request, at: row.place, on: name.device)
        if try !transaction.contains(region, in: tables.regions) || row.place.sensor != name.sensor
        {
            found.append("is of a region that is not watched")
        }
        guard let instant = row.state.changesAt else {
            if !row.state.isInside { found.append("says nothing") }
            return
        }
        let due = DueKey(instant, regionOf: name.request)
        try require(due, in: tables.dueElapsed, "changes and is not in the due index")
    }

    /// A row of the due index agrees with the region whose state changes.
    mutating func checkRegionDue(
        _ request: RequestNumber,
        _ instant: ElapsedInstant,
        _ value: [UInt8]
    ) throws(StoreFailure) {
        requireEmpty(value)
        guard let watched = try watched(request) else { return }
        let place = RegionPlace(watched.region.shape)
        let key = RegionStateKey(request, of: place.sensor, on: watched.device)
        let row = try transaction.found(key, in: tables.regionStates)
        if row.isMissing || row.row.map({ $0.state.changesAt != instant }) == true {
            found.append("its region does not change so")
        }
    }

    /// A device's newest reports have numbers that were given.
    mutating func checkSensors(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        guard isDevice(key) else { throw tables.sensors.error(.undecodable, key) }
        let row = try tables.sensors.row(value, at: key)
        let numbers = [
            row.location.number, row.beacons.number, row.finished, row.allowedSince?.number ?? 0,
        ]
        if numbers.contains(where: { $0 >= state.nextSequence }) {
            found.append("its report is still to come")
        }
    }

    /// A report that is not handled has a number that was given.
    mutating func checkSensorWork(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let work = try tables.sensorWork.key(key)
        guard isDevice(Array(work.device.utf8)) else {
            throw tables.sensorWork.error(.undecodable, key)
        }
        _ = try tables.sensorWork.row(value, at: key)
        if work.number >= state.nextSequence { found.append("its number is still to be given") }
    }

    /// A command in slices has a number that was given, and says what it does.
    mutating func checkOpenCommand(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let command = try tables.openCommands.key(key)
        let row = try tables.openCommands.row(value, at: key)
        guard OpenCommands.command(row, command) != nil else {
            throw tables.openCommands.error(.undecodable, key)
        }
        if command.number >= state.nextSequence { found.append("its number is still to be given") }
    }

    /// A permission for the location is of an app whose center exists.
    mutating func checkLocationAccess(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        try checkCenterExists(try tables.locationAccess.key(key))
        let row = try tables.locationAccess.row(value, at: key)
        if let since = row.since, since.number >= state.nextSequence {
            found.append("its number is still to be given")
        }
    }
}
