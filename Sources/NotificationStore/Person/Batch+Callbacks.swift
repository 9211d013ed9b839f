internal import BelfryLMDB
internal import NotificationCore

// Questions to an app with a deadline (W-15). An open one is a row of `callbacks`, its deadline
// a row of the elapsed due index; both go, in one transaction, with the event of how it ended.

extension Batch {
    /// Ended callbacks that a center remembers, so that a repeated completion is told so.
    private static let rememberedCallbacks = 256

    /// Asks a center's app something.
    ///
    /// - Returns: The callback's number.
    private func open(
        _ question: CallbackRecord.Question,
        number: UInt32
    ) throws(LMDBError) -> UInt64 {
        let callback = state.nextSequence
        state.nextSequence += 1
        let record = CallbackRecord(
            openedAt: now.wall,
            deadline: now.elapsed.advanced(byNanoseconds: question.nanoseconds),
            question: question
        )
        try transaction.put(
            record.bytes,
            forKey: Key.numbered(callback, center: number),
            in: tables.callbacks
        )
        try transaction.put(
            Key.number(number),
            forKey: Key.due(record.deadline.nanoseconds, number: callback),
            in: tables.dueElapsed
        )
        news.openedCallbacks[number] = callback
        return callback
    }

    /// Takes an open callback away and remembers how it ended.
    private func close(
        _ callback: UInt64,
        _ record: CallbackRecord,
        _ outcome: CallbackOutcome,
        answer: CallbackAnswer? = nil,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        let key = Key.numbered(callback, center: number)
        try transaction.deleteExisting(key, in: tables.callbacks)
        try transaction.deleteExisting(
            Key.due(record.deadline.nanoseconds, number: callback),
            in: tables.dueElapsed
        )
        switch record.question {
        case .willPresent:
            center.arrivingCount -= 1
            state.unsettled?.arriving -= 1
        case .didReceive: center.openResponseCount -= 1
        }
        let ended = EndedCallbackRecord(outcome: outcome, answer: answer)
        try transaction.put(ended.bytes, forKey: key, in: tables.endedCallbacks)
        center.endedCallbackCount += 1
        if center.endedCallbackCount > Self.rememberedCallbacks {
            let oldest = try transaction.withCursor(in: tables.endedCallbacks) {
                cursor throws(LMDBError) in
                try cursor.seek(atOrAfter: Key.number(number)) ? try cursor.key() : nil
            }
            guard let oldest else { throw .disagrees(Key.number(number), in: tables.centers) }
            try transaction.deleteExisting(oldest, in: tables.endedCallbacks)
            center.endedCallbackCount -= 1
        }
        news.endedCallbacks[number, default: []].append(
            CallbackEnd(callback: callback, outcome: outcome)
        )
    }

    // MARK: Will present

    /// Keeps an occurrence that fired until the app says how to present it (FD-5).
    func arrive(
        _ fired: EventRecord.Fired,
        _ identifier: inout IdentifierRecord,
        _ center: inout CenterState,
        _ number: UInt32
    ) throws(LMDBError) {
        let callback = try open(
            .willPresent(fired),
            number: number
        )
        // A primary that was cut a moment ago is not there to answer.
        if isAsked(.willPresent(fired), of: number) {
            counts.asked += 1
            lastAsked = callback
        }
        identifier.arriving = .init(callback: callback, sequence: fired.sequence)
        center.arrivingCount += 1
        state.unsettled?.arriving += 1
    }

    /// Ends what is arriving under an identifier: something newer came, or it was removed.
    func withdraw(
        _ identifier: inout IdentifierRecord,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        guard let arriving = identifier.arriving else { return }
        let record = try transaction.callback(arriving.callback, center: number, tables)
        guard case .willPresent(let asked) = record.question else {
            let key = Key.numbered(arriving.callback, center: number)
            throw .disagrees(key, in: tables.callbacks)
        }
        let fired = asked.late(by: record.nanosecondsOpen(at: now))
        try close(
            arriving.callback,
            record,
            .withdrawn,
            center: &center,
            number: number
        )
        identifier.arriving = nil
        // What was delivered before stays: it is not this one that takes its place.
        let request = try transaction.record(fired.sequence, tables).request
        counts.suppressed += 1
        if request.content.holdsAttachments { touched.insert(fired.sequence) }
        try note(center.lastEvent + 1, of: fired.sequence, request, for: &identifier)
        let event = EventRecord.Kind.suppressed(fired, .notPresented, replaced: nil)
        try self.record(event, of: request, for: &center, number: number)
    }

    /// Settles an arriving occurrence with what the app answered, or with what follows from none.
    private func settleArriving(
        _ callback: UInt64,
        _ record: CallbackRecord,
        _ asked: EventRecord.Fired,
        _ outcome: CallbackOutcome,
        answer: CallbackAnswer?,
        number: UInt32
    ) throws(LMDBError) {
        let fired = asked.late(by: record.nanosecondsOpen(at: now))
        var center = try center(number)
        let request = try transaction.record(fired.sequence, tables).request
        let key = Key.identifier(request.identifier, center: number)
        var identifier = try transaction.identifierRecord(key: key, tables)
        guard identifier.arriving?.callback == callback else {
            throw .disagrees(key, in: tables.identifiers)
        }
        try close(callback, record, outcome, answer: answer, center: &center, number: number)
        identifier.arriving = nil
        let device = try device(of: center)
        let decided =
            if case .present(let options)? = answer {
                center.outcome(of: request.content, on: device, answered: options)
            } else {
                center.outcomeAfterDeadline(of: request.content, on: device, profile: profile)
            }
        try settle(decided, of: fired, request, for: &identifier, center: &center, number: number)
        try setIdentifier(key: key, to: identifier)
        setCenter(number, center)
    }

    // MARK: Responses

    /// Keeps what the person did until the app takes it (RSP-7).
    func respond(
        _ response: CallbackRecord.Response,
        center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) -> UInt64 {
        center.openResponseCount += 1
        return try open(
            .didReceive(response),
            number: number
        )
    }

    // MARK: The end

    /// Ends a callback whose deadline has passed.
    func expireCallback(_ callback: UInt64, center number: UInt32) throws(LMDBError) {
        let record = try transaction.callback(callback, center: number, tables)
        switch record.question {
        case .willPresent(let fired):
            noteSilence(of: number)
            try settleArriving(
                callback,
                record,
                fired,
                .timedOut,
                answer: nil,
                number: number
            )
        case .didReceive(let response):
            try endResponse(callback, record, response, .timedOut, number)
        }
    }

    /// Completes a callback with the app's answer.
    ///
    /// - Returns: Why it was not; nil where it is done, or was by the same answer.
    func complete(
        _ callback: UInt64,
        with answer: CallbackAnswer,
        number: UInt32
    ) throws(LMDBError) -> Refusal? {
        let key = Key.numbered(callback, center: number)
        guard let bytes = try transaction.value(forKey: key, in: tables.callbacks) else {
            guard let bytes = try transaction.value(forKey: key, in: tables.endedCallbacks) else {
                return .callbackUnknown(callback)
            }
            let isRepeated = try EndedCallbackRecord(bytes).answer == answer
            return isRepeated ? nil : .callbackEnded(callback)
        }
        let record = try CallbackRecord(bytes)
        switch (record.question, answer) {
        case (.willPresent(let fired), .present):
            try settleArriving(
                callback,
                record,
                fired,
                .completed,
                answer: answer,
                number: number
            )
        case (.didReceive(let response), .taken):
            try endResponse(callback, record, response, .completed, number)
        default: return .callbackUnknown(callback)
        }
        return nil
    }

    private func endResponse(
        _ callback: UInt64,
        _ record: CallbackRecord,
        _ response: CallbackRecord.Response,
        _ outcome: CallbackOutcome,
        _ number: UInt32
    ) throws(LMDBError) {
        var center = try center(number)
        try close(
            callback,
            record,
            outcome,
            answer: outcome == .completed ? .taken : nil,
            center: &center,
            number: number
        )
        let responded = Event.Responded(
            identifier: response.request.request.identifier,
            delivery: response.delivery,
            actionIdentifier: response.action
        )
        try self.record(
            outcome == .completed ? .responseCompleted(responded) : .responseExpired(responded),
            for: &center,
            number: number
        )
        setCenter(number, center)
    }
}

extension Refusal {
    static func callbackUnknown(_ callback: UInt64) -> Refusal { callbackUnknown("\(callback)") }

    static func callbackEnded(_ callback: UInt64) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: "CALLBACK_ENDED",
            message: "callback \(callback) has ended: its deadline passed, or it was answered",
            metadata: ["callback_id": "\(callback)"]
        )
    }
}
