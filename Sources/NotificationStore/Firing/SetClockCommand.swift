package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Sets the wall clock of the manual clock, backward too (W-19).
    ///
    /// `instant` is the instant that the clock is to show. `completion` is told the clocks, once
    /// the change is durable.
    package func setClock(
        to instant: WallInstant,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Now>
    ) {
        guard clock.isManual else { return completion(.failure(.clockNotManual)) }
        submit(SetClockCommand(instant: instant), once: key, completion)
    }
}

struct SetClockCommand: Command {
    let instant: WallInstant
    /// Dates up to this instant have to fire before the clock is set.
    var firesUntil: WallInstant?
    /// The clock's reading after it was set, kept until all that became due has fired.
    var set: Now?

    var growth: Growth { .nothing }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<Now> {
        guard (0...AdvanceClockCommand.latestNanoseconds).contains(instant.nanoseconds) else {
            return .done(.failure(.clockTarget([.to], "must lie between 1970 and 2162")))
        }
        if set == nil {
            let until = firesUntil ?? batch.now.wall
            firesUntil = until
            // Fire due requests by the old clock first: a clock that is set backward would delay
            // them.
            guard try !isWaiting(batch, until) else { return .awaitsDueWork(nil) }
            batch.clock.now.wall = instant
            batch.noteWallClock()
            set = batch.now
        }
        guard let set, try !isWaiting(batch, set.wall) else { return .awaitsDueWork(.kept) }
        return .done(.success(set))
    }

    private func isWaiting(_ batch: Batch, _ until: WallInstant) throws(StoreFailure) -> Bool {
        guard !batch.isRecalculating else { return true }
        return try batch.hasDates(dueBy: until)
    }

    func writeProgress(to writer: inout ByteWriter) { set.write(to: &writer) }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        set = try reader.value()
    }
}
