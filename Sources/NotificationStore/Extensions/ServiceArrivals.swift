internal import NotificationCore
internal import NotificationRecords

/// The pushes of a center that wait for the app's service extension (§18), in the order in which
/// they came.
///
/// The extension is asked about the first push, and about the next one when that is settled
/// (NSE-10). Each push is an arriving occurrence, with a row of `service_arrivals`. The extension
/// has its 30 s from the instant at which it is asked; the deadline is durable, as that of every
/// callback. Rows are deleted in the transaction that records the outcome of the push.
struct ServiceArrivals: CenterPart {
    let center: CenterWork

    /// How many pushes are settled in one step where no extension serves any more.
    private static let settledPerStep = 64

    private func key(_ arrival: CallbackNumber) -> ServiceArrivalKey {
        ServiceArrivalKey(arrival, of: center.number)
    }

    private func row(_ arrival: CallbackNumber) throws(StoreFailure) -> ServiceArrivalRecord {
        try batch.transaction.row(key(arrival), in: batch.tables.serviceArrivals)
    }

    private func put(
        _ row: ServiceArrivalRecord,
        _ arrival: CallbackNumber
    ) throws(StoreFailure) {
        try batch.transaction.put(row, at: key(arrival), in: batch.tables.serviceArrivals)
        batch.hasChanged = true
    }

    private var isServed: Bool {
        let (app, now) = (center.name.app, batch.now.elapsed)
        return batch.context.extensions.isServing(.service, named: "", for: app, at: now)
    }

    /// Whether the app's manifest names a service extension, whose absence is then told.
    private func isRegistered() throws(StoreFailure) -> Bool {
        try center.app().registration.extensions.contains { $0.kind == .service }
    }

    /// The identifiers of the pushes that wait, behind a place in the table of identifiers.
    ///
    /// - Complexity: O(*n*) in the pushes that wait, which are limited.
    func identifiers(after place: IdentifierKey?) throws(StoreFailure) -> [String] {
        var keys: [IdentifierKey] = []
        let table = batch.tables.serviceArrivals
        for key in try center.keys(in: table, atMost: batch.limits.arrivingPerCenter) {
            let sequence = try row(key.number).fired.sequence
            let name = try center.records.head(sequence).request.identifier
            keys.append(IdentifierKey(name, of: center.number))
        }
        keys.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        guard let place else { return keys.map(\.identifier) }
        return keys.filter { place.bytes.lexicographicallyPrecedes($0.bytes) }.map(\.identifier)
    }

    // MARK: A push comes

    /// Lets the app's extension change a push before it is shown; where none serves, or too many
    /// occurrences are arriving, the original is shown (NSE-11, FD-5).
    ///
    /// The absence of an extension that the app's manifest does not name is not told (NSE-12).
    ///
    /// `fired` is the occurrence; its record holds the push. `push` is what else decides about it;
    /// it asks the extension.
    func arrive(
        _ fired: EventRecord.Fired,
        _ request: RequestHead,
        _ push: ServicePush,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        guard isServed else {
            return try show(fired, request, as: identifier, try isRegistered() ? .fallback : nil)
        }
        let older = identifier.record.arriving == nil ? 0 : 1
        guard center.state.arrivingCount - older < batch.limits.arrivingPerCenter else {
            return try show(fired, request, as: identifier, .fallback)
        }
        try center.callbacks.withdraw(identifier)
        let arrival = CallbackNumber(rawValue: batch.state.takeNumber())
        let row = ServiceArrivalRecord(
            fired: fired.waiting(since: batch.now.wall),
            since: batch.now.elapsed,
            isAlertType: push.isAlertType
        )
        identifier.record.arriving = .init(callback: arrival, sequence: fired.sequence)
        center.state.arrivingCount += 1
        try put(row, arrival)
        try askNext()
    }

    /// Asks the extension about the first push, unless it is asked already; shows the originals
    /// where no extension serves any more.
    private func askNext() throws(StoreFailure) {
        let table = batch.tables.serviceArrivals
        var settledCount = 0
        while let arrival = try center.keys(in: table, atMost: 1).first?.number {
            var row = try row(arrival)
            guard row.asked == nil else { return }
            let isServed = isServed
            if isServed || settledCount == Self.settledPerStep {
                // Where nobody serves, the question ends at once, and the next pushes go on then.
                row.asked = try center.callbacks.open(
                    .service(.init(arrival: arrival, isExpiring: !isServed)),
                    for: isServed ? nil : 0
                )
                return try put(row, arrival)
            }
            try end(arrival, row, .fallback)
            settledCount += 1
        }
    }

    // MARK: The answer

    /// Takes an extension's content for an open question.
    ///
    /// - Returns: What becomes of the content; the command is refused where the content is.
    func answer(
        _ callback: CallbackNumber,
        _ record: CallbackRecord,
        _ service: CallbackRecord.Service,
        with content: ServiceAnswer
    ) throws(StoreFailure) -> ExtensionOutcome {
        var row = try row(service.arrival)
        let original = try center.records.request(row.fired.sequence).request
        var changed = original
        changed.content = content.content
        let registration = try center.app().registration
        if changed.content.communication != nil, batch.profile.communicationNeedsEntitlement,
            !registration.entitlements.contains(.communication)
        {
            throw .refused(.communicationNotAllowed)
        }
        let resolved = try batch.attachments.resolve(changed, for: center.name.app)
        changed = try StoreFailure.ofRefusal { () throws(Refusal) in try resolved.get() }
        let push = ServicePush(isMutable: true, isAlertType: row.isAlertType)
        let outcome = push.outcome(
            of: content.content,
            isBestAttempt: content.isBestAttempt,
            isExpiring: service.isExpiring,
            under: registration.entitlements
        )
        let keeps = outcome == .modified || outcome == .bestAttempt
        let growth = changed.byteCount - original.byteCount
        if keeps { try StoreFailure.refuse(center.refusal(ofKeeping: growth)) }
        if let older = row.bestAttempt.take() { try center.records.drop(older) }
        if keeps {
            let sequence = try center.records.store(changed).sequence
            try batch.attachments.hold(of: changed, sequence, center.name.app)
            row.bestAttempt = sequence
        }
        try put(row, service.arrival)
        guard !content.isBestAttempt else { return outcome }
        let answer = CallbackAnswer.content(content.fingerprint, outcome)
        try center.callbacks.close(callback, record, .completed, answer: answer)
        row.asked = nil
        try end(service.arrival, row, outcome)
        try askNext()
        return outcome
    }

    /// Settles a push about which the extension gave no answer: the best attempt is shown, or the
    /// original (NSE-3, NSE-6).
    func settleUnanswered(_ arrival: CallbackNumber) throws(StoreFailure) {
        var row = try row(arrival)
        try close(&row, .timedOut)
        try end(arrival, row, row.bestAttempt == nil ? .fallback : .bestAttempt)
        try askNext()
    }

    /// Withdraws a push: something newer came, or it was removed.
    func withdraw(
        _ arrival: CallbackNumber,
        _ identifier: IdentifierWork
    ) throws(StoreFailure) {
        var row = try row(arrival)
        let wasAsked = row.asked != nil
        try close(&row, .withdrawn)
        try delete(arrival, row, as: identifier)
        if let best = row.bestAttempt { try center.records.drop(best) }
        let fired = row.fired.late(by: batch.now.elapsed.nanoseconds(since: row.since))
        let request = try center.records.head(fired.sequence).request
        try center.occurrences.recordWithdrawn(fired, request, as: identifier)
        if wasAsked { try askNext() }
    }

    // MARK: The end

    /// Closes the question about a push, if the extension is asked.
    private func close(
        _ row: inout ServiceArrivalRecord,
        _ outcome: CallbackOutcome
    ) throws(StoreFailure) {
        guard let asked = row.asked.take() else { return }
        try center.callbacks.close(asked, try center.callbacks.callback(asked), outcome)
    }

    /// Settles a push whose question is closed: shows the content that the outcome names.
    private func end(
        _ arrival: CallbackNumber,
        _ row: ServiceArrivalRecord,
        _ outcome: ExtensionOutcome
    ) throws(StoreFailure) {
        var fired = row.fired.late(by: batch.now.elapsed.nanoseconds(since: row.since))
        let name = try center.records.head(fired.sequence).request.identifier
        let identifier = try center.identifier(name)
        guard identifier.record.arriving?.callback == arrival else {
            throw identifier.disagreement(in: batch)
        }
        try delete(arrival, row, as: identifier)
        if let changed = row.bestAttempt {
            try center.records.drop(fired.sequence)
            (fired.sequence, fired.recordByteCount) = (changed, nil)
        }
        let request = try center.records.head(fired.sequence).request
        try show(fired, request, as: identifier, outcome)
    }

    private func delete(
        _ arrival: CallbackNumber,
        _ row: ServiceArrivalRecord,
        as identifier: IdentifierWork
    ) throws(StoreFailure) {
        try batch.transaction.deleteExisting(key(arrival), in: batch.tables.serviceArrivals)
        identifier.record.arriving = nil
        center.state.arrivingCount -= 1
    }

    /// Decides the outcome of a push after the extension, as of any arriving occurrence (§8), and
    /// records it.
    private func show(
        _ fired: EventRecord.Fired,
        _ request: RequestHead,
        as identifier: IdentifierWork,
        _ outcome: ExtensionOutcome?
    ) throws(StoreFailure) {
        var fired = fired
        fired.extensionOutcome = outcome
        let decided: Outcome =
            outcome == .filtered
            ? .suppressed(.filtered)
            : center.state.outcome(
                of: request.content,
                on: try center.decisiveDevice(),
                while: center.presence
            )
        try center.occurrences.settle(decided, of: fired, request, as: identifier)
    }
}
