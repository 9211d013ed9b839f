internal import BelfryLMDB
internal import NotificationCore

/// When the next work of the writer is due, on each of its clocks.
struct NextWork: Equatable {
    /// When a request or a callback is due, or a row becomes too old.
    var elapsed: ElapsedInstant?
    /// When a request or a summary is due.
    var wall: WallInstant?

    /// Whether work is due at `now`.
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

/// The due work of a store: requests, callbacks, summaries, and rows that are too old.
struct DueWork {
    let batch: Batch

    /// When the next work is due.
    static func next(
        _ tables: Tables,
        past setAside: SetAside,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(LMDBError) -> NextWork {
        var next = try nextDue(tables, past: setAside, in: transaction)
        for index in [tables.expiry, tables.attachmentExpiry] {
            guard let expiry = try front(of: index, past: setAside, in: transaction) else {
                continue
            }
            let instant = ElapsedInstant(nanoseconds: expiry.nanoseconds)
            next.elapsed = next.elapsed.map { min($0, instant) } ?? instant
        }
        return next
    }

    /// When the next work is due.
    func next() throws(LMDBError) -> NextWork {
        try Self.next(batch.tables, past: batch.damage.setAside, in: batch.transaction)
    }

    /// When the next request or callback is due.
    ///
    /// A request with a date from before the clock was set is looked at when the clock is set.
    ///
    /// - Complexity: The fronts of the indexes: O(log *n*).
    static func nextDue(
        _ tables: Tables,
        past setAside: SetAside,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(LMDBError) -> NextWork {
        NextWork(
            elapsed: try front(of: tables.dueElapsed, past: setAside, in: transaction).map {
                ElapsedInstant(nanoseconds: $0.nanoseconds)
            },
            wall: try front(of: tables.dueWall, past: setAside, in: transaction).map {
                max(WallInstant(nanoseconds: $0.nanoseconds), .firstBuild)
            }
        )
    }

    /// When the next request or callback is due.
    func nextDue() throws(LMDBError) -> NextWork {
        try Self.nextDue(batch.tables, past: batch.damage.setAside, in: batch.transaction)
    }

    /// The first row of an index whose keys begin with an instant.
    ///
    /// Rows that are set aside are skipped, and so are keys that are too short.
    static func front(
        of index: Table,
        past setAside: SetAside,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(LMDBError) -> (nanoseconds: Int64, number: ByteReader, key: [UInt8])? {
        try transaction.withCursor(in: index) { cursor throws(LMDBError) in
            while try cursor.move(to: .next) {
                let key = try cursor.key()
                guard key.count >= 12, !setAside.contains(key, in: index) else { continue }
                var reader = ByteReader(key)
                return (try reader.number(), reader, key)
            }
            return nil
        }
    }

    /// A row of a due index.
    private struct DueRow {
        var table: Table
        var key: [UInt8]
        var due: Due
        var number: UInt64
        /// The center of a callback or a summary; nil for a request.
        var center: UInt32?
    }

    /// Does the work that is due at ``now``, the latest first, and gives how many rows that were.
    ///
    /// A result of `limit` means that more may be due.
    func fire(atMost limit: Int) throws(LMDBError) -> Int {
        var rows = try elapsedRows(dueBy: batch.now.elapsed, atMost: limit)
        // While the clock is not set, it is unknown which dates have come.
        let dates =
            batch.now.wall.isTime
            ? try dueRows(
                of: batch.tables.dueWall,
                until: batch.now.wall.nanoseconds,
                atMost: limit
            ) { .wall(WallInstant(nanoseconds: $0)) } : []
        if !dates.isEmpty {
            rows = (rows + dates).sorted {
                ($1.due.nanosecondsLate(at: batch.now), $0.number)
                    < ($0.due.nanosecondsLate(at: batch.now), $1.number)
            }
            rows.removeLast(max(0, rows.count - limit))
        }
        for row in rows {
            // Work that was done before may have removed this row: replacing a notification removes
            // its deadline and its place in the summary.
            guard try batch.transaction.contains(key: row.key, in: row.table) else { continue }
            guard batch.begin(row.key, in: row.table, of: row.center) else { continue }
            if try wasFoundWithoutClock(row) {
                batch.endWork()
                continue
            }
            switch (row.center, row.due) {
            case (nil, _): try fire(row.number, due: row.due)
            case (let center?, .elapsed):
                try batch.center(center).callbacks.expire(row.number)
            case (let center?, .wall): try batch.center(center).summary.present()
            }
            batch.endWork()
        }
        return rows.count
    }

    /// Whether a row's date was found before the clock was set; if the right date differs, the
    /// request waits for the right date (DT-4).
    private func wasFoundWithoutClock(_ row: DueRow) throws(LMDBError) -> Bool {
        guard case .wall(let date) = row.due, !date.isTime else { return false }
        if let center = row.center {
            try batch.center(center).summary.recalculate(since: batch.now.wall)
            return true
        }
        return try batch.recalculate(row.number, since: batch.now.wall)
    }

    /// The first callback with a deadline up to `instant` that a connected subscriber is asked.
    func question(endingBy instant: ElapsedInstant) throws(LMDBError) -> UInt64? {
        for row in try elapsedRows(dueBy: instant, atMost: .max) {
            guard let center = row.center, batch.begin(row.key, in: row.table, of: center) else {
                continue
            }
            let record = try batch.transaction.callback(row.number, center: center, batch.tables)
            let isAsked = try batch.center(center).isAsked(record.question)
            batch.endWork()
            if isAsked { return row.number }
        }
        return nil
    }

    private func elapsedRows(
        dueBy instant: ElapsedInstant,
        atMost limit: Int
    ) throws(LMDBError) -> [DueRow] {
        try dueRows(
            of: batch.tables.dueElapsed,
            until: instant.nanoseconds,
            atMost: limit
        ) { .elapsed(ElapsedInstant(nanoseconds: $0)) }
    }

    private func dueRows(
        of index: Table,
        until nanoseconds: Int64,
        atMost limit: Int,
        _ due: (Int64) -> Due
    ) throws(LMDBError) -> [DueRow] {
        try batch.transaction.withCursor(in: index) { cursor throws(LMDBError) in
            var rows: [DueRow] = []
            while rows.count < limit, try cursor.move(to: .next) {
                let (key, value) = try cursor.entry()
                guard !batch.damage.setAside.contains(key, in: index) else { continue }
                guard key.count == 16, value.isEmpty || value.count == 4 else {
                    batch.pass(key, in: index)
                    continue
                }
                var reader = ByteReader(key)
                let instant: Int64 = try reader.number()
                guard instant <= nanoseconds else { break }
                let number: UInt64 = try reader.number()
                var row = DueRow(table: index, key: key, due: due(instant), number: number)
                if !value.isEmpty {
                    var reader = ByteReader(value)
                    row.center = try reader.number()
                }
                rows.append(row)
            }
            return rows
        }
    }

    private func fire(_ sequence: UInt64, due: Due) throws(LMDBError) {
        let record = try batch.transaction.record(sequence, batch.tables)
        guard batch.isIntact(record.center) else { return }
        try batch.center(record.center).occurrences.fire(sequence, record, due: due)
    }
}
