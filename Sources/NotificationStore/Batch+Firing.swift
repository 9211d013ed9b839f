internal import LMDB
internal import NotificationCore

extension Batch {
    /// The instant at which the next request is due or something kept becomes too old, or nil.
    static func nextWork(
        _ tables: Tables,
        in transaction: borrowing some LMDB.Transaction & ~Copyable
    ) throws(LMDBError) -> ElapsedInstant? {
        let due = try nextDue(tables, in: transaction)
        let expiry = try front(of: tables.expiry, in: transaction)?.instant
        guard let due, let expiry else { return due ?? expiry }
        return min(due, expiry)
    }

    /// The instant at which the next request is due, or nil where none waits.
    ///
    /// - Complexity: The front of the index: O(log *n*).
    static func nextDue(
        _ tables: Tables,
        in transaction: borrowing some LMDB.Transaction & ~Copyable
    ) throws(LMDBError) -> ElapsedInstant? {
        try front(of: tables.dueElapsed, in: transaction)?.instant
    }

    /// The first row of an index whose keys are an instant and a number.
    static func front(
        of index: Table,
        in transaction: borrowing some LMDB.Transaction & ~Copyable
    ) throws(LMDBError) -> (instant: ElapsedInstant, number: ByteReader)? {
        try transaction.withCursor(in: index) { cursor throws(LMDBError) in
            guard try cursor.move(to: .first) else { return nil }
            var reader = ByteReader(try cursor.key())
            return (ElapsedInstant(nanoseconds: try reader.number()), reader)
        }
    }

    /// Fires what is due at ``now``, in the order of the due instants, and gives how many fired.
    ///
    /// As many as `limit` means that more may be due.
    func fireDue(
        atMost limit: Int,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Int {
        let due = try dueRows(atMost: limit, in: transaction)
        for (instant, sequence) in due {
            try fire(sequence, due: instant, in: transaction)
        }
        return due.count
    }

    private func dueRows(
        atMost limit: Int,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [(ElapsedInstant, UInt64)] {
        try transaction.withCursor(in: tables.dueElapsed) { cursor throws(LMDBError) in
            var rows: [(ElapsedInstant, UInt64)] = []
            while rows.count < limit, try cursor.move(to: .next) {
                var reader = ByteReader(try cursor.key())
                let instant = ElapsedInstant(nanoseconds: try reader.number())
                guard instant <= now.elapsed else { break }
                rows.append((instant, try reader.number()))
            }
            return rows
        }
    }

    private func fire(
        _ sequence: UInt64,
        due: ElapsedInstant,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let record = try transaction.record(sequence, tables)
        let key = Key.identifier(record.request.identifier, center: record.center)
        var center = try center(record.center, in: transaction)
        var identifier = try transaction.identifierRecord(key: key, tables)
        guard identifier.pending?.sequence == sequence, identifier.pending?.due == due else {
            throw ByteReader.corrupted
        }

        let firing = center.fire(
            record.request,
            base: record.base,
            due: due,
            now: now.elapsed
        )
        try transaction.deleteExisting(Key.due(due, sequence: sequence), in: tables.dueElapsed)
        counts.fired += 1
        counts.lateness.record(firing.lateByNanoseconds)
        let fired = EventRecord.Fired(
            sequence: sequence,
            lateByNanoseconds: firing.lateByNanoseconds,
            collapsedCount: firing.collapsedCount
        )
        // Set first: what is delivered may replace an entry of the same request.
        identifier.pending = firing.nextFire.map { .init(sequence: sequence, due: $0) }
        let event = try settle(
            firing.outcome,
            of: fired,
            record.request,
            for: &identifier,
            center: &center,
            number: record.center,
            in: transaction
        )
        if let next = firing.nextFire {
            identifier.pending?.lastEvent = event
            try transaction.put(
                [],
                forKey: Key.due(next, sequence: sequence),
                in: tables.dueElapsed
            )
        } else {
            center.pendingCount -= 1
        }
        try setIdentifier(key: key, to: identifier, in: transaction)
        setCenter(record.center, center)
    }
}
