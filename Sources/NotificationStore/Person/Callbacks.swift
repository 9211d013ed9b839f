internal import NotificationCore
internal import NotificationRecords

/// The callbacks of a center: questions to its app, each with a deadline (W-15).
///
/// An open callback is a row of `callbacks`, and its deadline a row of the elapsed due index. Both
/// rows are deleted in the transaction that records how the callback ended.
struct Callbacks {
    let center: CenterWork
    private var batch: Batch { center.batch }

    /// How many ended callbacks a center remembers, so that a repeated completion is recognized.
    private static let rememberedCount = 256

    private func key(_ callback: CallbackNumber) -> CallbackKey {
        CallbackKey(callback, of: center.number)
    }

    /// Reads an open callback.
    func callback(_ callback: CallbackNumber) throws(StoreFailure) -> CallbackRecord {
        try batch.transaction.row(key(callback), in: batch.tables.callbacks)
    }

    /// Opens a callback, and gives its number.
    private func open(_ question: CallbackRecord.Question) throws(StoreFailure) -> CallbackNumber {
        let callback = CallbackNumber(rawValue: batch.state.takeNumber())
        let record = CallbackRecord(
            openedAt: batch.now.wall,
            deadline: batch.now.elapsed.advanced(byNanoseconds: question.nanoseconds),
            question: question
        )
        let tables = batch.tables
        try batch.transaction.put(record, at: key(callback), in: tables.callbacks)
        let (due, row) = (DueKey(record.deadline, callback), DueRow(center: center.number))
        try batch.transaction.put(row, at: due, in: tables.dueElapsed)
        batch.news.openedCallbacks[center.number] = callback
        return callback
    }

    /// Deletes an open callback's rows.
    func delete(_ callback: CallbackNumber, _ record: CallbackRecord) throws(StoreFailure) {
        try batch.transaction.deleteExisting(key(callback), in: batch.tables.callbacks)
        let due = DueKey(record.deadline, callback)
        try batch.transaction.deleteExisting(due, in: batch.tables.dueElapsed)
        switch record.question {
        case .willPresent:
            center.state.arrivingCount -= 1
            batch.state.unsettled?.arriving -= 1
        case .didReceive: center.state.openResponseCount -= 1
        }
    }

    /// Ends an open callback, and remembers how it ended.
    private func close(
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
        batch.news.endedCallbacks[center.number, default: []].append(end)
    }

    // MARK: Will present

    /// Keeps an occurrence that fired as arriving, until the app says how to present it (FD-5).
    func arrive(_ fired: EventRecord.Fired, as identifier: IdentifierWork) throws(StoreFailure) {
        let callback = try open(.willPresent(fired))
        // A primary subscriber whose connection was cut a moment ago cannot answer.
        if center.isAsked(.willPresent(fired)) {
            batch.counts.asked += 1
            batch.news.lastAsked = callback
        }
        identifier.record.arriving = .init(callback: callback, sequence: fired.sequence)
        center.state.arrivingCount += 1
        batch.state.unsettled?.arriving += 1
    }

    /// Withdraws the arriving occurrence of an identifier: something newer came, or it was removed.
    func withdraw(_ identifier: IdentifierWork) throws(StoreFailure) {
        guard let callback = identifier.record.arriving?.callback else { return }
        let record = try self.callback(callback)
        guard case .willPresent(let asked) = record.question else {
            throw .disagrees(key(callback), in: batch.tables.callbacks)
        }
        try close(callback, record, .withdrawn)
        identifier.record.arriving = nil
        let fired = asked.late(by: record.nanosecondsOpen(at: batch.now))
        let request = try center.records.request(fired.sequence).request
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
        let request = try center.records.request(asked.sequence).request
        let identifier = try center.identifier(request.identifier)
        guard identifier.record.arriving?.callback == callback else {
            throw identifier.disagreement(in: batch)
        }
        try close(callback, record, outcome, answer: answer)
        identifier.record.arriving = nil
        let device = try center.device()
        let decided =
            if case .present(let options)? = answer {
                center.state.outcome(of: request.content, on: device, answered: options)
            } else {
                center.state.outcomeAfterDeadline(
                    of: request.content,
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
        _ = try open(.didReceive(response))
    }

    // MARK: The end

    /// Expires a callback whose deadline has passed.
    func expire(_ callback: CallbackNumber) throws(StoreFailure) {
        let record = try self.callback(callback)
        switch record.question {
        case .willPresent(let fired):
            batch.noteSilence(of: center.number)
            try settleArriving(callback, record, fired, .timedOut, answer: nil)
        case .didReceive(let response): try endResponse(callback, record, response, .timedOut)
        }
    }

    /// Completes a callback with the app's answer.
    ///
    /// - Returns: Why the answer is refused; nil where the callback is completed, now or before by
    ///   the same answer.
    /// - Throws: What the store reports.
    func complete(
        _ callback: CallbackNumber,
        with answer: CallbackAnswer
    ) throws(StoreFailure) -> Refusal? {
        let (tables, key) = (batch.tables, key(callback))
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
            actionIdentifier: response.action
        )
        try center.events.record(
            isCompleted ? .responseCompleted(responded) : .responseExpired(responded)
        )
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
