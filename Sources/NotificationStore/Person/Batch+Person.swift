internal import BelfryLMDB
internal import NotificationCore

// What the person does with notifications (§17): a response to the app is a callback
// that waits for it, and what is acted on leaves the list, in one transaction.

extension Batch {
    /// A notification in a center's list, or on the screen alone.
    struct Listed {
        var number: UInt32
        var delivery: UInt64
        var date: WallInstant
        var record: RequestRecord
        /// Whether it has an entry in the list; if not, its banner is all that there is of it.
        var hasEntry = true

        var key: [UInt8] { Key.numbered(delivery, center: number) }
        var identifier: String { record.request.identifier }
    }

    /// Finds the notification that the person saw, or says that it is another one by now.
    func listed(_ reference: NotificationReference) throws(LMDBError) -> Result<Listed, Refusal> {
        guard let number = try number(of: reference.center) else {
            return .failure(.notRegistered(reference.center))
        }
        let key = Key.identifier(reference.identifier, center: number)
        let entry = try transaction.identifierRecord(key: key, tables).delivered
        let banner = try center(number)
            .banner(of: reference.identifier, at: now.elapsed)
        if entry == reference.delivery {
            return .success(try listed(reference.delivery, of: number))
        }
        if let banner, banner.delivery == reference.delivery,
            let shown = try listed(banner, of: number)
        {
            return .success(shown)
        }
        let newest = max(entry ?? 0, banner?.delivery ?? 0)
        return .failure(newest > reference.delivery ? .notificationReplaced : .notificationNotFound)
    }

    /// Reads what only a banner shows; nil where its event is trimmed already, and its content with
    /// it.
    private func listed(_ banner: ShownBanner, of number: UInt32) throws(LMDBError) -> Listed? {
        let key = Key.number(banner.sequence)
        guard let bytes = try transaction.value(forKey: key, in: tables.records) else { return nil }
        return Listed(
            number: number,
            delivery: banner.delivery,
            date: banner.date,
            record: try RequestRecord(bytes),
            hasEntry: false
        )
    }

    /// Reads a notification that is in the list.
    func listed(_ delivery: UInt64, of number: UInt32) throws(LMDBError) -> Listed {
        let row = try transaction.deliveredRecord(delivery, center: number, tables)
        let record = try transaction.record(row.sequence, tables)
        return Listed(number: number, delivery: delivery, date: row.date, record: record)
    }

    /// Decides what an act on a notification leads to now.
    func decision(
        of act: PersonAct,
        on listed: Listed
    ) throws(LMDBError) -> Result<ActDecision, Refusal> {
        let center = try center(listed.number)
        let isLocked = try device(of: center).isLocked
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
    func perform(_ decision: ActDecision, on listed: Listed) throws(LMDBError) -> Refusal? {
        var center = try center(listed.number)
        if let response = decision.response {
            guard center.openResponseCount < limits.responsesPerCenter else {
                return .responseLimit(limits.responsesPerCenter)
            }
            _ = try respond(
                CallbackRecord.Response(
                    request: listed.record,
                    date: listed.date,
                    delivery: listed.delivery,
                    action: response.actionIdentifier,
                    text: response.userText
                ),
                center: &center,
                number: listed.number
            )
            tellLaunch(decision.launch, for: listed, of: center)
        }
        if !listed.hasEntry {
            // Whatever the act, a banner that was acted on is gone.
            center.hideBanner(of: listed.identifier)
        } else if decision.leavesList {
            try removeDelivered(
                key: listed.key,
                reason: .person,
                center: &center,
                number: listed.number
            )
            counts.removed += 1
        }
        setCenter(listed.number, center)
        return nil
    }

    // MARK: Waiting for the unlock

    /// Keeps an act until the device is unlocked (RSP-5, D-24).
    ///
    /// What waited for too long goes first: nothing has to be done at the instant when it ends.
    ///
    /// - Returns: Why not, where an act on the notification waits already or the device has too
    ///   many that wait.
    func waitForUnlock(
        _ act: UnlockWaitRecord.Action,
        on listed: Listed,
        device: String
    ) throws(LMDBError) -> Refusal? {
        let waits = try unlockWaits(of: device)
        for wait in waits where wait.record.deadline <= now.elapsed {
            try transaction.deleteExisting(wait.key, in: tables.unlockWaits)
            hasChanged = true
            guard let late = try reference(of: wait.record) else { continue }
            let action = wait.record.action.identifier
            tell(.unlockEnded(late, action: action, .unlockTimedOut), on: device)
        }
        let open = waits.map(\.record).filter { $0.deadline > now.elapsed }
        if open.contains(where: { $0.center == listed.number && $0.delivery == listed.delivery }) {
            return .actWaiting
        }
        guard open.count < limits.unlockWaitsPerDevice else {
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
        var center = try center(listed.number)
        if !listed.hasEntry {
            // It was acted on while it showed: it stays until that is done.
            center.keepBanner(of: listed.identifier, until: record.deadline)
            setCenter(listed.number, center)
        }
        tell(
            .unlockRequested(
                NotificationReference(
                    center: center.name,
                    identifier: listed.identifier,
                    delivery: listed.delivery
                ),
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
    /// about a notification that is gone; the device is told what became of each.
    func releaseUnlockWaits(of device: String) throws(LMDBError) {
        for wait in try unlockWaits(of: device)
        where begin(center: wait.record.center) {
            try transaction.deleteExisting(wait.key, in: tables.unlockWaits)
            guard let reference = try reference(of: wait.record) else { continue }
            let refusal = try release(wait.record, on: reference)
            let action = wait.record.action.identifier
            tell(.unlockEnded(reference, action: action, refusal), on: device)
        }
        endWork()
        hasChanged = true
    }

    /// Names the notification that an act is about; nil where its app is gone, and all of it.
    private func reference(of wait: UnlockWaitRecord) throws(LMDBError) -> NotificationReference? {
        guard let center = try knownCenter(wait.center),
            try number(of: center.name) == wait.center
        else { return nil }
        return NotificationReference(
            center: center.name,
            identifier: wait.identifier,
            delivery: wait.delivery
        )
    }

    /// Does what waited, and gives why not where it cannot be done any more.
    private func release(
        _ wait: UnlockWaitRecord,
        on reference: NotificationReference
    ) throws(LMDBError) -> Refusal? {
        guard wait.deadline > now.elapsed else { return .unlockTimedOut }
        let listed: Listed
        switch try self.listed(reference) {
        case .success(let found): listed = found
        case .failure(let refusal): return refusal
        }
        let isOpen = wait.action.identifier.isExactly(NotificationAction.defaultIdentifier)
        let act: PersonAct =
            isOpen
            ? .open : .action(identifier: wait.action.identifier, text: wait.action.text)
        switch try decision(of: act, on: listed) {
        case .success(let decision): return try perform(decision, on: listed)
        case .failure(let refusal): return refusal
        }
    }

    private func unlockWaits(
        of device: String
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
    /// Another act on the notification came first, and waits.
    fileprivate static let actWaiting = Refusal(
        .failedPrecondition,
        reason: "ACT_WAITING",
        message: """
            notification: another act on it waits for the unlock already: unlock the device, or \
            wait until that is dropped
            """
    )

    /// The device was not unlocked in time.
    fileprivate static let unlockTimedOut = Refusal(
        .deadlineExceeded,
        reason: "UNLOCK_TIMED_OUT",
        message: "the device was not unlocked in time, so that nothing was done"
    )

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
