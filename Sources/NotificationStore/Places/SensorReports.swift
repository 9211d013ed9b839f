internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// Handles the reports of a device's sensors: finds the regions that a report is about, and lets
/// the core decide what it does to each of them.
///
/// A report is handled row by row, in slices; what is left of it is a ``SensorWorkRecord``.
struct SensorReports {
    let batch: Batch
    let device: String
    /// How many rows may still be read.
    private var budget: Int
    private var sensors: SensorsRecord

    init(_ batch: Batch, of device: String, atMost limit: Int) throws(StoreFailure) {
        self.batch = batch
        self.device = device
        budget = limit
        sensors = try batch.sensors(of: device)
    }

    /// Goes on with a report; true at its end.
    mutating func go(on work: inout SensorWorkRecord) throws(StoreFailure) -> Bool {
        let isDone =
            switch work.task {
            case .fixes: try goOnWithFixes(&work)
            case .sightings: try goOnWithSightings(&work)
            case .display: try turnOn(&work)
            }
        if try sensors != batch.sensors(of: device) { try batch.setSensors(sensors, of: device) }
        return isDone
    }

    /// Notes that a report was handled to its end.
    mutating func finish(_ number: UInt64, firedCount: UInt64) throws(StoreFailure) {
        sensors.finished = number
        sensors.firedCount = firedCount
        try batch.setSensors(sensors, of: device)
    }

    // MARK: Fixes

    private mutating func goOnWithFixes(
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> Bool {
        guard case .fixes(let fixes) = work.task else { return true }
        var rest = fixes[...]
        defer { work.task = .fixes(Array(rest)) }
        while let fix = rest.first {
            guard budget > 0 else { return false }
            budget -= 1
            let time = ReportTime.instant(fix.time, at: batch.now.wall)
            if work.number == nil {
                let last = sensors.location.time
                guard ReportTime.isNews(time, after: last, at: batch.now.wall) else {
                    rest.removeFirst()
                    continue
                }
                begin(&work, \.location, at: time)
            }
            guard try handle(fix, at: batch.elapsed(at: time), &work) else { return false }
            rest.removeFirst()
            work.number = nil
            work.position = []
        }
        return true
    }

    /// Gives a report its number.
    private mutating func begin(
        _ work: inout SensorWorkRecord,
        _ sensor: WritableKeyPath<SensorsRecord, SensorsRecord.Report>,
        at time: WallInstant
    ) {
        let number = batch.state.takeNumber()
        work.number = number
        work.previous = sensors[keyPath: sensor].number
        sensors[keyPath: sensor].number = number
        sensors[keyPath: sensor].time = time
    }

    /// Goes on with a fix; true at its end.
    ///
    /// The regions that the device was inside of come first, then those around it.
    private mutating func handle(
        _ fix: LocationFix,
        at instant: ElapsedInstant,
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> Bool {
        let suppressesJitter = batch.limits.suppressesJitter
        let step = { (region: Region, state: RegionState?) -> RegionStep? in
            guard case .circle(let circle) = region.shape else { return nil }
            return circle.step(
                to: fix,
                from: state,
                at: instant,
                suppressesJitter: suppressesJitter
            )
        }
        // The position is a key of the one table, or behind this byte a key of the other.
        if work.position.first != 0 {
            guard try walkStates(of: .location, &work, step) else { return false }
            work.position = [0]
        }
        var level = RegionGrid.levels.lowerBound
        while let used = try nextLevel(from: level) {
            for cells in RegionGrid.cells(around: fix.place, used) {
                guard try walk(cells, fix, &work, step) else { return false }
            }
            guard used < RegionGrid.levels.upperBound else { break }
            level = used + 1
        }
        return true
    }

    /// The first level from `level` on in which the device has circles.
    private func nextLevel(from level: UInt8) throws(StoreFailure) -> UInt8? {
        let prefix = Array(device.utf8) + [0]
        let first = try batch.transaction.keys(
            bytesOf: batch.tables.regions.raw,
            prefix,
            from: prefix + [level],
            atMost: 1
        ).first
        guard let first, first.count > prefix.count else { return nil }
        let found = first[prefix.count]
        return RegionGrid.levels.contains(found) ? found : nil
    }

    /// What a report does to a region; nil where the region is none of its sensor's.
    private typealias Step = (Region, RegionState?) -> RegionStep?

    /// Goes on with the circles of some cells; true at their end.
    private mutating func walk(
        _ cells: RegionCells,
        _ fix: LocationFix,
        _ work: inout SensorWorkRecord,
        _ step: @escaping Step
    ) throws(StoreFailure) -> Bool {
        func key(_ column: UInt32) -> [UInt8] {
            var writer = ByteWriter(capacity: 4)
            writer.put(column)
            return prefix + writer.bytes
        }
        let prefix = KeyPrefix<RegionKey>.band(cells, on: device).bytes
        let position = Array(work.position.dropFirst())
        var start = key(cells.columns.lowerBound)
        // Cells of a level are walked in the order of their keys, so that these were walked before.
        let end = key(cells.columns.upperBound) + [UInt8](repeating: .max, count: 9)
        guard position.isEmpty || position.lexicographicallyPrecedes(end) else { return true }
        if start.lexicographicallyPrecedes(position) { start = keyBehind(position) }
        return try walkRegions(prefix, from: start, upTo: end, &work) { region in
            // Of a circle that does not contain the place nothing can change here: it was either
            // walked among the states, or the device is outside.
            guard case .circle(let circle) = region.shape, circle.contains(fix.place) else {
                return nil
            }
            return { step(region, $0) }
        }
    }

    // MARK: Sightings

    private mutating func goOnWithSightings(
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> Bool {
        guard case .sightings(let sightings) = work.task else { return true }
        var rest = sightings[...]
        defer { work.task = .sightings(Array(rest)) }
        if work.number == nil {
            // A report without sightings tells that no beacon is seen.
            let newest = ReportTime.instant(sightings.last?.time, at: batch.now.wall)
            let last = sensors.beacons.time
            rest = rest.drop {
                let time = ReportTime.instant($0.time, at: batch.now.wall)
                return !ReportTime.isNews(time, after: last, at: batch.now.wall)
            }
            guard !rest.isEmpty || sightings.isEmpty else { return true }
            begin(&work, \.beacons, at: newest)
        }
        while let sighting = rest.first {
            guard budget > 0 else { return false }
            budget -= 1
            let time = ReportTime.instant(sighting.time, at: batch.now.wall)
            guard try handle(sighting, at: batch.elapsed(at: time), &work) else { return false }
            rest.removeFirst()
            work.position = []
        }
        return true
    }

    /// Goes on with a sighting; true at its end.
    private mutating func handle(
        _ sighting: BeaconSighting,
        at instant: ElapsedInstant,
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> Bool {
        let prefix = KeyPrefix<RegionKey>.family(sighting.uuid, on: device).bytes
        let start = work.position.isEmpty ? prefix : keyBehind(Array(work.position.dropFirst()))
        let end = prefix + [UInt8](repeating: .max, count: 9)
        return try walkRegions(prefix, from: start, upTo: end, &work) { region in
            guard case .beacon(let beacon) = region.shape, beacon.includes(sighting) else {
                return nil
            }
            return { BeaconRegion.step(from: $0, at: instant) }
        }
    }

    // MARK: The display

    /// Goes on with the beacons that the device is inside of, since its display was turned on.
    private mutating func turnOn(_ work: inout SensorWorkRecord) throws(StoreFailure) -> Bool {
        for (key, stored) in try nextStates(of: .beacons, &work) {
            guard stored.state.isInside, let region = try region(key, stored),
                region.region.notifiesOnDisplay, batch.begin(center: region.center)
            else { continue }
            let since = try watchStart(of: key.request, region)
            if let since, stored.number > since.number {
                try fire(key.request, region.center, &work)
            }
            batch.endWork()
        }
        return budget > 0
    }

    // MARK: Walks

    /// Goes on with the regions that have a state; true at their end.
    private mutating func walkStates(
        of sensor: RegionSensor,
        _ work: inout SensorWorkRecord,
        _ step: @escaping Step
    ) throws(StoreFailure) -> Bool {
        for (key, stored) in try nextStates(of: sensor, &work) {
            // What this report itself stored is done.
            guard stored.number < work.number ?? 0, let region = try region(key, stored) else {
                continue
            }
            try change(key, region, stored, &work) { step(region.region, $0) }
        }
        return budget > 0
    }

    /// The next states of a sensor's regions, as many as may be read.
    private mutating func nextStates(
        of sensor: RegionSensor,
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> [(RegionStateKey, RegionStateRecord)] {
        let table = batch.tables.regionStates
        let prefix = KeyPrefix<RegionStateKey>.sensor(sensor, on: device).bytes
        let start = work.position.isEmpty ? nil : keyBehind(work.position)
        var states: [(RegionStateKey, RegionStateRecord)] = []
        var (rows, position) = (budget, work.position)
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
        (budget, work.position) = (rows, position)
        return states
    }

    /// The region of a state.
    private func region(
        _ key: RegionStateKey,
        _ stored: RegionStateRecord
    ) throws(StoreFailure) -> RegionRecord? {
        let key = RegionKey(key.request, at: stored.place, on: device)
        guard !batch.damage.setAside.contains(key.bytes, in: .regions) else { return nil }
        // A row that is gone or damaged was passed, or is found by the check.
        return try batch.transaction.found(key, in: batch.tables.regions).row
    }

    /// Goes on with the regions between two keys that a report concerns; true at their end.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the keys.
    ///   - start: The first key.
    ///   - end: The end of the keys.
    ///   - work: The report.
    ///   - concerns: What the report does to a region by its state; nil where it does nothing.
    /// - Returns: Whether all were walked.
    /// - Throws: What the store reports.
    private mutating func walkRegions(
        _ prefix: [UInt8],
        from start: [UInt8],
        upTo end: [UInt8],
        _ work: inout SensorWorkRecord,
        _ concerns: (Region) -> ((RegionState?) -> RegionStep?)?
    ) throws(StoreFailure) -> Bool {
        let table = batch.tables.regions
        var found: [(RegionKey, RegionRecord, (RegionState?) -> RegionStep?)] = []
        var (rows, position) = (budget, work.position)
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
        (budget, work.position) = (rows, position)
        for (key, region, step) in found {
            let stateKey = RegionStateKey(key.request, of: key.place.sensor, on: device)
            let stored = try RegionStates(batch: batch).state(stateKey)
            // A circle with a state was walked with the states.
            if stored != nil, key.place.sensor == .location { continue }
            try change(stateKey, region, stored, &work, step)
        }
        return budget > 0
    }

    // MARK: One region

    /// Changes the state of a region as a report says, and fires its request where its border was
    /// crossed.
    private func change(
        _ key: RegionStateKey,
        _ region: RegionRecord,
        _ stored: RegionStateRecord?,
        _ work: inout SensorWorkRecord,
        _ step: (RegionState?) -> RegionStep?
    ) throws(StoreFailure) {
        // What was added after the report is none of it.
        guard let number = work.number, key.request.rawValue < number,
            batch.begin(center: region.center)
        else { return }
        defer { batch.endWork() }
        let states = RegionStates(batch: batch)
        guard let since = try watchStart(of: key.request, region) else {
            // The app may no longer know where the device is.
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
    private func watchStart(
        of request: RequestNumber,
        _ region: RegionRecord
    ) throws(StoreFailure) -> WatchStart? {
        let access = try batch.locationAccess(of: region.center, on: device)
        guard access.isAllowed else { return nil }
        let added = WatchStart(number: request.rawValue, instant: region.addedAt)
        return .latest(added, access.since)
    }

    /// Fires a request, and tells whether it goes on waiting for its region.
    @discardableResult
    private func fire(
        _ request: RequestNumber,
        _ center: CenterNumber,
        _ work: inout SensorWorkRecord
    ) throws(StoreFailure) -> Bool {
        work.firedCount += 1
        let record = try batch.transaction.row(request, in: batch.tables.records)
        return try batch.center(center).occurrences.fire(request, record)
    }
}
