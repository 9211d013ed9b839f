internal import LMDB
internal import NotificationCore

extension Batch {
    /// Records what became of an occurrence, as its event and in the list of delivered ones.
    ///
    /// The move out of pending and the event are in one transaction, so each occurrence is recorded
    /// exactly once. The caller writes `identifier` and `center`. Gives the event's number.
    func settle(
        _ outcome: Outcome,
        of fired: EventRecord.Fired,
        _ request: NotificationRequest,
        for identifier: inout IdentifierRecord,
        center: inout NotificationCenter,
        number: UInt32,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> UInt64 {
        let event = center.lastEvent + 1
        switch outcome {
        case .delivered(let options):
            counts.delivered += 1
            try deliver(
                options,
                of: fired,
                request,
                for: &identifier,
                center: &center,
                number: number,
                in: transaction
            )
        case .suppressed:
            counts.suppressed += 1
            try record(
                .suppressed(fired),
                of: request,
                for: &center,
                number: number,
                in: transaction
            )
        case .missed:
            counts.missed += 1
            try record(
                .missed(fired),
                of: request,
                for: &center,
                number: number,
                in: transaction
            )
        }
        return event
    }

    private func deliver(
        _ options: PresentationOptions,
        of fired: EventRecord.Fired,
        _ request: NotificationRequest,
        for identifier: inout IdentifierRecord,
        center: inout NotificationCenter,
        number: UInt32,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        center.lastDelivery += 1
        let delivery = center.lastDelivery
        let replaced = identifier.delivered.take()
        if let replaced {
            let key = Key.numbered(replaced, center: number)
            let row = try transaction.deliveredRecord(replaced, center: number, tables)
            try transaction.deleteExisting(key, in: tables.delivered)
            center.deliveredCount -= 1
            if row.sequence != fired.sequence {
                try release(row, pending: identifier.pending, center, in: transaction)
            }
        }
        if options.contains(.list) {
            let record = DeliveredRecord(
                sequence: fired.sequence,
                date: now.wall,
                event: center.lastEvent + 1
            )
            try transaction.put(
                record.bytes,
                forKey: Key.numbered(delivery, center: number),
                in: tables.delivered
            )
            identifier.delivered = delivery
            center.deliveredCount += 1
        }
        let badgeChanged = center.applyBadge(of: request.content, with: options)
        try record(
            .delivered(fired, delivery: delivery, options, replaced: replaced),
            of: request,
            for: &center,
            number: number,
            in: transaction
        )
        if badgeChanged {
            try record(.badgeChanged(center.badge), for: &center, number: number, in: transaction)
        }
        if center.deliveredCount > limits.deliveredPerCenter {
            try removeOldest(center: &center, number: number, in: transaction)
        }
    }

    /// Takes the oldest notification out of a full list (semantics.md D-19).
    private func removeOldest(
        center: inout NotificationCenter,
        number: UInt32,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard let oldest = try oldestDelivered(of: number, in: transaction) else {
            throw ByteReader.corrupted
        }
        try removeDelivered(
            key: oldest.key,
            reason: .retention,
            center: &center,
            number: number,
            in: transaction
        )
    }

    /// Takes a notification out of the delivered list, and records that.
    func removeDelivered(
        key: [UInt8],
        reason: RemovalReason,
        center: inout NotificationCenter,
        number: UInt32,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        guard let bytes = try transaction.value(forKey: key, in: tables.delivered) else {
            throw ByteReader.corrupted
        }
        let row = try DeliveredRecord(bytes)
        let request = try transaction.record(row.sequence, tables)
        let identifierKey = Key.identifier(request.request.identifier, center: request.center)
        var identifier = try transaction.identifierRecord(key: identifierKey, tables)
        let delivery = identifier.delivered.take()
        try setIdentifier(key: identifierKey, to: identifier, in: transaction)
        try transaction.deleteExisting(key, in: tables.delivered)
        center.deliveredCount -= 1
        try release(row, pending: identifier.pending, center, in: transaction)
        let removed = Event.Removed(
            reason: reason,
            identifier: request.request.identifier,
            delivery: delivery
        )
        try record(.removed(removed), for: &center, number: number, in: transaction)
    }
}
