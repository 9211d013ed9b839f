internal import LMDB
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

extension Store {
    /// Completes callbacks with an app's answers (api.md 3).
    ///
    /// - Parameters:
    ///   - completions: The answers, or why one is refused already; one that is refused undoes no
    ///     other.
    ///   - center: The center.
    ///   - subscription: The identifier of the subscription that the app was asked through.
    ///   - key: Makes a retry act once.
    ///   - completion: Told, once that is durable, the callback of each or why it was refused.
    ///     Where none is left, the first one's refusal is that of the call.
    public func complete(
        _ completions: [Result<CallbackCompletion, Refusal>],
        of center: CenterName,
        through subscription: String,
        once key: IdempotencyKey? = nil,
        completion: @escaping Completion<[Result<UInt64, Refusal>]>
    ) {
        submit(
            CompleteCommand(center: center, subscription: subscription, completions: completions),
            once: key,
            completion
        )
    }

    /// Notes what a subscriber says that its app does.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - center: The center.
    ///   - subscription: The subscription's identifier.
    /// - Returns: The app's state: the highest of its subscribers.
    /// - Throws: That the app is not registered, or that there is no such subscription.
    public func updateAppState(
        _ state: AppState,
        of center: CenterName,
        through subscription: String
    ) throws(Refusal) -> AppState {
        let number = try number(of: center)
        let now = clock.now().elapsed
        guard let state = delegates.setAppState(state, of: subscription, in: number, at: now)
        else { throw .subscriptionUnknown }
        return state
    }
}

struct CompleteCommand: CenterCommand {
    let center: CenterName
    let subscription: String
    let completions: [Result<CallbackCompletion, Refusal>]

    var cost: Int { max(1, completions.count) }

    func apply(
        to batch: Batch,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Step<[Result<UInt64, Refusal>]> {
        guard let number = try batch.number(of: center, in: transaction) else {
            return .done(.failure(.notRegistered(center)))
        }
        guard batch.isPrimary(subscription, of: number) else {
            return .done(.failure(.notPrimary))
        }
        batch.noteCall(from: number)
        var results: [Result<UInt64, Refusal>] = []
        for completion in completions {
            switch completion {
            case .success(let completion):
                let refusal = try batch.complete(
                    completion.callback,
                    with: completion.answer,
                    number: number,
                    in: transaction
                )
                results.append(refusal.map { .failure($0) } ?? .success(completion.callback))
            case .failure(let refusal):
                results.append(.failure(refusal))
            }
        }
        // A call of which nothing was accepted changed nothing, and is refused as a whole.
        let isAccepted = results.contains { if case .success = $0 { true } else { false } }
        guard !isAccepted, case .failure(let refusal)? = results.first else {
            return .done(.success(results))
        }
        return .done(.failure(refusal))
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

    /// No open subscription of the app has this identifier.
    static let subscriptionUnknown = Refusal(
        .notFound,
        reason: "SUBSCRIPTION_UNKNOWN",
        message: "subscription_id: the app has no open subscription with this identifier",
        fields: [Field("subscription_id", "no open subscription has it")]
    )
}
