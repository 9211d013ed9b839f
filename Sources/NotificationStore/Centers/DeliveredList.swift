internal import DequeModule
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The list of a center's delivered notifications: kept for 7 days, and at most 1,000 (D-19).
struct DeliveredList {
    let center: CenterWork
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
        if let known = center.oldestDeliveries.contains(delivery) { return known }
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

    /// The oldest delivery that is not left out; nil where the list has none.
    func oldest(
        except isLeftOut: (DeliveryNumber) -> Bool = { _ in false }
    ) throws(StoreFailure) -> OldestDeliveries.Entry? {
        while true {
            if let oldest = center.oldestDeliveries.first(except: isLeftOut) { return oldest }
            if center.oldestDeliveries.isWhole { return nil }
            let rows = try batch.transaction.rows(
                in: table,
                .center(center.number),
                after: center.oldestDeliveries.end.map(key),
                atMost: center.oldestDeliveries.nextCount
            )
            center.oldestDeliveries.append(rows)
        }
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
        center.oldestDeliveries.note(delivery, record, of: identifier)
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
        center.oldestDeliveries.remove(delivery)
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
        let row = try row(delivery)
        try remove(row, delivery, of: try center.identifier(row.identifier), reason)
    }

    /// Removes a notification that ``oldest(except:)`` gave, with an event.
    func remove(
        _ oldest: OldestDeliveries.Entry,
        reason: RemovalReason
    ) throws(StoreFailure) {
        guard let identifier = oldest.identifier else {
            let identifier = try center.identifier(oldest.row.identifier)
            return try remove(oldest.row, oldest.delivery, of: identifier, reason)
        }
        center.identifiers.touch(identifier)
        try remove(oldest.row, oldest.delivery, of: identifier, reason)
    }

    private func remove(
        _ row: DeliveredRecord,
        _ delivery: DeliveryNumber,
        of identifier: IdentifierWork,
        _ reason: RemovalReason
    ) throws(StoreFailure) {
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
        guard let oldest = try oldest(except: { kept[$0] != nil }) else {
            throw .disagrees(center.number, in: batch.tables.centers)
        }
        try remove(oldest, reason: .retention)
    }

    /// The thread that names a notification's group: read only where the device has watchers.
    private func watchedThread(_ sequence: RequestNumber) throws(StoreFailure) -> String {
        guard batch.observer.isWatched(center.name.device) else { return "" }
        return try center.records.request(sequence).request.content.groupingThread
    }
}

/// The oldest deliveries of a center's list, in order, as far as batches have read them.
///
/// Where batches have read the whole list, it has new deliveries, too.
struct OldestDeliveries {
    struct Entry {
        let delivery: DeliveryNumber
        let row: DeliveredRecord
        /// The state of its identifier; nil where that is not known.
        let identifier: IdentifierWork?
    }

    /// The most that are read at once, and that are known where the whole list is.
    private static let most = 1_024

    private var entries: Deque<Entry> = []
    /// Whether the list has no others.
    private(set) var isWhole = false
    /// How many of them have an identifier that is not known.
    private var unknownCount = 0
    /// The last delivery that was read or noted; those before it that are not here are gone.
    private(set) var end: DeliveryNumber?
    /// How many are read the next time.
    private(set) var nextCount = 1

    var count: Int { entries.count }

    /// Whether the list has no delivery of an identifier that is not known.
    var hasAllIdentifiers: Bool { isWhole && unknownCount == 0 }

    /// Whether the list has a delivery; nil where that is not known.
    func contains(_ delivery: DeliveryNumber) -> Bool? {
        guard let end, delivery <= end else { return isWhole ? false : nil }
        return index(of: delivery) != nil
    }

    func first(except isLeftOut: (DeliveryNumber) -> Bool) -> Entry? {
        entries.first { !isLeftOut($0.delivery) }
    }

    /// Takes the next ``nextCount`` deliveries behind ``end``, or those that the list has.
    mutating func append(_ rows: [(key: DeliveryKey, row: DeliveredRecord)]) {
        entries += rows.map { Entry(delivery: $0.key.number, row: $0.row, identifier: nil) }
        unknownCount += rows.count
        isWhole = rows.count < nextCount
        if let last = rows.last { end = last.key.number }
        nextCount = min(8 * nextCount, Self.most)
    }

    /// Notes a new delivery, which is the last of the list.
    mutating func note(
        _ delivery: DeliveryNumber,
        _ row: DeliveredRecord,
        of identifier: IdentifierWork
    ) {
        guard isWhole else { return }
        guard entries.count < Self.most else {
            isWhole = false
            return
        }
        entries.append(Entry(delivery: delivery, row: row, identifier: identifier))
        end = delivery
    }

    mutating func remove(_ delivery: DeliveryNumber) {
        guard let index = index(of: delivery), !Fault.cachedDeliveryStays.isPlanted else { return }
        if entries[index].identifier == nil { unknownCount -= 1 }
        if index == entries.startIndex { entries.removeFirst() } else { entries.remove(at: index) }
    }

    /// - Complexity: O(log *n*), and O(1) for the oldest.
    private func index(of delivery: DeliveryNumber) -> Int? {
        if entries.first?.delivery == delivery { return entries.startIndex }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].delivery < delivery { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].delivery == delivery ? low : nil
    }
}
