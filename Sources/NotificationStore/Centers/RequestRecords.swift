internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The rows of a center's requests: each row is kept for as long as it is referred to.
struct RequestRecords: CenterPart {
    let center: CenterWork

    /// Stores a request behind all others.
    func store(_ request: NotificationRequest) throws(StoreFailure) -> StoredRequest {
        let sequence = RequestNumber(rawValue: batch.state.takeNumber())
        let record = RequestRecord(
            center: center.number,
            request: request,
            base: batch.now.elapsed,
            addedAt: batch.now.wall
        )
        let row = record.bytes
        let table = batch.tables.records.raw
        try batch.transaction.set(row, at: sequence.bytes, in: table, isNew: true)
        return StoredRequest(sequence: sequence, byteCount: row.count)
    }

    func request(_ sequence: RequestNumber) throws(StoreFailure) -> RequestRecord {
        try batch.transaction.row(sequence, in: batch.tables.records)
    }

    func head(_ sequence: RequestNumber) throws(StoreFailure) -> RequestRecord.Head {
        try batch.head(of: sequence)
    }

    private func put(_ record: RequestRecord, _ sequence: RequestNumber) throws(StoreFailure) {
        try batch.transaction.put(record, at: sequence, in: batch.tables.records)
    }

    private func delete(
        _ sequence: RequestNumber,
        of byteCount: Int? = nil
    ) throws(StoreFailure) {
        try batch.released.release(sequence, of: byteCount)
    }

    /// Notes the newest event of a request that repeats or was snoozed: its record stays until that
    /// event is trimmed.
    func note(
        _ event: EventNumber,
        of fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        guard request.trigger?.repeats == true || fired.snoozed != nil else { return }
        if fired.snoozed != nil { noteReturn(at: event) }
        let sequence = fired.sequence
        if identifier.record.pending?.sequence == sequence {
            identifier.record.pending?.lastEvent = event
        } else {
            var record = try self.request(sequence)
            record.lastEvent = event
            try put(record, sequence)
        }
    }

    /// Notes that a snoozed notification comes back: from now on more than one event refers to its
    /// request's record.
    func noteReturn(
        of record: RequestRecord,
        _ sequence: RequestNumber,
        _ event: EventNumber,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        // At once: the notification may wait for an answer, and get its event later.
        noteReturn(at: center.state.lastEvent.next)
        guard record.lastEvent == nil, identifier.record.pending?.sequence != sequence else {
            return
        }
        var record = record
        record.lastEvent = event
        try put(record, sequence)
    }

    private func noteReturn(at event: EventNumber) {
        if !Fault.returnNotNoted.isPlanted { center.state.newestReturn = event }
    }

    /// Notes that a repeating request ended; its last occurrence may be arriving, and has no event
    /// yet.
    func end(_ pending: IdentifierRecord.Pending) throws(StoreFailure) {
        var ended = try request(pending.sequence)
        ended.lastEvent = pending.lastEvent
        if !Fault.endedWithoutAWord.isPlanted { try put(ended, pending.sequence) }
    }

    /// Removes a pending request, without an event.
    ///
    /// - Returns: Whether the identifier had a pending request.
    @discardableResult
    func takePending(_ identifier: IdentifierWork) throws(StoreFailure) -> Bool {
        guard let pending = identifier.record.pending.take() else { return false }
        let record = try head(pending.sequence)
        if !Fault.removalLeavesDueRow.isPlanted {
            try center.schedule.remove(pending, record.request.trigger)
        }
        center.state.uncountPending(record.request.storedByteCount)
        let isArriving = identifier.record.arriving?.sequence == pending.sequence
        let isListed = try isListed(pending.sequence, as: identifier)
        if pending.lastEvent < center.state.firstEvent && !isListed && !isArriving {
            try delete(pending.sequence)
        } else {
            try end(pending)
        }
        if record.request.content.value.holdsAttachments { batch.touched.append(pending.sequence) }
        return true
    }

    /// Deletes the record of content that is not delivered, of a push or of an extension: no row
    /// refers to it.
    func drop(_ sequence: RequestNumber) throws(StoreFailure) {
        batch.touched.append(sequence)
        try delete(sequence)
    }

    /// Deletes the request's record of a notification that left the list, unless the record is
    /// still referred to.
    ///
    /// `event` is the event of the delivery.
    func release(
        _ sequence: RequestNumber,
        _ event: EventNumber,
        of identifier: IdentifierWork
    ) throws(StoreFailure) {
        batch.touched.append(sequence)
        if Fault.recordReleasedWhileTold.isPlanted { return try delete(sequence) }
        guard event < center.state.firstEvent,
            identifier.record.pending?.sequence != sequence,
            identifier.record.arriving?.sequence != sequence, identifier.settling != sequence
        else { return }
        let head = try head(sequence)
        guard head.lastEvent ?? event < center.state.firstEvent else { return }
        try delete(sequence, of: head.rowByteCount)
    }

    /// Deletes the request's record of a trimmed event, if the event was the last reference to it.
    func releaseTrimmed(by kind: EventRecord.Kind, _ event: EventNumber) throws(StoreFailure) {
        guard let fired = kind.fired else { return }
        let sequence = fired.sequence
        if let byteCount = fired.recordByteCount, center.state.newestReturn < event {
            if try !isKept(kind) { try delete(sequence, of: byteCount) }
            return
        }
        let head = try head(sequence)
        if head.request.trigger?.repeats == true || head.lastEvent != nil {
            // The record of a pending request has no last event, so it stays.
            guard head.lastEvent == event else { return }
            let identifier = try center.identifier(head.request.identifier)
            guard identifier.record.arriving?.sequence != sequence,
                identifier.settling != sequence || Fault.recordReleasedWhileSettled.isPlanted,
                try !isListed(sequence, as: identifier),
                !Fault.recordKeptWhileWithdrawn.isPlanted || !identifier.isChanged
            else { return }
        } else if try isKept(kind) {
            return
        }
        try delete(sequence, of: head.rowByteCount)
    }

    /// Whether the delivery of an event is in the list or snoozed.
    private func isKept(_ kind: EventRecord.Kind) throws(StoreFailure) -> Bool {
        guard case .delivered(let delivered) = kind,
            !Fault.recordReleasedWhileListed.isPlanted
        else { return false }
        if try center.delivered.contains(delivered.delivery) { return true }
        return try center.snoozed.contains(delivered.delivery)
            && !Fault.snoozedRecordReleased.isPlanted
    }

    /// Whether a request is in the list under its identifier, or snoozed.
    private func isListed(
        _ sequence: RequestNumber,
        as identifier: IdentifierWork
    ) throws(StoreFailure) -> Bool {
        if let delivery = identifier.record.snoozed {
            return try center.snoozed.row(delivery).sequence == sequence
        }
        guard let delivery = identifier.record.delivered else { return false }
        return try center.delivered.row(delivery).sequence == sequence
    }
}

/// A request that was stored.
struct StoredRequest {
    let sequence: RequestNumber
    /// The bytes of its record.
    let byteCount: Int
}

extension EventRecord.Kind {
    /// The occurrence that the event is about.
    var fired: EventRecord.Fired? {
        switch self {
        case .delivered(let delivered): delivered.fired
        case .suppressed(let fired, _, _), .missed(let fired): fired
        case .removed, .settingsChanged, .badgeChanged, .expired, .evicted, .responseCompleted,
            .responseExpired, .summaryPresented, .openSettings, .snoozed, .tokenChanged,
            .backgroundPush:
            nil
        }
    }
}

extension Batch {
    /// A request's record without the words of the request.
    func head(of request: RequestNumber) throws(StoreFailure) -> RequestRecord.Head {
        let (key, table) = (request.bytes, tables.records)
        guard let bytes = try transaction.bytes(at: key, in: table) else {
            throw table.error(.missing, key)
        }
        return try table.decoding(key) { () throws(RowProblem) in try RequestRecord.Head(bytes) }
    }
}
