internal import BelfryLMDB
public import NotificationCore

/// One of an app's answers.
public struct CallbackCompletion: Hashable, Sendable {
    /// The callback's number.
    public var callback: UInt64
    /// The answer.
    public var answer: CallbackAnswer

    /// Makes an answer.
    public init(callback: UInt64, answer: CallbackAnswer) {
        self.callback = callback
        self.answer = answer
    }
}

/// What became of an app's answers.
public struct CompletionReply: Hashable, Sendable {
    /// The callback of each, or why it was refused.
    public var results: [Result<UInt64, Refusal>]
    /// What the app is believed to do by then.
    public var appState: AppState
}

extension Store {
    /// Completes callbacks with an app's answers (W-15).
    ///
    /// - Parameters:
    ///   - completions: The answers, or why one is refused already; one that is refused undoes no
    ///     other.
    ///   - center: The center.
    ///   - subscription: The identifier of the subscription that the app was asked through.
    ///   - key: Makes a retry act once.
    ///   - completion: Told, once that is durable, what became of each.
    ///     Where none is left, the first one's refusal is that of the call.
    public func complete(
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

    func apply(to batch: Batch) throws(LMDBError) -> Step<CompletionReply> {
        guard let center = try batch.center(center) else {
            return .done(.failure(.notRegistered(center)))
        }
        guard center.isPrimary(subscription) else {
            return .done(.failure(.notPrimary))
        }
        batch.noteCall(from: center.number)
        var results: [Result<UInt64, Refusal>] = []
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
        // A call of which nothing was accepted changed nothing, and is refused as a whole.
        let isAccepted = results.contains { if case .success = $0 { true } else { false } }
        guard !isAccepted, case .failure(let refusal)? = results.first else {
            let state = center.appState
            return .done(.success(CompletionReply(results: results, appState: state)))
        }
        return .done(.failure(refusal))
    }
}

extension CompletionReply: StoredReply {
    func write(to writer: inout ByteWriter) {
        results.write(to: &writer)
        writer.put(appState.rawValue)
    }

    init(_ reader: inout ByteReader) throws(LMDBError) {
        results = try [Result<UInt64, Refusal>](&reader)
        // A reply that an older version kept does not say.
        appState = reader.isAtEnd ? .notRunning : try reader.choice()
    }
}

extension Refusal {
    /// The app was never asked this, or not this kind of question.
    ///
    /// - Parameter callback: What the app named, short enough to be said back.
    /// - Returns: The refusal.
    public static func callbackUnknown(_ callback: String) -> Refusal {
        Refusal(
            .notFound,
            reason: "CALLBACK_UNKNOWN",
            message: "callback \(callback) is not one of this app's, or ended long ago",
            metadata: ["callback_id": callback]
        )
    }

    /// Only the subscription that is asked may answer.
    static let notPrimary = Refusal(
        .failedPrecondition,
        reason: "NOT_PRIMARY",
        message: """
            subscription_id: is not the app's primary subscription: another one took over, or it \
            has ended
            """,
        fields: [Field("subscription_id", "is not the app's primary subscription")]
    )
}
