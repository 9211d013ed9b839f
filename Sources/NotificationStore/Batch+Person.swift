internal import LMDB
internal import NotificationCore

// What the person does with notifications (semantics.md 17): a response to the app is a callback
// that waits for it, and what is acted on leaves the list, in one transaction.

extension Batch {
    /// A notification in a center's list.
    struct Listed {
        var number: UInt32
        var delivery: UInt64
        var row: DeliveredRecord
        var record: RequestRecord

        var key: [UInt8] { Key.numbered(delivery, center: number) }
        var identifier: String { record.request.identifier }
    }

    /// Finds the notification that the person saw, or says that it is another one by now.
    func listed(
        _ reference: NotificationReference,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Result<Listed, Refusal> {
        guard let number = try number(of: reference.center, in: transaction) else {
            return .failure(.notRegistered(reference.center))
        }
        let key = Key.identifier(reference.identifier, center: number)
        let identifier = try transaction.identifierRecord(key: key, tables)
        guard let delivery = identifier.delivered, delivery >= reference.delivery else {
            return .failure(.notificationNotFound)
        }
        guard delivery == reference.delivery else { return .failure(.notificationReplaced) }
        return .success(try listed(delivery, of: number, in: transaction))
    }

    /// Reads a notification that is in the list.
    func listed(
        _ delivery: UInt64,
        of number: UInt32,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Listed {
        let row = try transaction.deliveredRecord(delivery, center: number, tables)
        let record = try transaction.record(row.sequence, tables)
        return Listed(number: number, delivery: delivery, row: row, record: record)
    }

    /// Decides what an act on a notification leads to now.
    func decision(
        of act: PersonAct,
        on listed: Listed,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Result<ActDecision, Refusal> {
        let center = try center(listed.number, in: transaction)
        let isLocked = try device(of: center, in: transaction).isLocked
        let category = try transaction.category(
            listed.record.request.content.categoryIdentifier,
            center: listed.number,
            tables
        )
        return Result { () throws(Refusal) in
            try act.decision(for: category, isLocked: isLocked)
        }
    }

    /// Does what was decided: the app is told, and the notification leaves the list.
    ///
    /// - Returns: Why not, where the app has too many responses that it did not take; nothing
    ///   happened then.
    func perform(
        _ decision: ActDecision,
        on listed: Listed,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Refusal? {
        var center = try center(listed.number, in: transaction)
        if let response = decision.response {
            guard center.openResponseCount < limits.responsesPerCenter else {
                return .responseLimit(limits.responsesPerCenter)
            }
            _ = try respond(
                CallbackRecord.Response(
                    request: listed.record,
                    date: listed.row.date,
                    delivery: listed.delivery,
                    action: response.actionIdentifier,
                    text: response.userText
                ),
                center: &center,
                number: listed.number,
                in: transaction
            )
            tellLaunch(decision.launch, for: listed, of: center)
        }
        if decision.leavesList {
            try removeDelivered(
                key: listed.key,
                reason: .person,
                center: &center,
                number: listed.number,
                in: transaction
            )
            counts.removed += 1
        }
        setCenter(listed.number, center)
        return nil
    }

    // MARK: Waiting for the unlock

    /// Keeps an act until the device is unlocked (semantics.md RSP-5).
    ///
    /// What waited for too long goes first: nobody is told of it, so nothing has to be done when it
    /// ends.
    ///
    /// - Returns: Why not, where the device has too many that wait.
    func waitForUnlock(
        _ act: UnlockWaitRecord.Action,
        on listed: Listed,
        device: String,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Refusal? {
        let waits = try unlockWaits(of: device, in: transaction)
        for wait in waits where wait.record.deadline <= now.elapsed {
            try transaction.deleteExisting(wait.key, in: tables.unlockWaits)
        }
        let openCount = waits.count { $0.record.deadline > now.elapsed }
        guard openCount < limits.unlockWaitsPerDevice else {
            return .responseLimit(limits.unlockWaitsPerDevice)
        }
        let record = UnlockWaitRecord(
            center: listed.number,
            deadline: now.elapsed.advanced(byNanoseconds: Limits.unlockNanoseconds),
            identifier: listed.identifier,
            delivery: listed.delivery,
            action: act
        )
        let key = Key.unlockWait(state.nextSequence, device: device)
        state.nextSequence += 1
        try transaction.put(record.bytes, forKey: key, in: tables.unlockWaits)
        let reference = NotificationReference(
            center: try center(listed.number, in: transaction).name,
            identifier: listed.identifier,
            delivery: listed.delivery
        )
        tell(
            .unlockRequested(
                reference,
                action: act.identifier,
                deadline: now.wall(at: record.deadline)
            ),
            on: device
        )
        hasChanged = true
        return nil
    }

    /// Does what waited for a device that is unlocked now, in the order in which it was done.
    ///
    /// What waited for too long is dropped, and so is what the app no longer offers or what is
    /// about a notification that is gone.
    func releaseUnlockWaits(
        of device: String,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        for wait in try unlockWaits(of: device, in: transaction) {
            try transaction.deleteExisting(wait.key, in: tables.unlockWaits)
            let record = wait.record
            guard record.deadline > now.elapsed else { continue }
            let key = Key.identifier(record.identifier, center: record.center)
            let identifier = try transaction.identifierRecord(key: key, tables)
            guard identifier.delivered == record.delivery else { continue }
            let listed = try listed(record.delivery, of: record.center, in: transaction)
            let act = PersonAct.action(
                identifier: record.action.identifier,
                text: record.action.text
            )
            guard let decision = try? decision(of: act, on: listed, in: transaction).get() else {
                continue
            }
            _ = try perform(decision, on: listed, in: transaction)
        }
        hasChanged = true
    }

    private func unlockWaits(
        of device: String,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [(key: [UInt8], record: UnlockWaitRecord)] {
        let prefix = Key.unlockWaits(device: device)
        return try transaction.withCursor(in: tables.unlockWaits) { cursor throws(LMDBError) in
            var waits: [(key: [UInt8], record: UnlockWaitRecord)] = []
            var found = try cursor.seek(atOrAfter: prefix)
            while found {
                let (key, value) = try cursor.entry()
                guard key.starts(with: prefix) else { break }
                waits.append((key, try UnlockWaitRecord(value)))
                found = try cursor.move(to: .next)
            }
            return waits
        }
    }
}

extension Refusal {
    static let notificationNotFound = Refusal(
        .notFound,
        reason: "NOTIFICATION_NOT_FOUND",
        message: "notification: is not in the list: it was removed, or never was there"
    )

    static let notificationReplaced = Refusal(
        .failedPrecondition,
        reason: "NOTIFICATION_REPLACED",
        message: "notification: was replaced by a newer one: look at that one first"
    )

    static func responseLimit(_ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: "RESPONSE_LIMIT",
            message: "\(limit) responses wait already, the limit",
            metadata: ["limit": "\(limit)"]
        )
    }
}
