internal import BelfryLMDB
internal import NotificationCore

/// The store-wide state, written with each batch.
struct StoreState: Equatable {
    /// The sequence number of the next request.
    var nextSequence: UInt64 = 1
    /// The number of the next center.
    var nextCenter: UInt32 = 1
    /// Idempotency keys made at this time or before, in milliseconds since 1970, are refused.
    var idempotencyFloorMilliseconds: Int64 = 0
    /// Both clocks at the batch that wrote this state.
    var now: Now
    /// The machine's boot-time clock at that batch, in nanoseconds.
    var bootNanoseconds: Int64
    /// The machine's boot from which ``bootNanoseconds`` counts.
    var bootIdentifier: String
    /// The last noted reading of the wall clock: a clock that shows an earlier instant was set
    /// back.
    var datesAsOf: WallInstant
    /// The zone of devices that report no zone, when dates were computed; nil in an older file.
    var localZone: String?
    /// The dates that are being computed again, in this order.
    var recalculations: [Recalculation] = []
    /// The counts of index rows that are no requests; nil in a store of an older version, until the
    /// centers are counted.
    var unsettled: Unsettled?

    /// Counts of occurrences that fired and are not shown yet, over all centers.
    struct Unsettled: Equatable {
        /// Centers with notifications that wait for the summary.
        var summaries = 0
        /// Arriving occurrences, whose apps are asked how to present them.
        var arriving = 0
    }

    /// The format that this version reads and writes; any other format is refused.
    static let format: UInt32 = 2
    private static let version: UInt8 = 4

    init(now: Now, bootNanoseconds: Int64, bootIdentifier: String) {
        self.now = now
        self.bootNanoseconds = bootNanoseconds
        self.bootIdentifier = bootIdentifier
        datesAsOf = now.wall
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 96)
        writer.put(nextSequence)
        writer.put(nextCenter)
        writer.put(idempotencyFloorMilliseconds)
        writer.put(now.elapsed.nanoseconds)
        writer.put(now.wall.nanoseconds)
        writer.put(bootNanoseconds)
        writer.put(bootIdentifier)
        writer.put(datesAsOf.nanoseconds)
        writer.put(localZone) { $0.put($1) }
        writer.putVarint(UInt64(recalculations.count))
        for recalculation in recalculations { recalculation.write(to: &writer) }
        writer.put(unsettled) { writer, unsettled in
            writer.putVarint(UInt64(unsettled.summaries))
            writer.putVarint(UInt64(unsettled.arriving))
        }
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had no dates, version 2 computed all dates again or none, version 3 did not
        // count ``unsettled``.
        let version = try reader.version(upTo: Self.version)
        nextSequence = try reader.number()
        nextCenter = try reader.number()
        idempotencyFloorMilliseconds = try reader.number()
        now = Now(
            elapsed: ElapsedInstant(nanoseconds: try reader.number()),
            wall: WallInstant(nanoseconds: try reader.number())
        )
        bootNanoseconds = try reader.number()
        bootIdentifier = try reader.text()
        datesAsOf = now.wall
        if version == 2, try reader.bool() {
            var recalculation = Recalculation(.all, since: now.wall)
            recalculation.position = try reader.bytes(try reader.count())
            recalculations = [recalculation]
        } else if version > 2 {
            datesAsOf = WallInstant(nanoseconds: try reader.number())
            localZone = try reader.optional { reader throws(LMDBError) in try reader.text() }
            for _ in 0..<(try reader.count()) {
                recalculations.append(try Recalculation(&reader))
            }
        }
        if version > 3 {
            unsettled = try reader.optional { reader throws(LMDBError) in
                Unsettled(summaries: try reader.count(), arriving: try reader.count())
            }
        }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}

extension StoreState.Unsettled {
    /// Counts the summaries and arriving occurrences in a store of an older version.
    ///
    /// - Complexity: O(*n*) in the centers, once.
    init(
        counting centers: Table,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        self.init()
        try transaction.scan(centers, []) { _, value throws(LMDBError) in
            let center = try CenterRecord.center(value)
            summaries += center.summaryDue == nil ? 0 : 1
            arriving += center.arrivingCount
            return true
        }
    }
}

extension StoreState {
    /// Whether dates are to be computed again, and can be: while the clock is not set, dates are
    /// unknown.
    func isRecalculating(at now: Now) -> Bool { !recalculations.isEmpty && now.wall.isTime }

    /// Whether the wall clock was set back since ``datesAsOf``.
    func isSetBack(at now: Now) -> Bool { now.wall.isTime && now.wall < datesAsOf }
}

extension StoreState {
    /// The format of the store in `environment`; nil for a new store.
    ///
    /// It changes nothing, and reads only what is the same in every format.
    static func format(in environment: Environment) throws(LMDBError) -> UInt32? {
        guard let meta = try environment.existingTable("meta") else { return nil }
        return try environment.read { transaction throws(LMDBError) in
            guard let bytes = try transaction.value(forKey: Key.format, in: meta) else {
                return nil
            }
            var reader = ByteReader(bytes)
            return try reader.number()
        }
    }

    /// Refuses a store of another format; returns whether the store has a format, as opposed to a
    /// new store.
    @discardableResult
    static func requireKnownFormat(in environment: Environment) throws(StoreError) -> Bool {
        let found: UInt32?
        do {
            found = try format(in: environment)
        } catch {
            throw .lmdb(error)
        }
        guard let found else { return false }
        guard found == format else { throw .format(found: found, known: format) }
        return true
    }
}
