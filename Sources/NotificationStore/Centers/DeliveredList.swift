internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The list of a center's delivered notifications: kept for 7 days, and at most 1,000 (D-19).
struct DeliveredList {
    let center: CenterWork
    /// How many of the oldest deliveries are read at once at most.
    private static let readAheadCount = 64
    private var batch: Batch { center.batch }
    private var table: TypedTable<DeliveryKey, DeliveredRecord> { batch.tables.delivered }

    /// A delivery that left the list, or does not come back from a snooze, because a newer
    /// occurrence has its identifier.
    struct Replaced {
        var delivery: DeliveryNumber
        var thread: String
        /// Whether the delivery was in the list; if not, it was snoozed.
        var isListed = true
    }

    private func key(_ delivery: DeliveryNumber) -> DeliveryKey {
        DeliveryKey(delivery, of: center.number)
    }

    func contains(_ delivery: DeliveryNumber) throws(StoreFailure) -> Bool {
        let oldest = center.oldestDeliveries.rows.last
        if let oldest, delivery < oldest.key.number { return false }
        return try batch.transaction.contains(key(delivery), in: table)
    }

    func row(_ delivery: DeliveryNumber) throws(StoreFailure) -> DeliveredRecord {
        try batch.transaction.row(key(delivery), in: table)
    }

    /// The numbers of the deliveries in a range, in order.
    func deliveries(
        after position: DeliveryNumber,
        upTo end: DeliveryNumber,
        atMost limit: Int
    ) throws(StoreFailure) -> [DeliveryNumber] {
        try center.keys(in: table, after: key(position), atMost: limit).map(\.number)
            .filter { $0 <= end }
    }

    func oldest() throws(StoreFailure) -> (delivery: DeliveryNumber, row: DeliveredRecord)? {
        let first = try batch.transaction.rows(in: table, .center(center.number), atMost: 1).first
        return first.map { ($0.key.number, $0.row) }
    }

    /// Puts a delivery at the end of the list.
    ///
    /// - Returns: Until when the delivery waits for the summary; nil where it does not wait.
    func append(
        _ delivery: DeliveryNumber,
        of sequence: RequestNumber,
        _ presentation: Presentation,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> WallInstant? {
        var record = DeliveredRecord(
            sequence: sequence,
            identifier: identifier.name,
            at: batch.now,
            event: center.state.lastEvent.next
        )
        record.isHeld = presentation.isHeld
        record.silencingFocus = presentation.silencingFocus
        let heldUntil = presentation.isHeld ? try center.summary.hold() : nil
        try batch.transaction.insert(record, at: key(delivery), in: table)
        identifier.record.delivered = delivery
        center.state.deliveredCount += 1
        return heldUntil
    }

    private func takeRow(
        _ delivery: DeliveryNumber,
        of identifier: IdentifierWork
    ) throws(StoreFailure) -> DeliveredRecord {
        let row = try row(delivery)
        try take(row, delivery, of: identifier)
        return row
    }

    /// Removes a delivery whose row was read.
    private func take(
        _ row: DeliveredRecord,
        _ delivery: DeliveryNumber,
        of identifier: IdentifierWork
    ) throws(StoreFailure) {
        try center.replacementKeys.forgetDelivered(identifier)
        try takeEntry(row, delivery)
    }

    /// Removes a delivery's row, which was read, and nothing that refers to it.
    private func takeEntry(
        _ row: DeliveredRecord,
        _ delivery: DeliveryNumber
    ) throws(StoreFailure) {
        try batch.transaction.deleteExisting(key(delivery), in: table, wasRead: true)
        let place = center.oldestDeliveries.rows.lastIndex { $0.key.number == delivery }
        if let place { center.oldestDeliveries.rows.remove(at: place) }
        center.state.deliveredCount -= 1
        if row.isHeld { try center.summary.endHold() }
        batch.presentationWork.close(center.number, delivery)
    }

    /// Takes the delivery of an identifier out of the list for a snooze: its request's record and
    /// its replacement key stay.
    func takeSnoozed(
        _ identifier: IdentifierWork,
        until end: WallInstant
    ) throws(StoreFailure) -> DeliveredRecord {
        guard let delivery = identifier.record.delivered.take() else {
            throw identifier.disagreement(in: batch)
        }
        let row = try row(delivery)
        if Fault.snoozeOutlivesItsKey.isPlanted {
            try center.replacementKeys.forgetDelivered(identifier)
        }
        try takeEntry(row, delivery)
        let thread = try watchedThread(row.sequence)
        let reference = center.reference(identifier.name, delivery)
        center.tell(.removed(reference, thread: thread, snoozedUntil: end))
        return row
    }

    /// Removes the delivery that another occurrence of its identifier replaces.
    ///
    /// `sequence` is the request of the new occurrence: its record stays.
    ///
    /// - Returns: The removed delivery; nil where the list has no delivery of the identifier.
    func takeReplaced(
        by sequence: RequestNumber,
        _ identifier: IdentifierWork
    ) throws(StoreFailure) -> Replaced? {
        guard let delivery = identifier.record.delivered.take() else {
            return try center.snoozed.takeReplaced(by: sequence, identifier).map {
                Replaced(delivery: $0, thread: "", isListed: false)
            }
        }
        let row = try takeRow(delivery, of: identifier)
        let thread = try watchedThread(row.sequence)
        if row.sequence != sequence {
            try center.records.release(row.sequence, row.event, of: identifier)
        }
        return Replaced(delivery: delivery, thread: thread)
    }

    /// Removes the delivery of an identifier, without an event; the identifier must have one.
    func drop(_ identifier: IdentifierWork) throws(StoreFailure) {
        guard let delivery = identifier.record.delivered.take() else { return }
        let row = try takeRow(delivery, of: identifier)
        try center.records.release(row.sequence, row.event, of: identifier)
    }

    /// Removes a notification from the list, with an event.
    func remove(_ delivery: DeliveryNumber, reason: RemovalReason) throws(StoreFailure) {
        try remove(try row(delivery), delivery, reason)
    }

    private func remove(
        _ row: DeliveredRecord,
        _ delivery: DeliveryNumber,
        _ reason: RemovalReason
    ) throws(StoreFailure) {
        let identifier = try center.identifier(row.identifier)
        guard identifier.record.delivered == delivery else {
            throw identifier.disagreement(in: batch)
        }
        identifier.record.delivered = nil
        let thread = try watchedThread(row.sequence)
        try take(row, delivery, of: identifier)
        try center.records.release(row.sequence, row.event, of: identifier)
        let reference = center.reference(row.identifier, delivery)
        center.tell(.removed(reference, thread: thread, snoozedUntil: nil))
        try center.events.record(
            .removed(.init(reason: reason, identifier: row.identifier, delivery: delivery))
        )
    }

    /// Removes every notification from the list, except `kept`, as a badge of 0 does on Apple's
    /// system (B-5).
    ///
    /// - Complexity: O(*n*) in the list, which is limited.
    func clear(except kept: DeliveryNumber? = nil) throws(StoreFailure) {
        for key in try center.keys(in: table) where key.number != kept {
            try remove(key.number, reason: .app)
        }
    }

    /// Removes the oldest notification from a full list (D-19), except one on which an act waits
    /// for the unlock.
    func removeOldest() throws(StoreFailure) {
        let kept = try center.unlockDeadlines()
        func oldest() -> (key: DeliveryKey, row: DeliveredRecord)? {
            center.oldestDeliveries.rows.last { kept[$0.key.number] == nil }
        }
        if oldest() == nil {
            try readAhead(past: kept.count)
        }
        guard let oldest = oldest() else {
            throw .disagrees(center.number, in: batch.tables.centers)
        }
        try remove(oldest.row, oldest.key.number, .retention)
    }

    /// Reads the oldest deliveries: more where the batch takes more.
    ///
    /// `keptCount` is how many of the list are not removed.
    private func readAhead(past keptCount: Int) throws(StoreFailure) {
        let before = center.oldestDeliveries
        // All that was read before is gone, unless some of it was kept.
        let rows = try batch.transaction.rows(
            in: table,
            .center(center.number),
            after: keptCount == 0 ? before.end : nil,
            atMost: keptCount + before.nextCount
        )
        center.oldestDeliveries = OldestDeliveries(
            rows: rows.reversed(),
            end: keptCount == 0 ? rows.last?.key : nil,
            nextCount: min(8 * before.nextCount, Self.readAheadCount)
        )
    }

    /// The thread that names a notification's group: read only where the device has watchers.
    private func watchedThread(_ sequence: RequestNumber) throws(StoreFailure) -> String {
        guard batch.observer.isWatched(center.name.device) else { return "" }
        return try center.records.request(sequence).request.content.groupingThread
    }
}

/// The oldest deliveries of a center that a batch has read.
struct OldestDeliveries {
    /// Those that are in the list still: the oldest is the last.
    var rows: [(key: DeliveryKey, row: DeliveredRecord)] = []
    /// The last key that was read, where none before it was left out.
    var end: DeliveryKey?
    /// How many are read the next time.
    var nextCount = 1
}
