internal import BelfryLMDB
internal import NotificationCore

/// The list of a center's delivered notifications: kept for 7 days, and at most 1,000 (D-19).
struct DeliveredList {
    let center: CenterWork
    private var batch: Batch { center.batch }
    private var table: Table { batch.tables.delivered }

    /// A delivery that left the list because a newer occurrence has its identifier.
    struct Replaced {
        var delivery: UInt64
        /// The thread of the delivery, which names its group.
        var thread: String
    }

    private func key(_ delivery: UInt64) -> [UInt8] {
        Key.numbered(delivery, center: center.number)
    }

    /// Reads a delivery that is in the list.
    func row(_ delivery: UInt64) throws(LMDBError) -> DeliveredRecord {
        try batch.transaction.deliveredRecord(delivery, center: center.number, batch.tables)
    }

    /// The numbers of the deliveries in a range, in order.
    func deliveries(
        after position: UInt64,
        upTo end: UInt64,
        atMost limit: Int
    ) throws(LMDBError) -> [UInt64] {
        var deliveries: [UInt64] = []
        for key in try center.keys(in: table, after: key(position), atMost: limit) {
            let delivery = try Key.number(inNumbered: key)
            if delivery <= end { deliveries.append(delivery) }
        }
        return deliveries
    }

    /// Reads the oldest delivery.
    func oldest() throws(LMDBError) -> (key: [UInt8], row: DeliveredRecord)? {
        let prefix = Key.number(center.number)
        let row = try batch.transaction.rows(in: table, prefix, atMost: 1).first
        return try row.map { row throws(LMDBError) in (row.key, try DeliveredRecord(row.value)) }
    }

    /// Puts a delivery at the end of the list.
    ///
    /// - Returns: Until when the delivery waits for the summary; nil where it does not wait.
    /// - Throws: What the store reports.
    func append(
        _ delivery: UInt64,
        of sequence: UInt64,
        isHeld: Bool,
        as identifier: IdentifierWork
    ) throws(LMDBError) -> WallInstant? {
        var record = DeliveredRecord(
            sequence: sequence,
            date: batch.now.wall,
            event: center.state.lastEvent + 1
        )
        record.since = batch.now.elapsed
        record.isHeld = isHeld
        let heldUntil = isHeld ? try center.summary.hold() : nil
        try batch.transaction.put(record.bytes, forKey: key(delivery), in: table)
        identifier.record.delivered = delivery
        center.state.deliveredCount += 1
        return heldUntil
    }

    /// Removes a delivery's row, and returns it.
    private func takeRow(_ delivery: UInt64) throws(LMDBError) -> DeliveredRecord {
        let row = try row(delivery)
        try batch.transaction.deleteExisting(key(delivery), in: table)
        center.state.deliveredCount -= 1
        if row.isHeld { try center.summary.endHold() }
        return row
    }

    /// Removes the delivery that another occurrence of its identifier replaces.
    ///
    /// - Parameters:
    ///   - sequence: The request of the new occurrence: its record stays.
    ///   - identifier: The identifier.
    /// - Returns: The removed delivery; nil where the list has no delivery of the identifier.
    /// - Throws: What the store reports.
    func takeReplaced(
        by sequence: UInt64,
        _ identifier: IdentifierWork
    ) throws(LMDBError) -> Replaced? {
        guard let delivery = identifier.record.delivered.take() else { return nil }
        let row = try takeRow(delivery)
        let thread = try watchedThread(row.sequence)
        if row.sequence != sequence { try center.records.release(row, of: identifier) }
        return Replaced(delivery: delivery, thread: thread)
    }

    /// Removes the delivery of an identifier, without an event; the identifier must have one.
    func drop(_ identifier: IdentifierWork) throws(LMDBError) {
        guard let delivery = identifier.record.delivered.take() else { return }
        try center.records.release(try takeRow(delivery), of: identifier)
    }

    /// Removes a notification from the list, with an event.
    func remove(_ delivery: UInt64, reason: RemovalReason) throws(LMDBError) {
        let sequence = try row(delivery).sequence
        let owner = try batch.transaction.row(
            Key.number(sequence),
            in: batch.tables.records,
            RequestRecord.Owner.init
        )
        let identifier = try center.identifier(owner.identifier)
        guard identifier.record.delivered == delivery else {
            throw .disagrees(identifier.key, in: batch.tables.identifiers)
        }
        identifier.record.delivered = nil
        let thread = try watchedThread(sequence)
        try center.records.release(try takeRow(delivery), of: identifier)
        center.tell(.removed(center.reference(owner.identifier, delivery), thread: thread))
        try center.events.record(
            .removed(.init(reason: reason, identifier: owner.identifier, delivery: delivery))
        )
    }

    /// Removes every notification from the list, except `kept`, as a badge of 0 does on Apple's
    /// system (B-5).
    ///
    /// - Complexity: O(*n*) in the list, which is limited.
    func clear(except kept: UInt64? = nil) throws(LMDBError) {
        for key in try center.keys(in: table, atMost: .max) {
            let delivery = try Key.number(inNumbered: key)
            if delivery != kept { try remove(delivery, reason: .app) }
        }
    }

    /// Removes the oldest notification from a full list (D-19).
    func removeOldest() throws(LMDBError) {
        guard let oldest = try oldest() else {
            throw .disagrees(Key.number(center.number), in: batch.tables.centers)
        }
        try remove(try Key.number(inNumbered: oldest.key), reason: .retention)
    }

    /// The thread that names a notification's group: read only where the device has watchers.
    private func watchedThread(_ sequence: UInt64) throws(LMDBError) -> String {
        guard batch.observer.isWatched(center.name.device) else { return "" }
        return try center.records.request(sequence).request.content.groupingThread
    }
}
