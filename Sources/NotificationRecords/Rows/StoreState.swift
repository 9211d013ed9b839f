package import NotificationCore

/// The store-wide state, written with each batch.
package struct StoreState: TableRow, Sendable, Equatable {
    /// The sequence number of the next request.
    package var nextSequence: UInt64 = 1
    /// The number of the next center.
    package var nextCenter: CenterNumber = 1
    /// Idempotency keys made at this time or before, in milliseconds since 1970, are refused.
    package var idempotencyFloorMilliseconds: Int64 = 0
    /// Both clocks at the batch that wrote this state.
    package var now: Now
    /// The machine's boot-time clock at that batch, in nanoseconds.
    package var bootNanoseconds: Int64
    /// The machine's boot from which ``bootNanoseconds`` counts.
    package var bootIdentifier: String
    /// The last noted reading of the wall clock: a clock that shows an earlier instant was set
    /// back.
    package var datesAsOf: WallInstant
    /// The zone of devices that report no zone, when dates were computed; nil in an older file.
    package var localZone: String?
    /// The dates that are being computed again, in this order.
    package var recalculations: [Recalculation] = []
    /// What all centers have together; nil in a store of an older version, until the centers are
    /// counted.
    package var totals: StoreTotals?
    /// The records that no row refers to and that are still to be deleted.
    package var released = ReleasedRecords()
    /// Bytes that the kept idempotency keys take, with their replies.
    package var idempotencyBytes = 0

    /// The format that this version writes; a newer format is refused.
    package static let format: UInt32 = 4
    /// The oldest format whose file is served as it is, and has this version's format from then on:
    /// format 3 had no rows that gather in the log (ST-7).
    package static let oldestServedFormat: UInt32 = 3
    private static let version: UInt8 = 8

    /// The state of a new store.
    package init(now: Now, bootNanoseconds: Int64, bootIdentifier: String) {
        self.now = now
        self.bootNanoseconds = bootNanoseconds
        self.bootIdentifier = bootIdentifier
        datesAsOf = now.wall
    }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 160)
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
        writer.put(totals) { $1.write(to: &$0) }
        released.write(to: &writer)
        writer.put(idempotencyBytes)
        return writer.sealed()
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had no dates, version 2 computed all dates again or none, versions 4
        // and 5 counted what was in the indexes beside requests.
        let version = try reader.version(upTo: Self.version)
        nextSequence = try reader.number()
        nextCenter = try reader.serial()
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
            localZone = try reader.optional { reader throws(RowProblem) in try reader.text() }
            for _ in 0..<(try reader.count()) {
                recalculations.append(try Recalculation(&reader))
            }
        }
        if version > 5 {
            totals = try reader.optional { reader throws(RowProblem) in
                try StoreTotals(&reader)
            }
        } else if version > 3, try reader.bool() {
            for _ in 0..<version - 2 { _ = try reader.count() }
        }
        if version > 6 { released = try ReleasedRecords(&reader) }
        // The keys of version 7 are not counted.
        if version > 7 { idempotencyBytes = try reader.number() }
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension StoreState {
    /// Gives the next number: requests, callbacks, prompts and waiting acts are counted together.
    package mutating func takeNumber() -> UInt64 {
        defer { nextSequence += 1 }
        return nextSequence
    }
}

extension StoreState {
    /// Whether dates are to be computed again, and can be: while the clock is not set, dates are
    /// unknown.
    package func isRecalculating(at now: Now) -> Bool { !recalculations.isEmpty && now.wall.isTime }

    /// Whether the wall clock was set back since ``datesAsOf``.
    package func isSetBack(at now: Now) -> Bool { now.wall.isTime && now.wall < datesAsOf }
}
