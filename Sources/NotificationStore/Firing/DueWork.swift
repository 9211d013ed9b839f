internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// When the next work of the writer is due, on each of its clocks.
struct NextWork: Equatable {
    /// When a request or a callback is due, or a row becomes too old.
    var elapsed: ElapsedInstant?
    /// When a request or a summary is due.
    var wall: WallInstant?

    func isDue(at now: Now) -> Bool {
        if let elapsed, elapsed <= now.elapsed { return true }
        if let wall, wall <= now.wall { return true }
        return false
    }

    /// The earlier of the two instants, unless the clock is set before it.
    func instant(asOf now: Now) -> ElapsedInstant? {
        let date = wall.map { date in
            now.elapsed.advanced(byNanoseconds: date.nanoseconds - now.wall.nanoseconds)
        }
        guard let date, let elapsed else { return date ?? elapsed }
        return min(date, elapsed)
    }
}

/// The due work of a store: requests, callbacks, summaries, snoozes, and rows that are too old.
struct DueWork {
    let batch: Batch

    static func next(
        _ tables: Tables,
        past setAside: SetAside,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) -> NextWork {
        var next = try nextDue(tables, past: setAside, in: transaction)
        let expiries = [
            try front(of: tables.expiry, past: setAside, in: transaction)?.instant,
            try front(of: tables.attachmentExpiry, past: setAside, in: transaction)?.instant,
            try front(of: tables.pushWork, past: setAside, in: transaction)?.instant,
        ]
        for instant in expiries.compactMap(\.self) {
            next.elapsed = next.elapsed.map { min($0, instant) } ?? instant
        }
        if let change = try front(of: tables.focusChanges, past: setAside, in: transaction) {
            next.wall = next.wall.map { min($0, change.instant) } ?? change.instant
        }
        return next
    }

    func next() throws(StoreFailure) -> NextWork {
        try Self.next(batch.tables, past: batch.damage.setAside, in: batch.transaction)
    }

    /// When the next request, callback or push is due.
    ///
    /// A request with a date from before the clock was set is looked at when the clock is set.
    ///
    /// - Complexity: The fronts of the indexes: O(log *n*).
    static func nextDue(
        _ tables: Tables,
        past setAside: SetAside,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) -> NextWork {
        let dates = [
            try front(of: tables.dueWall, past: setAside, in: transaction)?.instant,
            try front(of: tables.pushDates, past: setAside, in: transaction)?.instant,
        ]
        return NextWork(
            elapsed: try front(of: tables.dueElapsed, past: setAside, in: transaction)?.instant,
            wall: dates.compactMap(\.self).min().map { max($0, .firstBuild) }
        )
    }

    /// When the next request or callback is due.
    func nextDue() throws(StoreFailure) -> NextWork {
        try Self.nextDue(batch.tables, past: batch.damage.setAside, in: batch.transaction)
    }

    /// Puts each request with an interval into the due index, also where it has fired: for
    /// ``Fault/firedAgainAfterCrash`` alone.
    static func remakeDueIndex(
        _ tables: Tables,
        in transaction: borrowing ChangeTransaction
    ) throws(StoreFailure) {
        for (key, record) in try transaction.rows(in: tables.records) {
            guard case .timeInterval(let trigger)? = record.request.trigger, !trigger.repeats,
                let due = trigger.nextFire(base: record.base, after: record.base)
            else { continue }
            try transaction.put(DueRow(), at: DueKey(due, key), in: tables.dueElapsed)
        }
    }

    /// The first key of an index by instant.
    ///
    /// Rows that are set aside are skipped, and so are keys that do not decode.
    static func front<Key: InstantKey, Row>(
        of index: TypedTable<Key, Row>,
        past setAside: SetAside,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) -> Key? {
        if setAside.rows.isEmpty {
            guard let first = try transaction.firstKey(in: index.raw) else { return nil }
            if let key = try? Key(first) { return key }
        }
        var front: Key?
        try transaction.scan(bytesOf: index.raw) { key, _ in
            guard !setAside.contains(key, in: index.name) else { return true }
            front = try? Key(key)
            return front == nil
        }
        return front
    }

    /// A row of a due index.
    private struct DueEntry {
        var key: [UInt8]
        var due: Due
        /// The number of a request, a callback, a summary or a snooze.
        var number: UInt64
        /// The request to which a snooze belongs; nil for other work.
        var snoozed: RequestNumber?
        /// The center to which a callback, a summary or a snooze belongs; nil for a request.
        var center: CenterNumber?

        /// Whether it is a request's date: the work of no other row removes it.
        var isRequest: Bool { center == nil && markedRequest == nil }

        /// The request of which a region's state changes; nil for other work.
        var markedRequest: RequestNumber? {
            guard case .elapsed = due, center == nil else { return nil }
            return RegionMark.request(of: number)
        }
    }

    /// Does the work that is due at ``now``, the latest first, and gives how many rows that were,
    /// or as much work.
    ///
    /// A result of `limit` or more means that more may be due.
    func fire(atMost limit: Int) throws(StoreFailure) -> Int {
        var rows = try elapsedRows(dueBy: batch.now.elapsed, atMost: limit)
        // While the clock is not set, it is unknown which dates have come.
        let dates =
            batch.now.wall.isTime
            ? try dueRows(of: batch.tables.dueWall, until: batch.now.wall, atMost: limit) : []
        if !dates.isEmpty {
            rows = (rows + dates).sorted {
                ($1.due.nanosecondsLate(at: batch.now), $0.number)
                    < ($0.due.nanosecondsLate(at: batch.now), $1.number)
            }
            rows.removeLast(max(0, rows.count - limit))
        }
        var count = 0
        for row in rows where count < limit {
            count += 1
            // Skip a row that is gone: a notification that was replaced in this batch loses its
            // deadline and its place in the summary.
            let index = index(of: row.due)
            let mayBeGone = !row.isRequest && !Fault.dueNotLookedAtAgain.isPlanted
            if mayBeGone, try !batch.transaction.contains(bytes: row.key, in: index.rows) {
                continue
            }
            guard batch.begin(row.key, in: index.name, of: row.center) else { continue }
            if try wasFoundWithoutClock(row) {
                batch.endWork()
                continue
            }
            count += try fire(row) / Self.searchStepsPerRow
            batch.endWork()
        }
        return count
    }

    /// The index that has the rows of such instants.
    private func index(of due: Due) -> (name: TableName, rows: StoreTable) {
        let tables = batch.tables
        return switch due {
        case .elapsed: (tables.dueElapsed.name, tables.dueElapsed.raw)
        case .wall: (tables.dueWall.name, tables.dueWall.raw)
        }
    }

    /// How many steps of a search for occurrences take as long as a row, about.
    static let searchStepsPerRow = 64

    /// Does the work of a row, and gives how many steps the search for passed occurrences took.
    private func fire(_ row: DueEntry) throws(StoreFailure) -> Int {
        if let request = row.markedRequest, case .elapsed(let instant) = row.due {
            try batch.changeRegion(of: request, due: instant)
            return 0
        }
        guard let number = row.center else {
            return try fire(RequestNumber(rawValue: row.number), due: row.due)
        }
        let center = try batch.center(number)
        switch (row.snoozed, row.due) {
        case (let request?, _): try center.snoozed.comeBack(request, due: row.due)
        case (nil, .elapsed): try center.callbacks.expire(CallbackNumber(rawValue: row.number))
        case (nil, .wall): try center.summary.present()
        }
        return 0
    }

    /// Whether a row's date was found before the clock was set; if the right date differs, the
    /// request waits for the right date (DT-4).
    private func wasFoundWithoutClock(_ row: DueEntry) throws(StoreFailure) -> Bool {
        // The instant of a snooze stays: the person named it.
        guard case .wall(let date) = row.due, !date.isTime, row.snoozed == nil else { return false }
        if let center = row.center {
            try batch.center(center).summary.recalculate(since: batch.now.wall)
            return true
        }
        return try batch.recalculate(RequestNumber(rawValue: row.number), since: batch.now.wall)
    }

    /// The first callback with a deadline up to `instant` that a connected subscriber is asked.
    func question(endingBy instant: ElapsedInstant) throws(StoreFailure) -> CallbackNumber? {
        guard try !batch.transaction.isEmpty(batch.tables.callbacks) else { return nil }
        for row in try elapsedRows(dueBy: instant, atMost: .max) {
            guard let center = row.center, row.snoozed == nil,
                batch.begin(row.key, in: batch.tables.dueElapsed.name, of: center)
            else { continue }
            let callback = CallbackNumber(rawValue: row.number)
            let room = try batch.center(center)
            let record = try room.callbacks.callback(callback)
            let isAsked = record.deadline <= instant && room.isAsked(record.question)
            batch.endWork()
            if isAsked { return callback }
        }
        return nil
    }

    private func elapsedRows(
        dueBy instant: ElapsedInstant,
        atMost limit: Int
    ) throws(StoreFailure) -> [DueEntry] {
        try dueRows(of: batch.tables.dueElapsed, until: instant, atMost: limit)
    }

    private func dueRows<Instant: IndexedInstant>(
        of index: TypedTable<DueKey<Instant>, DueRow>,
        until end: Instant,
        atMost limit: Int
    ) throws(StoreFailure) -> [DueEntry] {
        var rows: [DueEntry] = []
        guard limit > 0 else { return rows }
        let early: Int64 = Fault.earlyFire.isPlanted ? 1_000_000 : 0
        // Tell the batch the first keys: the rows then leave the index by one front, without a
        // deletion each.
        var first: [[UInt8]] = []
        defer { if !first.isEmpty { batch.transaction.note(first: first, in: index.raw) } }
        try batch.transaction.scan(bytesOf: index.raw) { bytes, value in
            first.append(bytes)
            guard rows.count < limit else { return false }
            guard !batch.damage.setAside.contains(bytes, in: index.name) else { return true }
            guard let key = try? DueKey<Instant>(bytes), let row = try? DueRow(value) else {
                batch.pass(bytes, in: index.name)
                return true
            }
            guard key.instant.nanoseconds <= end.nanoseconds + early else { return false }
            let due = key.instant.due
            rows.append(
                DueEntry(
                    key: bytes,
                    due: due,
                    number: key.number,
                    snoozed: key.snoozed,
                    center: row.center
                )
            )
            return true
        }
        return rows
    }

    private func fire(_ sequence: RequestNumber, due: Due) throws(StoreFailure) -> Int {
        let record = try batch.head(of: sequence)
        guard batch.isIntact(record.center) else { return 0 }
        return try batch.center(record.center).occurrences.fire(sequence, record, due: due)
    }
}
