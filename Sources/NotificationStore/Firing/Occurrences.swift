internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// Fires a center's requests: the core decides the outcome, and the store records it.
///
/// The move out of pending and the event are in one transaction, so each occurrence is recorded
/// exactly once.
struct Occurrences: CenterPart {
    let center: CenterWork

    /// Fires a request that is due, and gives how many steps the search for the occurrences took
    /// that the firing represents.
    func fire(
        _ sequence: RequestNumber,
        _ record: RequestRecord.Head,
        due: Due
    ) throws(StoreFailure) -> Int {
        let request = record.request
        let identifier = try center.identifier(
            request.identifier,
            due: record.isDueOnce(due)
                ? IdentifierRecord.Pending(sequence: sequence, due: due) : nil
        )
        let firesAgain =
            Fault.firedAgainAfterCrash.isPlanted || Fault.removalLeavesDueRow.isPlanted
        if firesAgain, identifier.record.pending == nil {
            identifier.record.pending = IdentifierRecord.Pending(sequence: sequence, due: due)
            center.state.countPending(request.storedByteCount)
        }
        guard let pending = identifier.record.pending, pending.sequence == sequence,
            pending.due == due
        else { throw identifier.disagreement(in: batch) }

        let firing = center.state.fire(
            request,
            base: record.base,
            due: due,
            occurrenceCount: pending.occurrenceCount,
            now: batch.now,
            in: try center.schedule.rules(of: request),
            on: try center.decisiveDevice(),
            while: center.presence
        )
        try center.schedule.remove(pending, request.trigger, isDue: true)
        batch.counts.fired += 1
        batch.counts.lateness.record(firing.lateByNanoseconds)
        // Set first, since the delivery may replace an entry of the same request.
        identifier.record.pending = firing.nextFire.map {
            var next = IdentifierRecord.Pending(
                sequence: sequence,
                due: $0,
                lastEvent: pending.lastEvent,
                lastScheduled: firing.scheduled.wall
            )
            next.occurrenceCount = firing.occurrenceCount
            return next
        }
        let hasEnded = firing.nextFire == nil && request.trigger?.repeats == true
        if hasEnded { try center.records.end(pending) }
        var fired = EventRecord.Fired(
            sequence: sequence,
            lateByNanoseconds: firing.lateByNanoseconds,
            collapsedCount: firing.collapsedCount
        )
        if request.trigger?.repeats != true { fired.recordByteCount = record.rowByteCount }
        try settle(firing.outcome, of: fired, request, as: identifier)
        if let next = identifier.record.pending {
            try center.schedule.put(next, request.trigger, base: record.base)
        } else {
            center.state.uncountPending(request.storedByteCount)
        }
        // End the request: it has no further date (CAL-10, CAL-11).
        if hasEnded { try center.events.record(.expired(identifier: identifier.name)) }
        return firing.searchSteps
    }

    /// Fires a request whose border was crossed, or whose region the device is in when the display
    /// is turned on.
    ///
    /// `sequence` is the request's record. `late` is how long ago it crossed the border, where that
    /// was not found at once.
    ///
    /// - Returns: Whether the request still waits for its region, because it repeats.
    @discardableResult
    func fire(
        _ sequence: RequestNumber,
        _ record: RequestRecord.Head,
        lateByNanoseconds late: Int64 = 0
    ) throws(StoreFailure) -> Bool {
        let request = record.request
        let identifier = try center.identifier(request.identifier)
        guard let pending = identifier.record.pending, pending.sequence == sequence,
            pending.due == nil, let trigger = request.trigger
        else { throw identifier.disagreement(in: batch) }
        batch.counts.fired += 1
        batch.counts.lateness.record(late)
        if !trigger.repeats {
            try center.schedule.remove(pending, trigger)
            identifier.record.pending = nil
            center.state.uncountPending(request.storedByteCount)
        }
        let outcome = center.state.outcome(
            of: request.content,
            on: try center.decisiveDevice(),
            while: center.presence
        )
        var fired = EventRecord.Fired(
            sequence: sequence,
            lateByNanoseconds: late,
            collapsedCount: 0
        )
        if !trigger.repeats { fired.recordByteCount = record.rowByteCount }
        try settle(outcome, of: fired, request, as: identifier)
        return trigger.repeats
    }

    /// Fires a request without a trigger or a push, and gives the state of the request.
    ///
    /// `stored` is the request's record. `push` is what decides whether the app's service extension
    /// may change a push (§8 step 4); nil for a request of the app itself.
    ///
    /// - Returns: The state of the request.
    func fireNow(
        _ request: RequestHead,
        _ stored: StoredRequest,
        as identifier: IdentifierWork,
        push: ServicePush? = nil
    ) throws(StoreFailure) -> RequestState {
        let (lastDelivery, sequence) = (center.state.lastDelivery, stored.sequence)
        var fired = EventRecord.Fired(sequence: sequence, lateByNanoseconds: 0, collapsedCount: 0)
        fired.recordByteCount = stored.byteCount
        if let push, push.asksExtension(request.content.value, under: center.state.settings) {
            try center.serviceArrivals.arrive(fired, request, push, as: identifier)
            return state(after: lastDelivery, of: sequence, as: identifier)
        }
        let outcome = center.state.outcome(
            of: request.content,
            on: try center.decisiveDevice(),
            while: center.presence
        )
        try settle(outcome, of: fired, request, as: identifier)
        return state(after: lastDelivery, of: sequence, as: identifier)
    }

    private func state(
        after lastDelivery: DeliveryNumber,
        of sequence: RequestNumber,
        as identifier: IdentifierWork
    ) -> RequestState {
        if identifier.record.arriving?.sequence == sequence { return .arriving }
        let delivery = center.state.lastDelivery
        return delivery > lastDelivery ? .delivered(delivery) : .gone
    }

    /// Delivers a notification that comes back from a snooze, as any notification is delivered now
    /// (SNZ-2).
    func comeBack(
        _ fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        let outcome = center.state.outcome(
            of: Boxed(request.content.value.afterSnooze),
            on: try center.decisiveDevice(),
            while: center.presence
        )
        try settle(outcome, of: fired, request, as: identifier)
    }

    /// Makes the changes that settle an occurrence.
    func settle(
        _ outcome: Outcome,
        of fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        if request.content.value.holdsAttachments { batch.touched.append(fired.sequence) }
        // Hold the record: the older occurrences that are removed now get events, and these may
        // trim older events.
        identifier.settling = fired.sequence
        defer { identifier.settling = nil }
        let isLate = Fault.settledBeforeWithdrawn.isPlanted
        if outcome.withdrawsOlder, !isLate { try withdrawOlder(than: request, as: identifier) }
        let mate = try center.replacementKeys.deliveredMate(of: request, as: identifier)
        let content =
            fired.snoozed == nil ? request.content : Boxed(request.content.value.afterSnooze)
        let changes = center.state.changes(
            settling: outcome,
            of: content,
            under: IdentifierState(
                isDelivered: identifier.record.delivered != nil,
                isKeyDelivered: mate?.record.delivered != nil,
                isSnoozed: identifier.record.snoozed != nil,
                isKeySnoozed: mate?.record.snoozed != nil
            ),
            within: SettlementLimits(
                arriving: batch.limits.arrivingPerCenter,
                delivered: batch.limits.deliveredPerCenter
            ),
            on: try center.decisiveDevice(),
            profile: batch.profile
        )
        if outcome.withdrawsOlder, isLate { try withdrawOlder(than: request, as: identifier) }
        var replaced: DeliveredList.Replaced?
        for change in changes {
            switch change {
            case .removeOfKey:
                if let delivery = mate?.record.delivered {
                    try center.delivered.remove(delivery, reason: .replaced)
                } else if let mate {
                    try center.snoozed.remove(mate, reason: .replaced)
                }
            case .ask:
                try center.callbacks.arrive(fired, as: identifier)
                try center.replacementKeys.noteArriving(identifier, of: request)
            case .replaceDelivered:
                replaced = try center.delivered.takeReplaced(by: fired.sequence, identifier)
            case .deliver(let presentation):
                batch.counts.delivered += 1
                try deliver(presentation, of: fired, request, as: identifier, replaced)
            case .suppress(let reason):
                batch.counts.suppressed += 1
                if reason == .notPresented { center.state.hideBanners(replacedBy: request) }
                if let replaced { center.news.tellRemoved(replaced, of: identifier.name) }
                let event = EventRecord.Kind.suppressed(
                    fired,
                    reason,
                    replacedDelivery: replaced?.delivery
                )
                if Fault.firingNotRecorded.isPlanted { break }
                try recordSettled(event, of: fired, request, as: identifier)
            case .miss:
                batch.counts.missed += 1
                try recordSettled(.missed(fired), of: fired, request, as: identifier)
            case .clearDelivered:
                try center.delivered.clear(except: identifier.record.delivered)
            case .setBadge(let badge):
                center.state.badge = badge
                try center.events.record(.badgeChanged(badge))
            case .removeOldest: try center.delivered.removeOldest()
            }
        }
    }

    /// Withdraws the occurrences that are arriving under an identifier or its replacement key.
    ///
    /// A push that is withdrawn lets those behind it go on, and they are delivered at once where no
    /// extension serves. So decide about the newer occurrence only after this.
    private func withdrawOlder(
        than request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        if identifier.record.arriving != nil { try center.callbacks.withdraw(identifier) }
        let keys = center.replacementKeys
        while let mate = try keys.arrivingMate(of: request, as: identifier) {
            guard mate.record.arriving != nil else { throw mate.disagreement(in: batch) }
            try center.callbacks.withdraw(mate)
        }
    }

    /// Records that an arriving occurrence was withdrawn for something newer.
    func recordWithdrawn(
        _ fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        batch.counts.suppressed += 1
        if request.content.value.holdsAttachments { batch.touched.append(fired.sequence) }
        // Keep an earlier delivery in the list: the withdrawn occurrence does not replace it.
        let event = EventRecord.Kind.suppressed(fired, .notPresented, replacedDelivery: nil)
        try record(event, of: fired, request, as: identifier)
    }

    private func recordSettled(
        _ event: EventRecord.Kind,
        of fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        identifier.settling = nil
        try record(event, of: fired, request, as: identifier)
    }

    private func record(
        _ event: EventRecord.Kind,
        of fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        let next = center.state.lastEvent.next
        try center.records.note(next, of: fired, request, as: identifier)
        try center.events.record(event, of: request)
    }

    /// Gives a delivery its number, puts it in the list or shows its banner, and records it.
    private func deliver(
        _ presentation: Presentation,
        of fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork,
        _ replaced: DeliveredList.Replaced?
    ) throws(StoreFailure) {
        let delivery = center.state.lastDelivery.next
        center.state.lastDelivery = delivery
        var presentation = presentation
        center.state.hideBanners(replacedBy: request)
        if presentation.options.contains(.list) {
            presentation.heldUntil = try center.delivered.append(
                delivery,
                of: fired.sequence,
                presentation,
                as: identifier
            )
            try center.replacementKeys.noteDelivered(identifier, of: request)
        } else if presentation.options.contains(.banner) {
            let banner = ShownBanner(
                identifier: request.identifier,
                delivery: delivery,
                sequence: fired.sequence,
                event: center.state.lastEvent.next,
                date: batch.now.wall,
                end: batch.now.elapsed.advanced(byNanoseconds: Limits.bannerNanoseconds),
                ownReplacementKey: request.ownReplacementKey
            )
            if !Fault.bannerNotActable.isPlanted {
                center.state.show(banner, at: batch.now.elapsed)
            }
        }
        try batch.presentationWork.noteDelivery(delivery, of: request, fired.sequence, in: center)
        try center.news.tellDelivery(presentation, of: fired.sequence, delivery, replaced)
        let event = EventRecord.Kind.delivered(
            EventRecord.Delivered(
                fired: fired,
                delivery: delivery,
                presentation: presentation,
                replaced: replaced?.delivery
            )
        )
        try recordSettled(event, of: fired, request, as: identifier)
    }
}

extension RequestRecord.Head {
    /// Whether the request is due at this instant, and at no other: so a row of the due index that
    /// contradicts the record is noticed.
    fileprivate func isDueOnce(_ due: Due) -> Bool {
        guard case .timeInterval(let trigger)? = request.trigger, !trigger.repeats,
            let instant = trigger.nextFire(base: base, after: base)
        else { return false }
        return due == .elapsed(instant)
    }
}

extension Due {
    /// The date; nil for a request that waits for elapsed time.
    var wall: WallInstant? {
        switch self {
        case .elapsed: nil
        case .wall(let date): date
        }
    }
}
