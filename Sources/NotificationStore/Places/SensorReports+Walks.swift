internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

// The walks through the regions of a device, and the effect of a report on one region.

extension SensorReports {
    /// Goes on with the regions that have a state; true at their end.
    mutating func walkStates(
        of sensor: RegionSensor,
        _ work: inout SensorWorkRecord,
        _ step: @escaping Step
    ) throws(StoreFailure) -> Bool {
        while budget > 0 {
            let next = try nextStates(of: sensor, &work)
            for (key, stored) in next.states {
                // Skip states that this report stored in an earlier slice.
                guard stored.number < work.number ?? 0, let region = try region(key, stored)
                else { continue }
                try change(key, region, stored, &work) { step(region.region, $0) }
            }
            if next.isEnd { return true }
        }
        return false
    }

    /// How many rows may be read where each of them may fire.
    private var readable: Int { max(1, budget / Self.rowsPerFiring) }

    /// The next states of a sensor's regions, as many as may be read, and whether these are the
    /// last.
    mutating func nextStates(
        of sensor: RegionSensor,
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> (states: [(RegionStateKey, RegionStateRecord)], isEnd: Bool) {
        let table = batch.tables.regionStates
        let prefix = KeyPrefix<RegionStateKey>.sensor(sensor, on: device).bytes
        let start = work.position.isEmpty ? nil : keyBehind(work.position)
        var states: [(RegionStateKey, RegionStateRecord)] = []
        let limit = readable
        var (rows, position) = (limit, work.position)
        try batch.transaction.scan(bytesOf: table.raw, prefix, from: start) { bytes, value in
            guard rows > 0 else { return false }
            rows -= 1
            position = bytes
            guard !batch.damage.setAside.contains(bytes, in: table.name) else { return true }
            if let key = try? RegionStateKey(bytes), let row = try? RegionStateRecord(value) {
                states.append((key, row))
            } else {
                batch.pass(bytes, in: table.name)
            }
            return true
        }
        budget -= limit - rows
        work.position = position
        return (states, rows > 0)
    }

    /// The region of a state.
    func region(
        _ key: RegionStateKey,
        _ stored: RegionStateRecord
    ) throws(StoreFailure) -> RegionRecord? {
        let key = RegionKey(key.request, at: stored.place, on: device)
        guard !batch.damage.setAside.contains(key.bytes, in: .regions) else { return nil }
        // Skip a row that is gone or damaged: the check of a store reports it.
        return try batch.transaction.found(key, in: batch.tables.regions).row
    }

    /// Goes on with the regions between two keys that a report concerns; true at their end.
    ///
    /// `concerns` says what the report does to a region by its state; nil where it does nothing.
    ///
    /// - Returns: Whether all were walked.
    mutating func walkRegions(
        _ prefix: [UInt8],
        from start: [UInt8],
        upTo end: [UInt8],
        _ work: inout SensorWorkRecord,
        _ concerns: (Region) -> ((RegionState?) -> RegionStep?)?
    ) throws(StoreFailure) -> Bool {
        var start = start
        while budget > 0 {
            // Charge for the look, since cells without regions cost one, too.
            budget -= 1
            if try walkSlice(prefix, from: start, upTo: end, &work, concerns) { return true }
            start = keyBehind(Array(work.position.dropFirst()))
        }
        return false
    }

    /// Goes on with as many of the regions as may be read; true at their end.
    private mutating func walkSlice(
        _ prefix: [UInt8],
        from start: [UInt8],
        upTo end: [UInt8],
        _ work: inout SensorWorkRecord,
        _ concerns: (Region) -> ((RegionState?) -> RegionStep?)?
    ) throws(StoreFailure) -> Bool {
        let table = batch.tables.regions
        var found: [(RegionKey, RegionRecord, (RegionState?) -> RegionStep?)] = []
        let limit = readable
        var (rows, position) = (limit, work.position)
        try batch.transaction.scan(bytesOf: table.raw, prefix, from: start) { bytes, value in
            guard bytes.lexicographicallyPrecedes(end), rows > 0 else { return false }
            rows -= 1
            position = [0] + bytes
            guard !batch.damage.setAside.contains(bytes, in: table.name) else { return true }
            guard let key = try? RegionKey(bytes), let row = try? RegionRecord(value) else {
                batch.pass(bytes, in: table.name)
                return true
            }
            if let step = concerns(row.region) { found.append((key, row, step)) }
            return true
        }
        budget -= limit - rows
        work.position = position
        for (key, region, step) in found {
            let stateKey = RegionStateKey(key.request, of: key.place.sensor, on: device)
            let stored = try RegionStates(batch: batch).state(stateKey)
            // Skip a circle with a state: the walk of the states has handled it.
            if stored != nil, key.place.sensor == .location { continue }
            try change(stateKey, region, stored, &work, step)
        }
        return rows > 0
    }

    // MARK: One region

    /// Changes the state of a region as a report says, and fires its request where its border was
    /// crossed.
    private mutating func change(
        _ key: RegionStateKey,
        _ region: RegionRecord,
        _ stored: RegionStateRecord?,
        _ work: inout SensorWorkRecord,
        _ step: (RegionState?) -> RegionStep?
    ) throws(StoreFailure) {
        // Skip regions that were added after this report.
        guard let number = work.number, key.request.rawValue < number,
            batch.begin(center: region.center)
        else { return }
        defer { batch.endWork() }
        let states = RegionStates(batch: batch)
        guard let since = try watchStart(of: key.request, region) else {
            // Forget the state: the app may no longer know where the device is.
            return try states.replace(stored, with: nil, at: key)
        }
        let known = stored.flatMap { $0.number > since.number ? $0.state : nil }
        let before =
            known
            ?? .unstored(
                since: since,
                lastReport: work.previous,
                at: batch.now.elapsed,
                isBeacon: key.sensor == .beacons
            )
        guard let after = step(before) else { return }
        let isSame = known == after.state
        let place = RegionPlace(region.region.shape)
        let record = RegionStateRecord(after.state, number: number, place: place)
        try states.replace(stored, with: isSame ? stored : record, at: key)
        for crossing in after.crossings where region.region.notifies(on: crossing) {
            guard try fire(key.request, region.center, &work) else { return }
        }
    }

    /// When a request's region began to be watched; nil where the app may not know the location.
    func watchStart(
        of request: RequestNumber,
        _ region: RegionRecord
    ) throws(StoreFailure) -> WatchStart? {
        let access = try batch.locationAccess(of: region.center, on: device)
        guard access.isAllowed || Fault.withdrawnPermissionFires.isPlanted else { return nil }
        let added = WatchStart(number: request.rawValue, instant: region.addedAt)
        return .latest(added, access.since)
    }

    /// Fires a request, and tells whether it goes on waiting for its region.
    @discardableResult
    mutating func fire(
        _ request: RequestNumber,
        _ center: CenterNumber,
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> Bool {
        work.firedCount += 1
        budget -= Self.rowsPerFiring
        let record = try batch.head(of: request)
        return try batch.center(center).occurrences.fire(request, record)
    }
}
