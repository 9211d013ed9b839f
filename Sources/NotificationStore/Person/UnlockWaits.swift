internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The acts on a device's notifications that wait until the device is unlocked (RSP-5, D-24).
struct UnlockWaits {
    let batch: Batch
    let device: String
    private var table: TypedTable<UnlockWaitKey, UnlockWaitRecord> { batch.tables.unlockWaits }

    /// Keeps an act until the device is unlocked.
    ///
    /// Expired acts are removed first, so nothing has to be done at the instant at which an act
    /// expires.
    ///
    /// The command is refused where an act on the notification waits already, or too many acts wait
    /// on the device.
    func add(
        _ act: UnlockWaitRecord.Action,
        on listed: ListedWork
    ) throws(StoreFailure) {
        let now = batch.now
        let waits = try rows()
        for wait in waits where wait.row.deadline <= now.elapsed {
            try batch.transaction.deleteExisting(wait.key, in: table)
            batch.hasChanged = true
            guard let late = try reference(of: wait.row) else { continue }
            tell(.unlockEnded(late, action: wait.row.action.identifier, .unlockTimedOut))
        }
        let (center, delivery) = (listed.center, listed.delivery)
        let open = waits.map(\.row).filter { $0.deadline > now.elapsed }
        if open.contains(where: { $0.center == center.number && $0.delivery == delivery }) {
            return try StoreFailure.refuse(Fault.actLostOnUnlock.isPlanted ? nil : .actWaiting)
        }
        guard open.count < batch.limits.unlockWaitsPerDevice else {
            throw .refused(.responseLimit(batch.limits.unlockWaitsPerDevice))
        }
        let record = UnlockWaitRecord(
            center: center.number,
            deadline: now.elapsed.advanced(byNanoseconds: Limits.unlockNanoseconds),
            identifier: listed.identifier,
            delivery: delivery,
            action: act
        )
        let key = UnlockWaitKey(batch.state.takeNumber(), on: device)
        try batch.transaction.put(record, at: key, in: table)
        if !listed.hasEntry {
            // Keep the banner until the act is done: the person acted on it while it was shown.
            center.state.keepBanner(of: listed.identifier, until: record.deadline)
        }
        tell(
            .unlockRequested(
                listed.reference,
                action: act.identifier,
                deadline: now.wall(at: record.deadline)
            )
        )
        batch.hasChanged = true
    }

    /// Keeps an act that was decided until the device is unlocked.
    func wait(
        for decision: ActDecision,
        on listed: ListedWork
    ) throws(StoreFailure) -> RespondOutcome {
        guard let response = decision.response else {
            preconditionFailure("an act that nobody is told of waits for no unlock")
        }
        try add(
            .init(identifier: response.actionIdentifier, text: response.userText),
            on: listed
        )
        return .waitingForUnlock
    }

    /// Does the waiting acts of a device that is unlocked now, in the order of the person's acts.
    ///
    /// An act that waited for too long is dropped, and so is an act that the app no longer offers
    /// or whose notification no longer exists; watchers are told the result of each act.
    func release() throws(StoreFailure) {
        for wait in try rows() where batch.begin(center: wait.row.center) {
            try batch.transaction.deleteExisting(wait.key, in: table)
            guard let reference = try reference(of: wait.row) else { continue }
            try batch.center(wait.row.center).state.letGoBanner(of: reference.identifier)
            let refusal = try StoreFailure.refusal { () throws(StoreFailure) in
                try release(wait.row, on: reference)
            }
            tell(.unlockEnded(reference, action: wait.row.action.identifier, refusal))
        }
        batch.endWork()
        batch.hasChanged = true
    }

    /// Does a waiting act, which is refused where it cannot be done any more.
    private func release(
        _ wait: UnlockWaitRecord,
        on reference: NotificationReference
    ) throws(StoreFailure) {
        guard wait.deadline > batch.now.elapsed else { throw .refused(.unlockTimedOut) }
        let listed = try batch.listed(reference)
        let isOpen = wait.action.identifier.isExactly(NotificationAction.defaultIdentifier)
        let act: PersonAct =
            isOpen
            ? .open : .action(identifier: wait.action.identifier, text: wait.action.text)
        // Use the buttons of the open notification, and the extension that may handle them.
        let open = batch.presentations.of(listed.center.number, listed.delivery)
        let decision: ActDecision
        do throws(StoreFailure) {
            decision = try listed.decision(of: act, offering: open?.actions)
        } catch .refused where open != nil {
            // Try the entry in the list, whose buttons are those of the category.
            decision = try listed.decision(of: act)
        }
        if let open {
            try batch.presentationWork.perform(decision, in: open, listed)
        } else {
            try listed.perform(decision)
        }
    }

    /// Names the notification of an act; nil where the app was unregistered.
    private func reference(
        of wait: UnlockWaitRecord
    ) throws(StoreFailure) -> NotificationReference? {
        guard let center = try batch.knownCenter(wait.center),
            try batch.number(of: center.name) == wait.center
        else { return nil }
        return center.reference(wait.identifier, wait.delivery)
    }

    private func tell(_ news: @autoclosure () -> DeviceNews) { batch.tell(news(), on: device) }

    /// The deliveries of a center on which an act waits, with the instants at which it is dropped.
    func deadlines(
        of center: CenterNumber
    ) throws(StoreFailure) -> [DeliveryNumber: ElapsedInstant] {
        var found: [DeliveryNumber: ElapsedInstant] = [:]
        guard try !batch.transaction.isEmpty(table) else { return found }
        for wait in try rows()
        where wait.row.center == center && wait.row.deadline > batch.now.elapsed {
            found[wait.row.delivery] = wait.row.deadline
        }
        return found
    }

    private func rows() throws(StoreFailure) -> [(key: UnlockWaitKey, row: UnlockWaitRecord)] {
        try batch.transaction.rows(in: table, .device(device))
    }
}

extension Refusal {
    /// An earlier act on the notification waits already.
    fileprivate static let actWaiting = Refusal(
        .failedPrecondition,
        reason: .actWaiting,
        message: """
            notification: another act on it waits for the unlock already: unlock the device, or \
            wait until that is dropped
            """
    )

    /// The device was not unlocked in time.
    fileprivate static let unlockTimedOut = Refusal(
        .deadlineExceeded,
        reason: .unlockTimedOut,
        message: "the device was not unlocked in time, so that nothing was done"
    )
}
