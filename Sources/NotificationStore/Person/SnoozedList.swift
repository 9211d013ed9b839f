internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The notifications of a center that the person snoozed: they left the list, and come back
/// (SNZ-1).
///
/// A snooze is a row of `snoozed` and a row of a due index, both written in the transaction in
/// which the notification leaves the list. An identifier has a delivery in the list or one that is
/// snoozed, never both.
struct SnoozedList: CenterPart {
    let center: CenterWork
    private var table: TypedTable<DeliveryKey, SnoozedRecord> { batch.tables.snoozed }

    private func key(_ delivery: DeliveryNumber) -> DeliveryKey {
        DeliveryKey(delivery, of: center.number)
    }

    /// Whether the delivery is snoozed, and so not in the list.
    func contains(_ delivery: DeliveryNumber) throws(StoreFailure) -> Bool {
        guard center.state.snoozedCount > 0 else { return false }
        return try batch.transaction.contains(key(delivery), in: table)
    }

    func row(_ delivery: DeliveryNumber) throws(StoreFailure) -> SnoozedRecord {
        try batch.transaction.row(key(delivery), in: table)
    }

    // MARK: Begin

    /// Snoozes a delivery that was taken out of the list.
    func put(
        _ row: SnoozedRecord,
        _ delivery: DeliveryNumber,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        identifier.record.snoozed = delivery
        center.state.snoozedCount += 1
        try write(row, delivery)
        try record(row, delivery, identifier)
    }

    /// Lets a snoozed delivery come back at another instant, as the person asks.
    func move(
        _ delivery: DeliveryNumber,
        to due: Due,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        var row = try row(delivery)
        row.waitsSince = nil
        try move(&row, delivery, to: due)
        try record(row, delivery, identifier)
    }

    private func move(
        _ row: inout SnoozedRecord,
        _ delivery: DeliveryNumber,
        to due: Due
    ) throws(StoreFailure) {
        try deleteDue(row)
        row.due = due
        try write(row, delivery)
    }

    private func record(
        _ row: SnoozedRecord,
        _ delivery: DeliveryNumber,
        _ identifier: IdentifierWork
    ) throws(StoreFailure) {
        try center.events.record(
            .snoozed(
                Event.Snoozed(
                    identifier: identifier.name,
                    delivery: delivery,
                    until: row.due.date(asOf: batch.now)
                )
            )
        )
    }

    // MARK: End

    /// Delivers a snoozed notification again, as itself: once, however late (SNZ-3).
    func comeBack(_ sequence: RequestNumber, due: Due) throws(StoreFailure) {
        let record = try center.records.request(sequence)
        let identifier = try center.identifier(record.request.identifier)
        guard let delivery = identifier.record.snoozed else {
            throw identifier.disagreement(in: batch)
        }
        var row = try row(delivery)
        guard row.sequence == sequence, row.due == due else {
            throw .disagrees(key(delivery), in: table)
        }
        let late = due.nanosecondsLate(at: batch.now)
        guard identifier.record.arriving == nil,
            try center.replacementKeys.arrivingMate(of: record.request.head, as: identifier) == nil
        else {
            if Fault.snoozeLostToWhatArrives.isPlanted, identifier.record.arriving == nil {
                return try remove(identifier, reason: .replaced)
            }
            // Wait for the answer about a newer occurrence, which replaces this one if it shows.
            row.waitsSince = row.waitsSince ?? batch.now.advanced(byNanoseconds: -late)
            let end = batch.now.elapsed.advanced(byNanoseconds: Limits.willPresentNanoseconds)
            return try move(&row, delivery, to: .elapsed(end))
        }
        _ = try take(identifier)
        try center.records.noteReturn(of: record, sequence, row.event, as: identifier)
        if Fault.snoozeLostAtRestart.isPlanted, late > Limits.latenessNanoseconds { return }
        batch.counts.fired += 1
        batch.counts.lateness.record(late)
        var fired = EventRecord.Fired(
            sequence: sequence,
            lateByNanoseconds: late,
            collapsedCount: 0,
            snoozed: delivery
        )
        if let since = row.waitsSince {
            fired.due = since.wall
            fired.lateByNanoseconds = batch.now.elapsed.nanoseconds(since: since.elapsed)
        }
        try center.occurrences.comeBack(fired, record.request.head, as: identifier)
    }

    /// Removes a snoozed notification, with an event; the identifier must have one.
    func remove(_ identifier: IdentifierWork, reason: RemovalReason) throws(StoreFailure) {
        guard let (delivery, row) = try take(identifier) else { return }
        try center.records.release(row.sequence, row.event, of: identifier)
        try center.events.record(
            .removed(.init(reason: reason, identifier: identifier.name, delivery: delivery))
        )
    }

    /// Removes the snoozed notification of an identifier, without an event.
    func drop(_ identifier: IdentifierWork) throws(StoreFailure) {
        guard let (_, row) = try take(identifier) else { return }
        try center.records.release(row.sequence, row.event, of: identifier)
    }

    /// Removes the snoozed delivery that a newer occurrence of its identifier replaces.
    ///
    /// `sequence` is the request of the new occurrence: its record stays.
    ///
    /// - Returns: The delivery; nil where none is snoozed.
    func takeReplaced(
        by sequence: RequestNumber,
        _ identifier: IdentifierWork
    ) throws(StoreFailure) -> DeliveryNumber? {
        guard let (delivery, row) = try take(identifier) else { return nil }
        if row.sequence != sequence {
            try center.records.release(row.sequence, row.event, of: identifier)
        }
        return delivery
    }

    // MARK: Rows

    /// Deletes the rows of an identifier's snooze, and gives them.
    private func take(
        _ identifier: IdentifierWork
    ) throws(StoreFailure) -> (delivery: DeliveryNumber, row: SnoozedRecord)? {
        guard let delivery = identifier.record.snoozed.take() else { return nil }
        try center.replacementKeys.forgetDelivered(identifier)
        let row = try row(delivery)
        try batch.transaction.deleteExisting(key(delivery), in: table)
        try deleteDue(row)
        center.state.snoozedCount -= 1
        return (delivery, row)
    }

    private func write(_ row: SnoozedRecord, _ delivery: DeliveryNumber) throws(StoreFailure) {
        try batch.transaction.put(row, at: key(delivery), in: table)
        let (due, index) = batch.tables.due(row.due, of: row.sequence, isSnoozed: true)
        try batch.transaction.put(DueRow(center: center.number), at: due, in: index)
        batch.hasChanged = true
    }

    private func deleteDue(_ row: SnoozedRecord) throws(StoreFailure) {
        let (due, index) = batch.tables.due(row.due, of: row.sequence, isSnoozed: true)
        try batch.transaction.deleteExisting(due, in: index)
    }
}
