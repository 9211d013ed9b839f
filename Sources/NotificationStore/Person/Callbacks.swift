internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The callbacks of a center: questions to its app, each with a deadline (W-15).
///
/// An open callback is a row of `callbacks`, and its deadline a row of the elapsed due index. Both
/// rows are deleted in the transaction that records how the callback ended.
struct Callbacks: CenterPart {
    let center: CenterWork

    /// How many ended callbacks a center remembers, so that a repeated completion is recognized.
    private static let rememberedCount = 256

    private func key(_ callback: CallbackNumber) -> CallbackKey {
        CallbackKey(callback, of: center.number)
    }

    func callback(_ callback: CallbackNumber) throws(StoreFailure) -> CallbackRecord {
        try batch.transaction.row(key(callback), in: batch.tables.callbacks)
    }

    /// Opens a callback, and gives its number.
    ///
    /// `question` is what is asked. `nanoseconds` is how long the callback is open; nil is what the
    /// question allows.
    ///
    /// - Returns: The callback's number.
    func open(
        _ question: CallbackRecord.Question,
        for nanoseconds: Int64? = nil
    ) throws(StoreFailure) -> CallbackNumber {
        let callback = CallbackNumber(rawValue: batch.state.takeNumber())
        let open = nanoseconds ?? question.nanoseconds
        let record = CallbackRecord(
            openedAt: batch.now.wall,
            deadline: batch.now.elapsed.advanced(byNanoseconds: open),
            question: question
        )
        try put(record, callback)
        if let asked = question.asked {
            let row = ExtensionQuestionRecord(
                center: center.number,
                kind: asked.kind,
                name: asked.name
            )
            let key = ExtensionQuestionKey(callback, of: center.name.app)
            try batch.transaction.put(row, at: key, in: batch.tables.extensionQuestions)
            batch.news.extensions[center.name.app, default: .init()].newest = callback
        } else {
            batch.news.openedCallbacks[center.number] = callback
        }
        // A primary subscriber whose connection was cut a moment ago cannot answer.
        let isAsked = center.isAsked(question) || Fault.stopsForTheCut.isPlanted
        if question.isWaitedFor && isAsked {
            batch.counts.asked += 1
            batch.news.lastAsked = callback
        }
        return callback
    }

    /// Writes an open callback, with its row of the due index.
    private func put(
        _ record: CallbackRecord,
        _ callback: CallbackNumber
    ) throws(StoreFailure) {
        try batch.transaction.put(record, at: key(callback), in: batch.tables.callbacks)
        let (due, row) = (DueKey(record.due, callback), DueRow(center: center.number))
        try batch.transaction.put(row, at: due, in: batch.tables.dueElapsed)
    }

    func delete(_ callback: CallbackNumber, _ record: CallbackRecord) throws(StoreFailure) {
        try batch.transaction.deleteExisting(key(callback), in: batch.tables.callbacks)
        let due = DueKey(record.due, callback)
        try batch.transaction.deleteExisting(due, in: batch.tables.dueElapsed)
        if record.question.asked != nil {
            let row = ExtensionQuestionKey(callback, of: center.name.app)
            try batch.transaction.deleteExisting(row, in: batch.tables.extensionQuestions)
        }
        switch record.question {
        case .willPresent: center.state.arrivingCount -= 1
        case .didReceive, .content: center.state.openResponseCount -= 1
        // Add nothing: the push itself is counted.
        case .service: break
        case .backgroundPush: break
        }
    }

    /// Ends an open callback, and remembers how it ended.
    func close(
        _ callback: CallbackNumber,
        _ record: CallbackRecord,
        _ outcome: CallbackOutcome,
        answer: CallbackAnswer? = nil
    ) throws(StoreFailure) {
        try delete(callback, record)
        let table = batch.tables.endedCallbacks
        let ended = EndedCallbackRecord(outcome: outcome, answer: answer)
        try batch.transaction.put(ended, at: key(callback), in: table)
        center.state.endedCallbackCount += 1
        if center.state.endedCallbackCount > Self.rememberedCount {
            guard let oldest = try center.keys(in: table, atMost: 1).first else {
                throw .disagrees(center.number, in: batch.tables.centers)
            }
            try batch.transaction.deleteExisting(oldest, in: table)
            center.state.endedCallbackCount -= 1
        }
        let end = CallbackEnd(callback: callback, outcome: outcome)
        if record.question.asked != nil {
            batch.news.extensions[center.name.app, default: .init()].ended.append(end)
        } else {
            batch.news.endedCallbacks[center.number, default: []].append(end)
        }
    }

    // MARK: Will present

    /// Keeps an occurrence that fired as arriving, until the app says how to present it (FD-5).
    func arrive(_ fired: EventRecord.Fired, as identifier: IdentifierWork) throws(StoreFailure) {
        let callback = try open(.willPresent(fired.waiting(since: batch.now.wall)))
        identifier.record.arriving = .init(callback: callback, sequence: fired.sequence)
        center.state.arrivingCount += 1
    }

    /// Withdraws the arriving occurrence of an identifier: something newer came, or it was removed.
    func withdraw(_ identifier: IdentifierWork) throws(StoreFailure) {
        guard let callback = identifier.record.arriving?.callback else { return }
        guard let record = try batch.transaction.rowIfAny(key(callback), in: tables.callbacks)
        else { return try center.serviceArrivals.withdraw(callback, identifier) }
        guard case .willPresent(let asked) = record.question else {
            throw .disagrees(key(callback), in: batch.tables.callbacks)
        }
        try close(callback, record, .withdrawn)
        identifier.record.arriving = nil
        try center.replacementKeys.forgetArriving(identifier)
        let fired = asked.late(by: record.nanosecondsOpen(at: batch.now))
        let request = try center.records.head(fired.sequence).request
        try center.occurrences.recordWithdrawn(fired, request, as: identifier)
    }

    /// Settles an arriving occurrence by the app's answer, or by the rule for a missing answer.
    private func settleArriving(
        _ callback: CallbackNumber,
        _ record: CallbackRecord,
        _ asked: EventRecord.Fired,
        _ outcome: CallbackOutcome,
        answer: CallbackAnswer?
    ) throws(StoreFailure) {
        let request = try center.records.head(asked.sequence).request
        let identifier = try center.identifier(request.identifier)
        guard identifier.record.arriving?.callback == callback else {
            throw identifier.disagreement(in: batch)
        }
        try close(callback, record, outcome, answer: answer)
        identifier.record.arriving = nil
        try center.replacementKeys.forgetArriving(identifier)
        let device = try center.decisiveDevice()
        let content =
            asked.snoozed == nil ? request.content : Boxed(request.content.value.afterSnooze)
        let decided =
            if case .present(let options)? = answer {
                center.state.outcome(of: content, on: device, answered: options)
            } else if Fault.arrivingNotSettledAtItsDeadline.isPlanted {
                Outcome.suppressed(.notPresented)
            } else {
                center.state.outcomeAfterDeadline(
                    of: content,
                    on: device,
                    profile: batch.profile
                )
            }
        let fired = asked.late(by: record.nanosecondsOpen(at: batch.now))
        try center.occurrences.settle(decided, of: fired, request, as: identifier)
    }

    // MARK: Responses

    /// Keeps a response of the person until the app takes it (RSP-7).
    func respond(_ response: CallbackRecord.Response) throws(StoreFailure) {
        center.state.openResponseCount += 1
        center.named.append(response.request.request.identifier)
        _ = try open(.didReceive(response))
    }

    // MARK: Pushes

    /// Asks the app to work on a push that waits (BG-2), and gives the question's number.
    func work(on push: RequestNumber) throws(StoreFailure) -> CallbackNumber {
        try open(.backgroundPush(push))
    }

    // MARK: The end

    /// Does the work that is due for a callback: tells the extension that its time ends, or expires
    /// the callback at its deadline.
    func expire(_ callback: CallbackNumber) throws(StoreFailure) {
        let record = try self.callback(callback)
        switch record.question {
        case .willPresent(let fired):
            batch.noteSilence(of: center.number)
            try settleArriving(callback, record, fired, .timedOut, answer: nil)
        case .didReceive(let response): try endResponse(callback, record, response, .timedOut)
        case .service(let service):
            if record.deadline <= batch.now.elapsed {
                try center.serviceArrivals.settleUnanswered(service.arrival)
            } else {
                try noteExpiring(callback, record, service)
            }
        case .backgroundPush(let push):
            try close(callback, record, .timedOut)
            try center.backgroundPushes.finish(push, with: nil)
        case .content(let act):
            try center.contentQuestions.settleUnanswered(callback, record, act)
        }
    }

    /// Ends a question to an extension that does not serve any more, as its deadline would.
    func endUnserved(_ callback: CallbackNumber) throws(StoreFailure) {
        guard let record = try batch.transaction.rowIfAny(key(callback), in: batch.tables.callbacks)
        else { return }
        switch record.question {
        case .service(let service): try center.serviceArrivals.settleUnanswered(service.arrival)
        case .content(let act):
            try center.contentQuestions.settleUnanswered(callback, record, act)
        case .willPresent, .didReceive, .backgroundPush:
            throw .disagrees(key(callback), in: batch.tables.callbacks)
        }
    }

    /// Tells an extension that its time ends (NSE-3); the deadline is due next.
    private func noteExpiring(
        _ callback: CallbackNumber,
        _ record: CallbackRecord,
        _ service: CallbackRecord.Service
    ) throws(StoreFailure) {
        try batch.transaction.deleteExisting(DueKey(record.due, callback), in: tables.dueElapsed)
        var record = record
        record.question = .service(.init(arrival: service.arrival, isExpiring: true))
        try put(record, callback)
        batch.news.extensions[center.name.app, default: .init()].expiring.append(callback)
        batch.hasChanged = true
    }

    /// Completes a callback with the answer of the app, or of its content extension.
    ///
    /// - Returns: Why the answer is refused; nil where the callback is completed, now or before by
    ///   the same answer.
    func complete(
        _ callback: CallbackNumber,
        with answer: CallbackAnswer
    ) throws(StoreFailure) -> Refusal? {
        let key = key(callback)
        guard let record = try batch.transaction.rowIfAny(key, in: tables.callbacks) else {
            let ended = try batch.transaction.rowIfAny(key, in: tables.endedCallbacks)
            guard let ended else { return .callbackUnknown(callback) }
            return ended.answer == answer ? nil : .callbackEnded(callback)
        }
        switch (record.question, answer) {
        case (.willPresent(let fired), .present):
            try settleArriving(callback, record, fired, .completed, answer: answer)
        case (.didReceive(let response), .taken):
            try endResponse(callback, record, response, .completed)
        case (.backgroundPush(let push), .fetched(let result)):
            try close(callback, record, .completed, answer: answer)
            try center.backgroundPushes.finish(push, with: result)
        case (.content(let act), .option(let option)):
            try center.contentQuestions.answer(callback, record, act, with: option)
        default: return .callbackUnknown(callback)
        }
        return nil
    }

    private func endResponse(
        _ callback: CallbackNumber,
        _ record: CallbackRecord,
        _ response: CallbackRecord.Response,
        _ outcome: CallbackOutcome
    ) throws(StoreFailure) {
        let isCompleted = outcome == .completed
        try close(callback, record, outcome, answer: isCompleted ? .taken : nil)
        let responded = Event.Responded(
            identifier: response.request.request.identifier,
            delivery: response.delivery,
            actionIdentifier: response.action,
            userText: response.text
        )
        try center.events.record(
            isCompleted ? .responseCompleted(responded) : .responseExpired(responded)
        )
    }
}

extension CallbackRecord.Question {
    /// Whether a manual clock stops when the question is asked, so that it can be answered.
    fileprivate var isWaitedFor: Bool {
        switch self {
        case .willPresent, .service: true
        case .didReceive, .backgroundPush, .content: false
        }
    }
}

extension Refusal {
    static func callbackUnknown(_ callback: CallbackNumber) -> Refusal {
        callbackUnknown("\(callback)")
    }

    static func callbackEnded(_ callback: CallbackNumber) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: .callbackEnded,
            message: "callback \(callback) has ended: its deadline passed, or it was answered",
            facts: [.callback: "\(callback)"]
        )
    }
}
