internal import BelfryLMDB
internal import NotificationCore

extension Batch {
    /// Records what became of an occurrence, as its event and in the list of delivered ones.
    ///
    /// The move out of pending and the event are in one transaction, so each occurrence is recorded
    /// exactly once. The caller writes `identifier` and `center`. One that the app is asked about
    /// is recorded when that ends.
    func settle(
        _ outcome: Outcome,
        of fired: EventRecord.Fired,
        _ request: NotificationRequest,
        for identifier: inout IdentifierRecord,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        if request.content.holdsAttachments { touched.insert(fired.sequence) }
        let event: EventRecord.Kind
        var badgeChanged = false
        switch outcome {
        case .asks:
            try withdraw(&identifier, center: &center, number: number)
            guard center.arrivingCount < limits.arrivingPerCenter else {
                let device = try device(of: center)
                let content = request.content
                return try settle(
                    center.outcomeAfterDeadline(of: content, on: device, profile: profile),
                    of: fired,
                    request,
                    for: &identifier,
                    center: &center,
                    number: number
                )
            }
            return try arrive(fired, &identifier, &center, number)
        case .delivered(let presentation):
            try withdraw(&identifier, center: &center, number: number)
            counts.delivered += 1
            event = try deliver(
                presentation,
                of: fired,
                request,
                for: &identifier,
                center: &center,
                number: number
            )
            badgeChanged = center.applyBadge(of: request.content, with: presentation.options)
        case .suppressed(let reason):
            counts.suppressed += 1
            let replaced =
                reason == .notPresented
                ? try makeWay(for: fired, &identifier, &center, number) : nil
            event = .suppressed(fired, reason, replaced: replaced)
        case .missed:
            counts.missed += 1
            event = .missed(fired)
        }
        try note(center.lastEvent + 1, of: fired.sequence, request, for: &identifier)
        try record(event, of: request, for: &center, number: number)
        if clearsDelivered(outcome, request.content) {
            let own = identifier.delivered
            try clearDelivered(of: &center, number: number, except: own)
        }
        if badgeChanged {
            try record(.badgeChanged(center.badge), for: &center, number: number)
        }
        if center.deliveredCount > limits.deliveredPerCenter {
            try removeOldest(center: &center, number: number)
        }
    }

    /// Notes the newest event of a request that fires again and again: its record stays until that
    /// is trimmed.
    func note(
        _ event: UInt64,
        of sequence: UInt64,
        _ request: NotificationRequest,
        for identifier: inout IdentifierRecord
    ) throws(LMDBError) {
        guard request.trigger?.repeats == true else { return }
        if identifier.pending?.sequence == sequence {
            identifier.pending?.lastEvent = event
        } else {
            var record = try transaction.record(sequence, tables)
            record.lastEvent = event
            try transaction.put(record.bytes, forKey: Key.number(sequence), in: tables.records)
        }
    }

    /// Puts a delivery in the list, in the place of an older one, and gives its event.
    private func deliver(
        _ presentation: Presentation,
        of fired: EventRecord.Fired,
        _ request: NotificationRequest,
        for identifier: inout IdentifierRecord,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) -> EventRecord.Kind {
        center.lastDelivery += 1
        let delivery = center.lastDelivery
        var presentation = presentation
        let replaced = try takeReplaced(by: fired, &identifier, &center, number)
        center.hideBanner(of: request.identifier)
        if presentation.options.contains(.list) {
            var record = DeliveredRecord(
                sequence: fired.sequence,
                date: now.wall,
                event: center.lastEvent + 1
            )
            record.since = now.elapsed
            if presentation.isHeld {
                record.isHeld = true
                presentation.heldUntil = try hold(for: &center, number: number)
            }
            try transaction.put(
                record.bytes,
                forKey: Key.numbered(delivery, center: number),
                in: tables.delivered
            )
            identifier.delivered = delivery
            center.deliveredCount += 1
        } else if presentation.options.contains(.banner) {
            let banner = ShownBanner(
                identifier: request.identifier,
                delivery: delivery,
                sequence: fired.sequence,
                date: now.wall,
                end: now.elapsed.advanced(byNanoseconds: Limits.bannerNanoseconds)
            )
            center.show(banner, at: now.elapsed)
        }
        try tellDelivery(
            presentation,
            of: request,
            delivery: delivery,
            replaced: replaced,
            center: center
        )
        return .delivered(fired, delivery: delivery, presentation, replaced: replaced?.delivery)
    }

    /// Takes away what else stands under the identifier of an occurrence that the app in front
    /// shows itself: it has brought it up to date (§8 step 9).
    ///
    /// - Returns: The delivery that left the list.
    private func makeWay(
        for fired: EventRecord.Fired,
        _ identifier: inout IdentifierRecord,
        _ center: inout CenterState,
        _ number: UInt32
    ) throws(LMDBError) -> UInt64? {
        try withdraw(&identifier, center: &center, number: number)
        let replaced = try takeReplaced(by: fired, &identifier, &center, number)
        guard let replaced else { return nil }
        let name = try transaction.record(fired.sequence, tables).request.identifier
        tellRemoved(replaced, of: name, center: center)
        return replaced.delivery
    }

    /// A delivery that left the list because something newer came under its identifier.
    struct Replaced {
        var delivery: UInt64
        /// The thread that names its group.
        var thread: String
    }

    /// Takes the delivery out of the list whose place an occurrence takes.
    private func takeReplaced(
        by fired: EventRecord.Fired,
        _ identifier: inout IdentifierRecord,
        _ center: inout CenterState,
        _ number: UInt32
    ) throws(LMDBError) -> Replaced? {
        guard let delivery = identifier.delivered.take() else { return nil }
        let row = try transaction.deliveredRecord(delivery, center: number, tables)
        let thread = try watchedThread(row.sequence, of: center)
        try transaction.deleteExisting(Key.numbered(delivery, center: number), in: tables.delivered)
        center.deliveredCount -= 1
        if row.isHeld { try endHold(for: &center, number: number) }
        if row.sequence != fired.sequence {
            try release(row, identifier, center)
        }
        return Replaced(delivery: delivery, thread: thread)
    }

    /// The thread that names a notification's group: only those who watch the list have to know it.
    private func watchedThread(
        _ sequence: UInt64,
        of center: CenterState
    ) throws(LMDBError) -> String {
        guard observer.isWatched(center.name.device) else { return "" }
        return try transaction.record(sequence, tables).request.content.groupingThread
    }

    /// Whether an occurrence takes what was delivered before it out of the list (B-5).
    private func clearsDelivered(_ outcome: Outcome, _ content: NotificationContent) -> Bool {
        guard case .delivered(let presentation) = outcome else { return false }
        return profile.compatibility.clearsDelivered(
            byDelivering: content,
            with: presentation.options
        )
    }

    /// Takes every notification but one out of the list, as a badge of 0 does on Apple's system
    /// (B-5).
    ///
    /// - Complexity: O(*n*) in the list, which is limited.
    func clearDelivered(
        of center: inout CenterState,
        number: UInt32,
        except kept: UInt64? = nil
    ) throws(LMDBError) {
        let keys = try keys(of: number, in: tables.delivered, atMost: .max)
        for key in keys where key != kept.map({ Key.numbered($0, center: number) }) {
            try removeDelivered(key: key, reason: .app, center: &center, number: number)
        }
    }

    /// Takes the oldest notification out of a full list (D-19).
    private func removeOldest(center: inout CenterState, number: UInt32) throws(LMDBError) {
        guard let oldest = try oldestDelivered(of: number) else {
            throw .disagrees(Key.number(number), in: tables.centers)
        }
        try removeDelivered(key: oldest.key, reason: .retention, center: &center, number: number)
    }

    /// Takes a notification out of the delivered list, and records that.
    func removeDelivered(
        key: [UInt8],
        reason: RemovalReason,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        let row = try transaction.row(key, in: tables.delivered, DeliveredRecord.init)
        let owner = try transaction.row(
            Key.number(row.sequence),
            in: tables.records,
            RequestRecord.Owner.init
        )
        let identifierKey = Key.identifier(owner.identifier, center: owner.center)
        var identifier = try transaction.identifierRecord(key: identifierKey, tables)
        let delivery = identifier.delivered.take()
        try setIdentifier(key: identifierKey, to: identifier)
        try transaction.deleteExisting(key, in: tables.delivered)
        center.deliveredCount -= 1
        if row.isHeld { try endHold(for: &center, number: number) }
        let thread = try watchedThread(row.sequence, of: center)
        try release(row, identifier, center)
        let removed = Event.Removed(
            reason: reason,
            identifier: owner.identifier,
            delivery: delivery
        )
        if let delivery {
            let reference = NotificationReference(
                center: center.name,
                identifier: removed.identifier,
                delivery: delivery
            )
            tell(.removed(reference, thread: thread), on: center.name.device)
        }
        try record(.removed(removed), for: &center, number: number)
    }
}
