package import NotificationCore
package import NotificationRecords

/// An app's answer to one callback.
package struct CallbackCompletion: Hashable, Sendable {
    package var callback: CallbackNumber
    package var answer: CallbackAnswer

    package init(callback: CallbackNumber, answer: CallbackAnswer) {
        self.callback = callback
        self.answer = answer
    }
}

/// The results of an app's answers.
package struct CompletionReply: Hashable, Sendable {
    /// For each answer its callback, or why it was refused.
    package var results: [Result<CallbackNumber, Refusal>]
    /// The assumed state of the app after the call.
    package var appState: AppState
}

extension Store {
    /// Completes callbacks with an app's answers (W-15).
    ///
    /// `completions` are the answers, or why one is refused already; a refused answer does not undo
    /// another. `subscription` is the identifier of the subscription through which the app was
    /// asked. `completion` is told the result of each answer, once all are durable. Where no answer
    /// is accepted, the first refusal is the refusal of the call.
    package func complete(
        _ completions: [Result<CallbackCompletion, Refusal>],
        of center: CenterName,
        through subscription: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<CompletionReply>
    ) {
        submit(
            CompleteCommand(center: center, subscription: subscription, completions: completions),
            once: key,
            completion
        )
    }
}

struct CompleteCommand: CenterCommand {
    let center: CenterName
    let subscription: String
    let completions: [Result<CallbackCompletion, Refusal>]

    var cost: Int { max(1, completions.count) }

    /// Whether each answer says that the app has handled a response of the person.
    private var areResponses: Bool {
        completions.allSatisfy { (try? $0.get())?.answer ?? .taken == .taken }
    }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<CompletionReply> {
        let center = try batch.registered(center)
        // A caller that waited for an answer may complete it without being the primary (RSP-10).
        guard center.isPrimary(subscription) || subscription.isEmpty && areResponses else {
            return .done(.failure(.notPrimary))
        }
        batch.noteCall(from: center.number)
        var results: [Result<CallbackNumber, Refusal>] = []
        for completion in completions {
            switch completion {
            case .success(let completion):
                let answer = completion.answer
                let refusal = try center.callbacks.complete(completion.callback, with: answer)
                results.append(refusal.map { .failure($0) } ?? .success(completion.callback))
            case .failure(let refusal):
                results.append(.failure(refusal))
            }
        }
        // Refuse the call as a whole where no answer is accepted, since it changed nothing.
        let isAccepted = results.contains { if case .success = $0 { true } else { false } }
        guard !isAccepted, case .failure(let refusal)? = results.first else {
            let state = center.appState
            return .done(.success(CompletionReply(results: results, appState: state)))
        }
        return .done(.failure(refusal))
    }
}

extension CompletionReply: Coded {
    package func write(to writer: inout ByteWriter) {
        results.write(to: &writer)
        writer.put(appState.rawValue)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        results = try reader.value()
        appState = try reader.choice()
    }
}

extension Refusal {
    /// The app has no such callback, or the answer is for another kind of callback.
    ///
    /// `callback` is the callback that the app named, short enough to be repeated in the message.
    package static func callbackUnknown(_ callback: String) -> Refusal {
        Refusal(
            .notFound,
            reason: .callbackUnknown,
            message: "callback \(callback) is not one of this app's, or ended long ago",
            facts: [.callback: callback]
        )
    }

    /// Only the primary subscription may answer.
    static let notPrimary = Refusal(
        .failedPrecondition,
        reason: .notPrimary,
        message: """
            is not the app's primary subscription: another one took over, or it has ended
            """,
        fields: [WrongField([.subscription], "is not the app's primary subscription")]
    )
}
