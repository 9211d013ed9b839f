internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Handles fixes of a device, and fires the requests that wait for borders that it crossed
    /// (LOC-1, LOC-2).
    ///
    /// `fixes` are at most ``Limits/reportsPerCall``, in any order. `completion` is told how many
    /// requests fired, once that is durable; an instant that lies ahead is refused.
    package func reportLocation(
        _ fixes: [LocationFix],
        on device: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<UInt64>
    ) {
        submit(ReportCommand(device: device, report: .fixes(fixes)), once: key, completion)
    }

    /// Handles sightings of beacons by a device (LOC-3); without any, no beacon is seen.
    ///
    /// `sightings` are at most ``Limits/reportsPerCall``, in any order. `completion` is as of
    /// ``reportLocation(_:on:once:completion:)``.
    package func reportBeacons(
        _ sightings: [BeaconSighting],
        on device: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<UInt64>
    ) {
        submit(ReportCommand(device: device, report: .sightings(sightings)), once: key, completion)
    }
}

/// A report of a device's sensors, handled in slices between which other commands run.
struct ReportCommand: Command {
    let device: String
    let report: SensorWorkRecord.Task
    /// The report's number, once it is begun.
    var number: UInt64?

    var growth: Growth { .asked }
    var cost: Int { SensorQueue.rowsPerStep }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<UInt64> {
        let queue = SensorQueue(batch: batch, device: device)
        guard let number else {
            let now = batch.now.wall
            if let problem = report.problem(at: now) { return .done(.failure(problem)) }
            if let refusal = try tooMuch(batch, queue) { return .done(.failure(refusal)) }
            let begun = try queue.begin(report.sorted(at: now))
            number = begun.number
            return begun.firedCount.map { .done(.success($0)) } ?? .more(.kept)
        }
        return try queue.goOn(with: number)
    }

    /// Why the report may not be kept until it is handled; nil where it may, or is handled at once.
    private func tooMuch(
        _ batch: Batch,
        _ queue: SensorQueue
    ) throws(StoreFailure) -> Refusal? {
        let isKnown = try batch.transaction.contains(NameKey(device), in: batch.tables.sensors)
        if isKnown, try queue.isEmpty() { return nil }
        let byteCount = SensorWorkRecord(report).bytes.count
        return try batch.refusal(ofKeeping: byteCount, of: .device(device))
    }

    func writeProgress(to writer: inout ByteWriter) { writer.put(number) { $0.put($1) } }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        number = try reader.optional { reader throws(RowProblem) in try reader.number() }
    }
}

/// Goes on with the reports of a device that were not handled when the server ended.
struct FinishReportsCommand: Command {
    let device: String

    var cost: Int { SensorQueue.rowsPerStep }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<UInt64> {
        try SensorQueue(batch: batch, device: device).goOn(with: .max)
    }

    /// The commands for all devices with such reports.
    static func all(
        _ tables: Tables,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> [QueuedCommand] {
        // Skip keys that do not decode: the check of a store reports them.
        let keys = try transaction.keys(bytesOf: tables.sensorWork.raw)
            .compactMap { try? SensorWorkKey($0) }
        var devices: [String] = []
        for key in keys where devices.last.map(key.device.isExactly) != true {
            devices.append(key.device)
        }
        return devices.map { QueuedCommand(FinishReportsCommand(device: $0)) { _ in } }
    }
}

/// The reports of a device that are not yet handled, in their order.
struct SensorQueue {
    let batch: Batch
    let device: String
    private var table: TypedTable<SensorWorkKey, SensorWorkRecord> { batch.tables.sensorWork }

    static let rowsPerStep = 256

    private func first() throws(StoreFailure) -> (key: SensorWorkKey, row: SensorWorkRecord)? {
        try batch.transaction.rows(in: table, .device(device), atMost: 1).first
    }

    /// Whether no report waits.
    func isEmpty() throws(StoreFailure) -> Bool { try first() == nil }

    /// Takes a report up, and gives its number; where it was handled at once, also how many
    /// requests it fired.
    func begin(
        _ task: SensorWorkRecord.Task
    ) throws(StoreFailure) -> (number: UInt64, firedCount: UInt64?) {
        let key = SensorWorkKey(batch.state.takeNumber(), on: device)
        var work = SensorWorkRecord(task)
        if try first() == nil {
            var reports = try SensorReports(batch, of: device, atMost: Self.rowsPerStep)
            if try reports.go(on: &work) { return (key.number, work.firedCount) }
        }
        try batch.transaction.put(work, at: key, in: table)
        batch.hasChanged = true
        return (key.number, nil)
    }

    /// Goes on with the first report, and tells how many requests the report `number` fired once it
    /// is handled.
    func goOn(with number: UInt64) throws(StoreFailure) -> Step<UInt64> {
        guard let (key, found) = try first(), key.number <= number else {
            let sensors = try batch.sensors(of: device)
            return .done(.success(sensors.finished == number ? sensors.firedCount : 0))
        }
        var work = found
        batch.hasChanged = true
        var reports = try SensorReports(batch, of: device, atMost: Self.rowsPerStep)
        guard try reports.go(on: &work) else {
            try batch.transaction.put(work, at: key, in: table)
            return .more(.kept)
        }
        try batch.transaction.deleteExisting(key, in: table)
        try reports.finish(key.number, firedCount: work.firedCount)
        return key.number == number ? .done(.success(work.firedCount)) : .more(.kept)
    }
}

extension SensorWorkRecord.Task {
    /// Why a report is refused; nil where it is not.
    fileprivate func problem(at now: WallInstant) -> Refusal? {
        let (times, list, reason): ([WallInstant?], Field, Reason) =
            switch self {
            case .fixes(let fixes): (fixes.map(\.time), .fixes, .locationInvalid)
            case .sightings(let all): (all.map(\.time), .sightings, .beaconInvalid)
            case .display: ([], .sightings, .beaconInvalid)
            }
        let wrong = times.firstIndex { !ReportTime.isPossible($0, at: now) }
        return wrong.map { index in
            .invalid(
                FieldPath.element(index, of: list).appending(.time),
                "lies more than 5 minutes ahead of the server's clock",
                reason: reason
            )
        }
    }

    /// The report in the order of its instants, with one for each fix or sighting.
    fileprivate func sorted(at now: WallInstant) -> Self {
        switch self {
        case .fixes(var fixes):
            for index in fixes.indices {
                fixes[index].time = ReportTime.instant(fixes[index].time, at: now)
            }
            // The sort is stable: fixes of one instant stay in their order.
            return .fixes(fixes.inOrder { $0.time ?? now })
        case .sightings(var sightings):
            for index in sightings.indices {
                sightings[index].time = ReportTime.instant(sightings[index].time, at: now)
            }
            return .sightings(sightings.inOrder { $0.time ?? now })
        case .display: return .display
        }
    }
}

extension Array {
    /// The elements by an instant; elements of one instant stay in their order.
    fileprivate func inOrder(by instant: (Element) -> WallInstant) -> [Element] {
        enumerated().sorted {
            (instant($0.element), $0.offset) < (instant($1.element), $1.offset)
        }.map(\.element)
    }
}
