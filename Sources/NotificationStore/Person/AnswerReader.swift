internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// The request whose answer is waited for.
package struct AwaitedRequest: Hashable, Sendable {
    package var center: CenterNumber
    package var identifier: String
    package var number: RequestNumber

    package init(center: CenterNumber, identifier: String, number: RequestNumber) {
        self.center = center
        self.identifier = identifier
        self.number = number
    }
}

/// How far the search for an answer is.
package struct AnswerProgress: Sendable {
    /// The facts of the events up to the position.
    var search = AnswerSearch()
    var position: EventNumber
    /// Whether further events are to be read: a look reads a limited number of them.
    package internal(set) var hasMore = false

    /// Begins after an event.
    package init(after position: EventNumber) { self.position = position }
}

extension StoreReader {
    /// Looks for the outcome of a request's notification.
    ///
    /// `progress` is how far an earlier look came, and then how far this one came.
    ///
    /// - Returns: The outcome; nil while an answer may still come, or events are left to read. A
    ///   refusal where the events that would tell are not kept any more.
    package func outcome(
        of awaited: AwaitedRequest,
        _ progress: inout AnswerProgress,
        asOf now: Now
    ) throws(ReadError) -> Result<AnswerOutcome?, Refusal> {
        let search = AnswerLookup(reader: self, awaited: awaited)
        return try search.outcome(&progress, now)
    }
}

/// One look for the outcome of a request's notification.
private struct AnswerLookup {
    let reader: StoreReader
    let awaited: AwaitedRequest

    private var environment: Environment { reader.environment }
    private var tables: Tables { reader.tables }
    private var limits: StoreLimits { reader.limits }

    func outcome(
        _ progress: inout AnswerProgress,
        _ now: Now
    ) throws(ReadError) -> Result<AnswerOutcome?, Refusal> {
        var hasLooked = false
        progress.hasMore = false
        while true {
            switch try look(&progress, now) {
            case .more:
                progress.hasMore = true
                return .success(nil)
            case .trimmed(let first): return .failure(.eventsTrimmed(first: first))
            case .outcome(.unanswered?) where progress.search.isDelivered && !hasLooked:
                // Look for a response that the app has not handled: it is no event yet.
                if let answer = try openAnswer(progress.search) {
                    return .success(.answered(answer))
                }
                // Look once more: the app may have handled the response between the two looks.
                hasLooked = true
            case .outcome(let outcome): return .success(outcome)
            }
        }
    }

    private enum Look {
        case more
        case trimmed(EventNumber)
        case outcome(AnswerOutcome?)
    }

    /// Reads the next events; behind the last event, whether the request is still there.
    private func look(
        _ progress: inout AnswerProgress,
        _ now: Now
    ) throws(ReadError) -> Look {
        try environment.reading { transaction throws(StoreFailure) in
            let center = try transaction.center(awaited.center, tables)
            let isTrimmed = progress.position.next < center.firstEvent
            var count = 0
            try transaction.scanEvents(
                of: awaited.center,
                from: progress.position.next,
                tables
            ) { number, record throws(StoreFailure) in
                if let fact = record.kind.fact(about: awaited) { progress.search.note(fact) }
                progress.position = number
                count += 1
                return count < limits.rowsPerRead
            }
            guard count < limits.rowsPerRead else { return .more }
            let isThere = try isThere(&progress.search, center, now, in: transaction)
            // Refuse: the trimmed events may have told how the request ended.
            if isTrimmed, !isThere, progress.search.isWithoutFacts {
                return .trimmed(center.firstEvent)
            }
            return .outcome(progress.search.outcome(isThere: isThere))
        }
    }

    /// Whether a request is pending, arriving, in the list, on the screen or snoozed.
    private func isThere(
        _ search: inout AnswerSearch,
        _ center: CenterState,
        _ now: Now,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> Bool {
        let banner = center.banner(of: awaited.identifier, at: now.elapsed)
        var isThere = banner?.sequence == awaited.number
        let key = IdentifierKey(awaited.identifier, of: awaited.center)
        guard let row = try transaction.rowIfAny(key, in: tables.identifiers) else {
            return isThere
        }
        if row.pending?.sequence == awaited.number || row.arriving?.sequence == awaited.number {
            isThere = true
        }
        // Its events may be trimmed while the delivery still exists.
        if let delivery = row.delivered {
            let key = DeliveryKey(delivery, of: awaited.center)
            if try transaction.row(key, in: tables.delivered).sequence == awaited.number {
                search.note(.delivered(delivery))
                isThere = true
            }
        }
        if let delivery = row.snoozed {
            let key = DeliveryKey(delivery, of: awaited.center)
            if try transaction.row(key, in: tables.snoozed).sequence == awaited.number {
                search.note(.delivered(delivery))
                isThere = true
            }
        }
        return isThere
    }

    /// The answer to one of a request's deliveries that the app has not handled.
    private func openAnswer(_ search: AnswerSearch) throws(ReadError) -> Answer? {
        var position: CallbackNumber = 0
        while true {
            var found: Answer?
            var count = 0
            try environment.reading { transaction throws(StoreFailure) in
                let start = CallbackKey(position.next, of: awaited.center)
                try transaction.scan(tables.callbacks, .center(awaited.center), from: start) {
                    key,
                    record throws(StoreFailure) in
                    position = key.number
                    count += 1
                    if case .didReceive(let response) = record.question,
                        search.has(response.delivery)
                    {
                        found = Answer(
                            actionIdentifier: response.action,
                            userText: response.text,
                            delivery: response.delivery,
                            callback: key.number
                        )
                    }
                    return found == nil && count < limits.rowsPerRead
                }
            }
            if let found { return found }
            guard count == limits.rowsPerRead else { return nil }
        }
    }
}

extension EventRecord.Kind {
    /// The identifier that an event without a request is about; nil where it is about none.
    var identifier: String? {
        switch self {
        case .removed(let removed): removed.identifier
        case .expired(let identifier): identifier
        case .evicted(let identifier, _): identifier
        case .responseCompleted(let responded), .responseExpired(let responded):
            responded.identifier
        case .delivered, .suppressed, .missed, .settingsChanged, .badgeChanged, .summaryPresented,
            .openSettings, .tokenChanged, .snoozed, .backgroundPush:
            nil
        }
    }

    /// The fact that the event tells about a request that is waited for; nil where it tells none.
    fileprivate func fact(about awaited: AwaitedRequest) -> AnswerFact? {
        func isOwn(_ fired: EventRecord.Fired) -> Bool { fired.sequence == awaited.number }
        func isNamed(_ identifier: String) -> Bool { identifier.isExactly(awaited.identifier) }
        switch self {
        case .delivered(let delivered):
            return isOwn(delivered.fired)
                ? .delivered(delivered.delivery)
                : delivered.replaced.map { .left($0, .replaced) }
        case .suppressed(let fired, _, let replaced):
            return isOwn(fired) ? .passed(.notPresented) : replaced.map { .left($0, .replaced) }
        case .missed(let fired): return isOwn(fired) ? .passed(.missed) : nil
        case .removed(let removed):
            let reason = NoAnswerReason(removed.reason)
            if let delivery = removed.delivery { return .left(delivery, reason) }
            return isNamed(removed.identifier) ? .passed(reason) : nil
        case .expired(let identifier): return isNamed(identifier) ? .passed(.expired) : nil
        case .evicted(let identifier, _): return isNamed(identifier) ? .passed(.evicted) : nil
        case .responseCompleted(let responded), .responseExpired(let responded):
            return .answered(
                Answer(
                    actionIdentifier: responded.actionIdentifier,
                    userText: responded.userText,
                    delivery: responded.delivery
                )
            )
        case .settingsChanged, .badgeChanged, .summaryPresented, .openSettings, .tokenChanged,
            .snoozed, .backgroundPush:
            return nil
        }
    }
}
