internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The log of a center's events: kept for 7 days, and at most 64 MiB (W-14).
struct EventLog: CenterPart {
    let center: CenterWork

    private func key(_ event: EventNumber) -> EventKey { EventKey(event, of: center.number) }

    /// Whether the batch has appended an event.
    var hasNew: Bool { center.state.lastEvent > center.lastEventBefore }

    /// Appends an event.
    ///
    /// `kind` is what happened. `request` is the request that the event refers to.
    func record(
        _ kind: EventRecord.Kind,
        of request: RequestHead? = nil
    ) throws(StoreFailure) {
        let event = EventRecord(
            date: batch.now.wall,
            byteCount: EventRecord.byteCount(of: kind, request),
            kind: kind
        )
        center.state.lastEvent = center.state.lastEvent.next
        count(event, 1)
        batch.counts.events += 1
        if let name = request?.identifier ?? kind.identifier {
            center.named.append(name)
        }
        if center.openRun == nil { center.openRun = OpenRun(first: center.state.lastEvent) }
        center.openRun?.writer.append(event)
        if center.openRun?.writer.isFull == true { try writeOpenRun() }
        center.news.tell(kind)
        try limit()
        try scheduleExpiry()
    }

    // MARK: Size

    private func count(_ event: EventRecord, _ sign: Int) {
        center.state.eventBytes += sign * event.byteCount
        center.state.settingsBytes += sign * event.settingsByteCount
    }

    /// Removes the oldest events while the log has too many bytes; the newest event stays.
    ///
    /// - Complexity: The largest event has about 1,000 times as many bytes as the smallest.
    private func limit() throws(StoreFailure) {
        while center.state.eventBytes > batch.limits.eventBytesPerCenter,
            center.state.firstEvent < center.state.lastEvent
        {
            try trimOldest()
        }
    }

    /// Removes the oldest event, whatever its age.
    func trimOldest() throws(StoreFailure) { try trim(try oldest()) }

    private func oldest() throws(StoreFailure) -> EventRecord {
        if let oldest = center.oldestRun?.events.first { return oldest }
        let first = center.state.firstEvent
        if center.openRun?.first == first { try writeOpenRun() }
        let run = try batch.transaction.row(key(first), in: batch.tables.events)
        center.oldestRun = OldestRun(run, at: first)
        return run.events[0]
    }

    /// Removes the oldest event, which was read, and the request's record if this event was the
    /// last reference to it.
    private func trim(_ event: EventRecord) throws(StoreFailure) {
        let trimmed = center.state.firstEvent
        center.oldestRun?.events.removeFirst()
        center.state.firstEvent = trimmed.next
        if let run = center.oldestRun, run.events.isEmpty { try deleteOldestRun(run) }
        count(event, -1)
        batch.counts.trimmedEvents += 1
        try center.records.releaseTrimmed(by: event.kind, trimmed)
    }

    // MARK: Rows

    private func writeOpenRun() throws(StoreFailure) {
        guard let run = center.openRun.take() else { return }
        try batch.transaction.set(
            run.writer.sealed(),
            at: key(run.first).bytes,
            in: batch.tables.events.raw,
            isNew: true
        )
    }

    private func deleteOldestRun(_ run: OldestRun) throws(StoreFailure) {
        center.oldestRun = nil
        try batch.transaction.deleteExisting(key(run.first), in: batch.tables.events, wasRead: true)
    }

    /// Writes what the batch recorded and left of the log, at its end.
    func writeRuns() throws(StoreFailure) {
        try writeOpenRun()
        guard let run = center.oldestRun, !run.isWhole, !Fault.trimmedRunStays.isPlanted else {
            return
        }
        // A row of its own keeps the log beginning with a row.
        try deleteOldestRun(run)
        try batch.transaction.insert(
            EventRun(Array(run.events)),
            at: key(center.state.firstEvent),
            in: batch.tables.events
        )
    }

    // MARK: Age

    /// How long events that are too old stay for a subscriber that was not told them, before the
    /// next look at them.
    private static let untoldNanoseconds = 3_600 * Int64.nanosecondsPerSecond

    /// Schedules the next expiry of the center, for a new event or notification.
    private func scheduleExpiry() throws(StoreFailure) {
        let limits = batch.limits
        let shortest = min(limits.eventNanoseconds, limits.deliveredNanoseconds)
        let latest = batch.now.elapsed.advanced(byNanoseconds: shortest)
        if let expiry = center.state.expiry, expiry <= latest { return }
        try setExpiry(latest)
    }

    /// Sets the instant of the center's next expiry; nil is never.
    func setExpiry(_ instant: ElapsedInstant?) throws(StoreFailure) {
        if let before = center.state.expiry {
            let key = ExpiryKey(before, center.number)
            try batch.transaction.deleteExisting(key, in: batch.tables.expiry)
        }
        center.state.expiry = instant
        guard let instant else { return }
        let key = ExpiryKey(instant, center.number)
        try batch.transaction.put(key, in: batch.tables.expiry)
    }

    /// Removes the notifications and events that are too old, and gives how many rows these were.
    ///
    /// `instant` is the instant for which this expiry was scheduled.
    ///
    /// - Returns: The number of removed rows: at most as many as a center may lose at a time.
    func expire(dueAt instant: ElapsedInstant) throws(StoreFailure) -> Int {
        guard center.state.expiry == instant else {
            throw .disagrees(ExpiryKey(instant, center.number), in: batch.tables.expiry)
        }
        let (now, limits) = (batch.now, batch.limits)
        var count = 0
        var next: [ElapsedInstant] = []
        let kept = try center.unlockDeadlines()
        // Remove notifications first, since their removals are events.
        while let oldest = try center.delivered.oldest() {
            let since =
                Fault.deliveredKeptByTheWallClock.isPlanted
                ? elapsed(at: oldest.row.date) : oldest.row.since
            let age = since.advanced(byNanoseconds: limits.deliveredNanoseconds)
            let end = max(age, kept[oldest.delivery] ?? age)
            guard end <= now.elapsed, count < limits.rowsPerExpiry else {
                next.append(end)
                break
            }
            try center.delivered.remove(oldest, reason: .retention)
            count += 1
        }
        var told = batch.observer.toldByFollowers(of: center.number) ?? .max
        if Fault.untoldEventsTrimmed.isPlanted { told = .max }
        while center.state.firstEvent <= center.state.lastEvent {
            let event = try oldest()
            var end = elapsed(at: event.date).advanced(byNanoseconds: limits.eventNanoseconds)
            if center.state.firstEvent > told && end <= now.elapsed {
                // Keep the event, since a subscriber has not been told it: a large step of the
                // clock can make an untold event too old. The limit of bytes removes such an event
                // all the same.
                end = now.elapsed.advanced(byNanoseconds: Self.untoldNanoseconds)
            }
            guard end <= now.elapsed, count < limits.rowsPerExpiry else {
                next.append(end)
                break
            }
            try trim(event)
            count += 1
        }
        if Fault.eventNumberReused.isPlanted, center.state.firstEvent > center.state.lastEvent {
            (center.state.firstEvent, center.state.lastEvent) = (1, 0)
        }
        try setExpiry(next.min().map { max($0, now.elapsed) })
        return count
    }

    /// The elapsed instant of a date, unless the wall clock was set since.
    private func elapsed(at date: WallInstant) -> ElapsedInstant {
        batch.now.elapsed.advanced(byNanoseconds: date.nanoseconds(since: batch.now.wall))
    }
}
