internal import NotificationCore
internal import NotificationRecords

/// The pushes to many devices in a batch: they are taken, reach their devices a slice at a time,
/// end, and are removed.
struct TagPushWork {
    let batch: Batch
    private var tables: Tables { batch.tables }

    /// How many devices the pushes of a batch look at together.
    private static let devicesPerBatch = 256
    /// How many pushes go on in a batch: they share its devices.
    private static let pushesPerBatch = 16
    /// How long pushes wait where the store has no room for them.
    private static let restNanoseconds = Int64.nanosecondsPerSecond

    // MARK: Calls

    /// Takes a push for a command: from now on it goes on by itself.
    func take(
        _ content: TagPushContent,
        to expression: TagExpression,
        of app: String,
        at deliverAt: WallInstant?,
        announcing richPush: RichPushNumber? = nil
    ) throws(StoreFailure) -> TagPushNumber {
        var owner = try owner(app)
        guard owner.openPushes < batch.limits.openTagPushesPerApp else {
            throw .refused(.pushLimit(batch.limits.openTagPushesPerApp))
        }
        let byteCount = content.payload.utf8.count + expression.text.utf8.count + 256
        try StoreFailure.refuse(batch.refusal(ofKeeping: byteCount, of: .app(app)))
        owner.openPushes += 1
        try setOwner(app, owner)
        let key = TagPushKey(TagPushNumber(rawValue: batch.state.takeNumber()), of: app)
        var record = TagPushRecord(content, to: expression.text, createdAt: batch.now.wall)
        record.richPush = richPush
        if let deliverAt, deliverAt > batch.now.wall {
            record.deliverAt = deliverAt
            let row = PushWorkKey(deliverAt, .push, key.number.rawValue, of: app)
            try batch.transaction.put(row, in: tables.pushDates)
        } else {
            try begin(&record, key, expression)
        }
        try put(record, key)
        return key.number
    }

    /// Ends a push that has not reached all; one that has ended stays as it is.
    func cancel(_ key: TagPushKey) throws(StoreFailure) -> Result<TagPushStatus, Refusal> {
        guard var record = try batch.transaction.rowIfAny(key, in: tables.tagPushes) else {
            return .failure(.pushNotFound)
        }
        switch record.state {
        case .waiting:
            guard let row = record.date(of: key) else {
                throw .disagrees(key, in: tables.tagPushes)
            }
            try batch.transaction.deleteExisting(row, in: tables.pushDates)
        case .running: break
        case .complete, .cancelled: return .success(record.status)
        }
        try end(&record, key, as: .cancelled)
        try put(record, key)
        return .success(record.status)
    }

    // MARK: Due work

    /// Does the work that is due at ``Batch/now``, and gives how many rows that were, about.
    func perform(atMost limit: Int) throws(StoreFailure) -> Int {
        let limit = min(limit, Self.devicesPerBatch)
        var count = try beginScheduled(atMost: limit)
        let due = try dueWork()
        for key in due {
            let share = min(limit - count, max(1, limit / due.count))
            guard share > 0 else { break }
            guard batch.begin(key.bytes, in: .pushWork) else { continue }
            switch key.kind {
            case .push: count += try reach(key, atMost: share)
            case .removePush: count += try remove(key, atMost: share)
            case .removeRichPush:
                count += try batch.richPushes.remove(key, atMost: share)
            }
            batch.endWork()
        }
        return count
    }

    private func dueWork() throws(StoreFailure) -> [PushWorkKey<ElapsedInstant>] {
        var due: [PushWorkKey<ElapsedInstant>] = []
        try batch.transaction.scan(bytesOf: tables.pushWork.raw) { bytes, _ in
            guard !batch.damage.setAside.contains(bytes, in: .pushWork) else { return true }
            guard let key = try? PushWorkKey<ElapsedInstant>(bytes) else {
                batch.pass(bytes, in: .pushWork)
                return true
            }
            guard key.instant <= batch.now.elapsed else { return false }
            due.append(key)
            return due.count < Self.pushesPerBatch
        }
        return due
    }

    /// Begins the pushes whose instant has come.
    private func beginScheduled(atMost limit: Int) throws(StoreFailure) -> Int {
        // Wait for a clock: while it is not set, it is unknown which dates have come.
        guard batch.now.wall.isTime else { return 0 }
        return try batch.forEachDue(in: tables.pushDates, until: batch.now.wall, atMost: limit) {
            due throws(StoreFailure) in
            let key = due.tagPush
            var record = try batch.transaction.row(key, in: tables.tagPushes)
            guard record.state == .waiting, record.deliverAt == due.instant else {
                throw .disagrees(key, in: tables.tagPushes)
            }
            try batch.transaction.deleteExisting(due, in: tables.pushDates)
            try begin(&record, key, try expression(of: record, key))
            try put(record, key)
            return 0
        }
    }

    private func begin(
        _ record: inout TagPushRecord,
        _ key: TagPushKey,
        _ expression: TagExpression
    ) throws(StoreFailure) {
        record.state = .running
        record.beganAt = batch.now.wall
        record.anchor =
            try TagAudience(expression, of: key.app, tables, in: batch.transaction).anchor
        try schedule(&record, key, .push, at: batch.now.elapsed)
    }

    /// Goes on with a push behind its cursor: each device behind it is reached once, with an
    /// outcome in the same transaction.
    private func reach(
        _ due: PushWorkKey<ElapsedInstant>,
        atMost limit: Int
    ) throws(StoreFailure) -> Int {
        let key = due.tagPush
        var record = try batch.transaction.row(key, in: tables.tagPushes)
        guard record.state == .running, record.workAt == due.instant, let began = record.beganAt,
            let content = record.content
        else { throw .disagrees(key, in: tables.tagPushes) }
        guard batch.hasRoomForAdds else {
            let later = batch.now.elapsed.advanced(byNanoseconds: Self.restNanoseconds)
            try schedule(&record, key, .push, at: later)
            try put(record, key)
            return 1
        }
        let audience = TagAudience(
            try expression(of: record, key),
            of: key.app,
            anchor: record.anchor
        )
        let slice = try audience.next(
            after: record.cursor,
            atMost: limit,
            tables,
            in: batch.transaction
        )
        let devicePush = DevicePush(content, takenAt: record.createdAt, batch)
        for member in slice.members where member.registration.registeredAt <= began {
            let reached = try devicePush.push(to: member)
            // Attribute the next damage to the push again, not to a device.
            _ = batch.begin(due.bytes, in: .pushWork)
            record.counts[Int(reached.outcome.rawValue) - 1] += 1
            let outcome = TagPushOutcomeKey(record.deviceCount, of: key)
            try batch.transaction.put(reached, at: outcome, in: tables.tagPushOutcomes)
            if let richPush = record.richPush {
                let richKey = RichPushKey(richPush, of: key.app)
                try batch.richPushes.address(richKey, to: member.registration.number)
            }
        }
        record.cursor = slice.position
        if slice.isEnd {
            try end(&record, key, as: .complete)
        } else {
            try schedule(&record, key, .push, at: batch.now.elapsed)
        }
        try put(record, key)
        return max(1, slice.lookedAt)
    }

    private func expression(
        of record: TagPushRecord,
        _ key: TagPushKey
    ) throws(StoreFailure) -> TagExpression {
        do throws(TagExpressionFault) {
            return try TagExpression(record.expression)
        } catch {
            throw tables.tagPushes.error(.undecodable, key.bytes)
        }
    }

    // MARK: The end

    /// Ends a push; its outcomes are kept for a while.
    private func end(
        _ record: inout TagPushRecord,
        _ key: TagPushKey,
        as state: TagPushRecord.State
    ) throws(StoreFailure) {
        record.state = state
        record.endedAt = batch.now.wall
        record.content = nil
        record.anchor = nil
        let end = batch.now.elapsed.advanced(byNanoseconds: batch.limits.tagPushNanoseconds)
        try schedule(&record, key, .removePush, at: end)
        var owner = try owner(key.app)
        guard owner.openPushes > 0 else {
            throw .disagrees(NameKey(key.app), in: tables.pushOwners)
        }
        owner.openPushes -= 1
        try setOwner(key.app, owner)
    }

    /// Removes the outcomes of a push that ended long ago, then the push.
    private func remove(
        _ due: PushWorkKey<ElapsedInstant>,
        atMost limit: Int
    ) throws(StoreFailure) -> Int {
        let key = due.tagPush
        let outcomes = try batch.transaction.keys(
            in: tables.tagPushOutcomes,
            .push(key),
            atMost: limit
        )
        for outcome in outcomes {
            try batch.transaction.deleteExisting(outcome, in: tables.tagPushOutcomes)
        }
        if outcomes.count < limit {
            try batch.transaction.deleteExisting(key, in: tables.tagPushes)
            try batch.transaction.deleteExisting(due, in: tables.pushWork)
        }
        batch.hasChanged = true
        return max(1, outcomes.count)
    }

    // MARK: Rows

    /// Moves a push's row in the index of work.
    private func schedule(
        _ record: inout TagPushRecord,
        _ key: TagPushKey,
        _ kind: PushWorkKind,
        at instant: ElapsedInstant
    ) throws(StoreFailure) {
        if let before = record.workAt {
            let row = PushWorkKey(before, .push, key.number.rawValue, of: key.app)
            try batch.transaction.deleteExisting(row, in: tables.pushWork)
        }
        record.workAt = instant
        let row = PushWorkKey(instant, kind, key.number.rawValue, of: key.app)
        try batch.transaction.put(row, in: tables.pushWork)
    }

    private func put(_ record: TagPushRecord, _ key: TagPushKey) throws(StoreFailure) {
        try batch.transaction.put(record, at: key, in: tables.tagPushes)
        batch.news.tagPushes.insert(key.number)
        batch.hasChanged = true
    }

    func owner(_ app: String) throws(StoreFailure) -> PushOwnerRecord {
        try batch.transaction.rowIfAny(NameKey(app), in: tables.pushOwners) ?? PushOwnerRecord()
    }

    func setOwner(_ app: String, _ owner: PushOwnerRecord) throws(StoreFailure) {
        try batch.transaction.put(owner, at: NameKey(app), in: tables.pushOwners)
        batch.hasChanged = true
    }
}

extension TagPushRecord {
    var status: TagPushStatus {
        TagPushStatus(
            createdAt: createdAt,
            deliverAt: deliverAt,
            beganAt: beganAt,
            endedAt: endedAt,
            isCancelled: state == .cancelled,
            counts: counts
        )
    }
}
