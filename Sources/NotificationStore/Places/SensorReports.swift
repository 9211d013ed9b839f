internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// Handles the reports of a device's sensors: finds the regions that a report is about, and lets
/// the core decide its effect on each of them.
///
/// A report is handled row by row, in slices; a ``SensorWorkRecord`` keeps the rest.
struct SensorReports {
    let batch: Batch
    let device: String
    /// How many rows may still be read; a request that fires counts as ``rowsPerFiring`` rows.
    var budget: Int
    /// A firing reads and writes about as much as a look at so many regions that do not change.
    static let rowsPerFiring = 4
    var sensors: SensorsRecord

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
        // A byte 0 at the front marks a key of the regions; any other position is a key of the
        // regions' states.
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

    /// The effect of a report on a region; nil where another sensor reports about the region.
    typealias Step = (Region, RegionState?) -> RegionStep?

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
        // The walk goes through a level in the order of the keys, so these cells are done.
        let end = key(cells.columns.upperBound) + [UInt8](repeating: .max, count: 9)
        guard position.isEmpty || position.lexicographicallyPrecedes(end) else { return true }
        if start.lexicographicallyPrecedes(position) { start = keyBehind(position) }
        return try walkRegions(prefix, from: start, upTo: end, &work) { region in
            // A circle that does not contain the place cannot change here: it was walked among the
            // states, or the device is outside.
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
        while budget > 0 {
            let next = try nextStates(of: .beacons, &work)
            for (key, stored) in next.states {
                guard stored.state.isInside, let region = try region(key, stored),
                    region.region.notifiesOnDisplay, batch.begin(center: region.center)
                else { continue }
                let since = try watchStart(of: key.request, region)
                if let since, stored.number > since.number {
                    try fire(key.request, region.center, &work)
                }
                batch.endWork()
            }
            if next.isEnd { return true }
        }
        return false
    }
}
