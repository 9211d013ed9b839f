internal import BelfryLMDB
internal import NotificationCore

/// The log of a center's events: 7 days of them are kept, and at most 64 MiB (W-14).
struct EventLog {
    let center: CenterWork
    private var batch: Batch { center.batch }

    /// Appends an event.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - request: The request that the event refers to.
    /// - Throws: What the store reports.
    func record(
        _ kind: EventRecord.Kind,
        of request: NotificationRequest? = nil
    ) throws(LMDBError) {
        let event = EventRecord(
            date: batch.now.wall,
            byteCount: EventRecord.byteCount(of: kind, request),
            kind: kind
        )
        center.state.lastEvent += 1
        center.state.eventBytes += event.byteCount
        batch.counts.events += 1
        batch.news.lastEvents[center.number] = center.state.lastEvent
        let key = Key.numbered(center.state.lastEvent, center: center.number)
        try batch.transaction.put(event.bytes, forKey: key, in: batch.tables.events)
        center.news.tell(kind)
        try limit()
        try scheduleExpiry()
    }

    // MARK: Size

    /// Takes the oldest events away while the events are too many bytes; the newest stays.
    ///
    /// - Complexity: An event is at most about 1,000 times as many bytes as the smallest.
    private func limit() throws(LMDBError) {
        while center.state.eventBytes > batch.limits.eventBytesPerCenter,
            center.state.firstEvent < center.state.lastEvent
        {
            try trimOldest()
        }
    }

    /// Takes the oldest event away, however new it is.
    func trimOldest() throws(LMDBError) { try trim(try oldest()) }

    private func oldest() throws(LMDBError) -> EventRecord {
        let key = Key.numbered(center.state.firstEvent, center: center.number)
        return try batch.transaction.row(key, in: batch.tables.events, EventRecord.init)
    }

    /// Takes the oldest event away, and the record that it was the last to refer to.
    private func trim(_ event: EventRecord) throws(LMDBError) {
        let trimmed = center.state.firstEvent
        let key = Key.numbered(trimmed, center: center.number)
        try batch.transaction.deleteExisting(key, in: batch.tables.events)
        center.state.firstEvent += 1
        center.state.eventBytes -= event.byteCount
        batch.counts.trimmedEvents += 1
        try center.records.releaseTrimmed(by: event.kind, trimmed)
    }

    // MARK: Age

    /// How long events that are too old are kept for those who follow, before they are looked at
    /// again.
    private static let untoldNanoseconds = 3_600 * Int64.nanosecondsPerSecond

    /// Notes when a center that gets something to keep has to be looked at, at the latest.
    private func scheduleExpiry() throws(LMDBError) {
        let limits = batch.limits
        let shortest = min(limits.eventNanoseconds, limits.deliveredNanoseconds)
        let latest = batch.now.elapsed.advanced(byNanoseconds: shortest)
        if let expiry = center.state.expiry, expiry <= latest { return }
        try setExpiry(latest)
    }

    /// Has the center looked at at another instant, or never.
    func setExpiry(_ instant: ElapsedInstant?) throws(LMDBError) {
        if let before = center.state.expiry {
            let key = Key.expiry(before, center: center.number)
            try batch.transaction.deleteExisting(key, in: batch.tables.expiry)
        }
        center.state.expiry = instant
        guard let instant else { return }
        let key = Key.expiry(instant, center: center.number)
        try batch.transaction.put([], forKey: key, in: batch.tables.expiry)
    }

    /// Takes away what is too old, and gives how many rows that were.
    ///
    /// - Parameter instant: When the center was to be looked at.
    /// - Returns: At most the rows that a center may lose at a time.
    /// - Throws: What the store reports.
    func expire(dueAt instant: ElapsedInstant) throws(LMDBError) -> Int {
        guard center.state.expiry == instant else {
            throw .disagrees(Key.expiry(instant, center: center.number), in: batch.tables.expiry)
        }
        let (now, limits) = (batch.now, batch.limits)
        var count = 0
        var next: [ElapsedInstant] = []
        // The removals are events, so they come first.
        while let oldest = try center.delivered.oldest() {
            let end = (oldest.row.since ?? elapsed(at: oldest.row.date))
                .advanced(byNanoseconds: limits.deliveredNanoseconds)
            guard end <= now.elapsed, count < limits.rowsPerExpiry else {
                next.append(end)
                break
            }
            try center.delivered.remove(try Key.number(inNumbered: oldest.key), reason: .retention)
            count += 1
        }
        let told = batch.observer.toldByFollowers(of: center.number) ?? .max
        while center.state.firstEvent <= center.state.lastEvent {
            let event = try oldest()
            var end = elapsed(at: event.date).advanced(byNanoseconds: limits.eventNanoseconds)
            if center.state.firstEvent > told && end <= now.elapsed {
                // Somebody who follows has yet to be told it: it may be older than the clock's last
                // step is long. Too many bytes of them go all the same.
                end = now.elapsed.advanced(byNanoseconds: Self.untoldNanoseconds)
            }
            guard end <= now.elapsed, count < limits.rowsPerExpiry else {
                next.append(end)
                break
            }
            try trim(event)
            count += 1
        }
        try setExpiry(next.min().map { max($0, now.elapsed) })
        return count
    }

    /// When a date was, if nobody set the wall clock since.
    private func elapsed(at date: WallInstant) -> ElapsedInstant {
        batch.now.elapsed.advanced(byNanoseconds: date.nanoseconds(since: batch.now.wall))
    }
}
