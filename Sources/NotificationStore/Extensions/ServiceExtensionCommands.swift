package import NotificationCore
package import NotificationRecords

/// A service extension's content in place of a push.
package struct ServiceAnswer: Hashable, Sendable {
    package var question: ExtensionCallback.Name
    /// The content, which passed ``NotificationContent/validateOfExtension()``.
    package var content: NotificationContent
    /// Whether the content is only kept for when no answer comes in time.
    package var isBestAttempt: Bool

    package init(
        question: ExtensionCallback.Name,
        content: NotificationContent,
        isBestAttempt: Bool
    ) {
        self.question = question
        self.content = content
        self.isBestAttempt = isBestAttempt
    }

    /// A digest by which a repeated answer is recognized.
    var fingerprint: UInt128 {
        let request = NotificationRequest(identifier: "", content: content)
        let record = RequestRecord(
            center: 0,
            request: request,
            base: ElapsedInstant(nanoseconds: 0),
            addedAt: WallInstant(nanoseconds: 0)
        )
        var hash = Fingerprint()
        hash.combine(record.bytes)
        return hash.value
    }
}

extension Store {
    /// Takes a service extension's content in place of a push (NSE-11).
    ///
    /// `serving` is the identifier of the call through which the extension was asked. `completion`
    /// is told what becomes of the content, once it is durable. The first answer counts: the same
    /// answer again is told the same, any other `CALLBACK_ENDED`.
    package func completeServiceExtension(
        _ answer: ServiceAnswer,
        of app: String,
        through serving: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<ExtensionOutcome>
    ) {
        let command = CompleteServiceExtensionCommand(answer: answer, app: app, serving: serving)
        submit(command, once: key, completion)
    }

    /// Ends the open questions of an app for which no extension serves any more, in slices between
    /// which other commands run; nobody waits for the end.
    ///
    /// After a crash in between the deadlines of the questions end them.
    package func endUnservedQuestions(of app: String) {
        submit(EndUnservedQuestionsCommand(app: app), once: nil) { _ in }
    }
}

struct CompleteServiceExtensionCommand: Command {
    let answer: ServiceAnswer
    let app: String
    let serving: String

    /// The answer may let the pushes behind this one go on.
    var cost: Int { 4 + answer.content.attachments.count }
    static var changesItself: Bool { false }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<ExtensionOutcome> {
        let now = batch.now.elapsed
        guard batch.context.extensions.isServing(serving, as: .service, for: app, at: now) else {
            return .done(.failure(.extensionNotServing))
        }
        let number = answer.question.number
        guard batch.begin(center: answer.question.center),
            let center = try batch.knownCenter(answer.question.center), center.name.app == app
        else { return .done(.failure(.callbackUnknown(number))) }
        defer { batch.endWork() }
        let key = CallbackKey(number, of: center.number)
        guard let record = try batch.transaction.rowIfAny(key, in: batch.tables.callbacks) else {
            return .done(try ended(key, batch))
        }
        guard case .service(let service) = record.question else {
            return .done(.failure(.callbackUnknown(number)))
        }
        let arrivals = center.serviceArrivals
        return .done(.success(try arrivals.answer(number, record, service, with: answer)))
    }

    /// The reply about a question that is no longer open.
    private func ended(
        _ key: CallbackKey,
        _ batch: Batch
    ) throws(StoreFailure) -> Result<ExtensionOutcome, Refusal> {
        let row = try batch.transaction.rowIfAny(key, in: batch.tables.endedCallbacks)
        guard let row else { return .failure(.callbackUnknown(key.number)) }
        guard case .content(answer.fingerprint, let outcome)? = row.answer,
            !answer.isBestAttempt
        else { return .failure(.callbackEnded(key.number)) }
        return .success(outcome)
    }
}

/// Ends the questions that no extension answers any more, without waiting for their deadlines.
struct EndUnservedQuestionsCommand: Command {
    let app: String
    /// The last question that was looked at.
    var last: ExtensionQuestionKey?

    var growth: Growth { .nothing }
    var cost: Int { 64 }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        let rows = try batch.transaction.rows(
            in: batch.tables.extensionQuestions,
            .app(app),
            after: last,
            atMost: cost
        )
        for (key, row) in rows {
            last = key
            let now = batch.now.elapsed
            let extensions = batch.context.extensions
            guard !extensions.isServing(row.kind, named: row.name, for: app, at: now),
                batch.begin(center: row.center)
            else { continue }
            try batch.center(row.center).callbacks.endUnserved(key.number)
            batch.endWork()
        }
        // Leave the rest to its deadlines.
        return rows.count < cost ? .done(.success(0)) : .more(.kept)
    }
}

extension ExtensionOutcome: Coded {
    package func write(to writer: inout ByteWriter) { writer.put(rawValue) }
    package init(_ reader: inout ByteReader) throws(RowProblem) { self = try reader.choice() }
}

extension Refusal {
    /// No open call of an extension of the app has this identifier.
    package static let extensionNotServing = Refusal(
        .notFound,
        reason: .extensionNotServing,
        message: "no extension of the app serves under this identifier",
        fields: [WrongField([.serving], "no open call has it")]
    )
}
