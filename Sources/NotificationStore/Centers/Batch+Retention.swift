internal import BelfryLMDB
internal import NotificationCore

// What is kept, and for how long: events 7 days or 64 MiB of a center (W-14), notifications
// 7 days or 1,000 (D-19), and a record for as long as something refers to it.

extension Batch {
    // MARK: Records

    /// Takes a request out of the due index, and its record where nothing else refers to it.
    ///
    /// - Parameters:
    ///   - pending: What is taken away.
    ///   - identifier: What else its identifier stands for.
    ///   - center: The center.
    ///   - number: The center's number.
    /// - Throws: What the store reports.
    func forget(
        _ pending: IdentifierRecord.Pending,
        _ identifier: IdentifierRecord,
        _ center: CenterState,
        _ number: UInt32
    ) throws(LMDBError) {
        let key = Key.number(pending.sequence)
        var record = try transaction.record(pending.sequence, tables)
        try unschedule(pending, record)
        let isArriving = identifier.arriving?.sequence == pending.sequence
        let isListed = try isListed(pending.sequence, as: identifier.delivered, number)
        if pending.lastEvent < center.firstEvent && !isListed && !isArriving {
            try transaction.deleteExisting(key, in: tables.records)
        } else {
            record.lastEvent = pending.lastEvent
            try transaction.put(record.bytes, forKey: key, in: tables.records)
        }
        if record.request.content.holdsAttachments { touched.insert(pending.sequence) }
    }

    /// Deletes the record of a notification that left the list, where nothing else refers to it.
    ///
    /// - Parameters:
    ///   - row: What the list held.
    ///   - identifier: What else its identifier stands for.
    ///   - center: The center.
    /// - Throws: What the store reports.
    func release(
        _ row: DeliveredRecord,
        _ identifier: IdentifierRecord,
        _ center: CenterState
    ) throws(LMDBError) {
        touched.insert(row.sequence)
        guard row.event < center.firstEvent, identifier.pending?.sequence != row.sequence,
            identifier.arriving?.sequence != row.sequence
        else { return }
        let lastEvent = try transaction.record(row.sequence, tables).lastEvent ?? row.event
        guard lastEvent < center.firstEvent else { return }
        try transaction.deleteExisting(Key.number(row.sequence), in: tables.records)
    }

    /// Whether a record is in the delivered list under a number that its identifier has, or had: a
    /// row is gone before its identifier is written while a newer delivery takes its place.
    private func isListed(
        _ sequence: UInt64,
        as delivery: UInt64?,
        _ number: UInt32
    ) throws(LMDBError) -> Bool {
        guard let delivery else { return false }
        let key = Key.numbered(delivery, center: number)
        guard let bytes = try transaction.value(forKey: key, in: tables.delivered) else {
            return false
        }
        return try DeliveredRecord(bytes).sequence == sequence
    }

    /// Whether an occurrence of a record is arriving as its identifier says, or said: the question
    /// to the app is closed before its identifier is written.
    private func isArriving(
        _ sequence: UInt64,
        as arriving: IdentifierRecord.Arriving?,
        _ number: UInt32
    ) throws(LMDBError) -> Bool {
        guard let arriving, arriving.sequence == sequence else { return false }
        let key = Key.numbered(arriving.callback, center: number)
        return try transaction.contains(key: key, in: tables.callbacks)
    }

    // MARK: Events

    /// Takes the oldest events away while a center's events are too many bytes; the newest stays.
    ///
    /// - Complexity: An event is at most about 1,000 times as many bytes as the smallest.
    func limitEvents(of center: inout CenterState, number: UInt32) throws(LMDBError) {
        while center.eventBytes > limits.eventBytesPerCenter,
            center.firstEvent < center.lastEvent
        {
            let event = try firstEvent(of: center, number: number)
            try trim(event, of: &center, number: number)
        }
    }

    /// Takes the oldest event of a center away, however new it is.
    func trimOldestEvent(of center: inout CenterState, number: UInt32) throws(LMDBError) {
        let event = try firstEvent(of: center, number: number)
        try trim(event, of: &center, number: number)
    }

    private func firstEvent(
        of center: CenterState,
        number: UInt32
    ) throws(LMDBError) -> EventRecord {
        let key = Key.numbered(center.firstEvent, center: number)
        return try transaction.row(key, in: tables.events, EventRecord.init)
    }

    /// Takes the oldest event away, and the record that it was the last to refer to.
    private func trim(
        _ event: EventRecord,
        of center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        let trimmed = center.firstEvent
        let key = Key.numbered(trimmed, center: number)
        try transaction.deleteExisting(key, in: tables.events)
        center.firstEvent += 1
        center.eventBytes -= event.byteCount
        counts.trimmedEvents += 1

        guard let sequence = event.kind.fired?.sequence else { return }
        let record = try transaction.record(sequence, tables)
        if record.request.trigger?.repeats == true {
            // While it is pending it has no last event.
            guard record.lastEvent == trimmed else { return }
            let key = Key.identifier(record.request.identifier, center: number)
            let identifier = try transaction.identifierRecord(key: key, tables)
            guard try !isArriving(sequence, as: identifier.arriving, number),
                try !isListed(sequence, as: identifier.delivered, number)
            else { return }
        } else if case .delivered(_, let delivery, _, _) = event.kind {
            let key = Key.numbered(delivery, center: number)
            guard try transaction.value(forKey: key, in: tables.delivered) == nil else { return }
        }
        try transaction.deleteExisting(Key.number(sequence), in: tables.records)
    }

    // MARK: Age

    /// How long events that are too old are kept for those who follow, before they are looked at
    /// again.
    private static let untoldNanoseconds = 3_600 * Int64.nanosecondsPerSecond

    /// Notes when a center that gets something to keep has to be looked at, at the latest.
    func scheduleExpiry(of center: inout CenterState, number: UInt32) throws(LMDBError) {
        let shortest = min(limits.eventNanoseconds, limits.deliveredNanoseconds)
        let latest = now.elapsed.advanced(byNanoseconds: shortest)
        if let expiry = center.expiry {
            guard latest < expiry else { return }
            try transaction.deleteExisting(Key.expiry(expiry, center: number), in: tables.expiry)
        }
        center.expiry = latest
        try transaction.put([], forKey: Key.expiry(latest, center: number), in: tables.expiry)
    }

    /// Takes away what is too old, and gives how many rows that were.
    ///
    /// As many as `limit` means that there may be more.
    func expire(atMost limit: Int) throws(LMDBError) -> Int {
        var count = 0
        while count < limit,
            var due = try Self.front(of: tables.expiry, past: setAside, in: transaction),
            due.nanoseconds <= now.elapsed.nanoseconds
        {
            count += 1
            let number: UInt32 = try due.number.number()
            guard begin(due.key, in: tables.expiry, of: number) else { continue }
            let instant = ElapsedInstant(nanoseconds: due.nanoseconds)
            count += try expire(number, instant)
            endWork()
        }
        count += try expireAttachments(atMost: max(0, limit - count))
        return count
    }

    private func expire(_ number: UInt32, _ instant: ElapsedInstant) throws(LMDBError) -> Int {
        var center = try center(number)
        guard center.expiry == instant else {
            throw .disagrees(Key.expiry(instant, center: number), in: tables.expiry)
        }
        var count = 0
        var next: [ElapsedInstant] = []
        // The removals are events, so they come first.
        while let oldest = try oldestDelivered(of: number) {
            let end = (oldest.row.since ?? elapsed(at: oldest.row.date))
                .advanced(byNanoseconds: limits.deliveredNanoseconds)
            guard end <= now.elapsed, count < limits.rowsPerExpiry else {
                next.append(end)
                break
            }
            try removeDelivered(
                key: oldest.key,
                reason: .retention,
                center: &center,
                number: number
            )
            count += 1
        }
        let told = observer.toldByFollowers(of: number) ?? .max
        while center.firstEvent <= center.lastEvent {
            let event = try firstEvent(of: center, number: number)
            var end = elapsed(at: event.date).advanced(byNanoseconds: limits.eventNanoseconds)
            if center.firstEvent > told && end <= now.elapsed {
                // Somebody who follows has yet to be told it: it may be older than the clock's last
                // step is long. Too many bytes of them go all the same.
                end = now.elapsed.advanced(byNanoseconds: Self.untoldNanoseconds)
            }
            guard end <= now.elapsed, count < limits.rowsPerExpiry else {
                next.append(end)
                break
            }
            try trim(event, of: &center, number: number)
            count += 1
        }
        try transaction.deleteExisting(Key.expiry(instant, center: number), in: tables.expiry)
        center.expiry = next.min().map { max($0, now.elapsed) }
        if let expiry = center.expiry {
            try transaction.put([], forKey: Key.expiry(expiry, center: number), in: tables.expiry)
        }
        setCenter(number, center)
        return count
    }

    /// When a date was, if nobody set the wall clock since.
    private func elapsed(at date: WallInstant) -> ElapsedInstant {
        now.elapsed.advanced(byNanoseconds: date.nanoseconds(since: now.wall))
    }

    /// The oldest notification in a center's list.
    func oldestDelivered(
        of number: UInt32
    ) throws(LMDBError) -> (key: [UInt8], row: DeliveredRecord)? {
        try transaction.withCursor(in: tables.delivered) { cursor throws(LMDBError) in
            guard try cursor.seek(atOrAfter: Key.number(number)) else { return nil }
            let (key, value) = try cursor.entry()
            guard Key.belongs(key, to: number) else { return nil }
            return (key, try DeliveredRecord(value))
        }
    }
}

extension EventRecord.Kind {
    /// The occurrence that it is about.
    var fired: EventRecord.Fired? {
        switch self {
        case .delivered(let fired, _, _, _), .suppressed(let fired, _, _), .missed(let fired): fired
        case .removed, .settingsChanged, .badgeChanged, .expired, .evicted, .responseCompleted,
            .responseExpired, .summaryPresented, .openSettings:
            nil
        }
    }
}
