package import NotificationCore

/// The store-wide state, written with each batch.
package struct StoreState: SealedRow, Equatable {
    /// The sequence number of the next request.
    package var nextSequence: UInt64 = 1
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
    /// The zone of devices that report no zone, when dates were computed.
    package var localZone: String
    /// The dates that are being computed again, in this order.
    package var recalculations: [Recalculation] = []
    /// The counts of all centers together.
    package var totals = StoreTotals()
    /// The records that no row refers to and that are still to be deleted.
    package var released = ReleasedRecords()
    /// Bytes that the kept idempotency keys take, with their replies.
    package var idempotencyBytes = 0

    /// The format that this version writes; every other one is refused.
    package static let format: UInt32 = 2

    /// The state of a new store.
    package init(now: Now, bootNanoseconds: Int64, bootIdentifier: String, localZone: String) {
        self.now = now
        self.bootNanoseconds = bootNanoseconds
        self.bootIdentifier = bootIdentifier
        datesAsOf = now.wall
        self.localZone = localZone
    }

    package var expectedByteCount: Int { 160 }

    package func write(to writer: inout ByteWriter) {
        writer.put(nextSequence)
        writer.put(nextCenter)
        writer.put(idempotencyFloorMilliseconds)
        now.write(to: &writer)
        writer.put(bootNanoseconds)
        writer.put(bootIdentifier)
        datesAsOf.write(to: &writer)
        writer.put(localZone)
        recalculations.write(to: &writer)
        totals.write(to: &writer)
        released.write(to: &writer)
        writer.put(idempotencyBytes)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        nextSequence = try reader.number()
        nextCenter = try reader.serial()
        idempotencyFloorMilliseconds = try reader.number()
        now = try reader.value()
        bootNanoseconds = try reader.number()
        bootIdentifier = try reader.text()
        datesAsOf = try reader.value()
        localZone = try reader.text()
        recalculations = try reader.value()
        totals = try reader.value()
        released = try reader.value()
        idempotencyBytes = try reader.number()
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
