package import NotificationCore

extension Refusal {
    /// The queue of commands is full: nothing happened, and a retry helps.
    static let overloaded = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: "the server has more commands waiting than it takes: retry after the delay",
        retryAfterNanoseconds: 50_000_000
    )

    /// The caller's share of the queue is full: nothing happened, and a retry helps.
    static let callerOverloaded = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: """
            the app or its caller has more commands waiting than the server takes of one: retry \
            after the delay
            """,
        retryAfterNanoseconds: 50_000_000
    )

    /// There is no space: nothing happened.
    static let storeFull = Refusal(
        .resourceExhausted,
        reason: .storeFull,
        message: "the store has no space left: free some disk, or remove requests"
    )

    /// There is no space for the rest of a call; earlier batches did a part of it.
    static let storeFullMidway = Refusal(
        .resourceExhausted,
        reason: .storeFull,
        message: "the store has no space left, and a part of this call is done: free some disk",
        hint: .repeatWithSameKey
    )

    /// There is no space for the due work that a call waits for.
    static func storeFull(leaving rest: Rest?) -> Refusal {
        rest == nil ? .storeFull : .storeFullMidway
    }

    /// The store failed; whether the command took effect is known after a restart.
    static let storeFailed = Refusal(
        .unavailable,
        reason: .outcomeUnknown,
        message:
            "the store failed and the server stops: what this call did is known after a restart"
    )

    /// The server stops while the person is asked: the prompt stays open.
    static let stoppingWhileAsking = Refusal(
        .unavailable,
        reason: .stopping,
        message: "the server is stopping, and the prompt stays open: ask again to go on waiting",
        retryAfterNanoseconds: 1_000_000_000
    )

    /// The server stops between two steps of a command.
    static func stopping(leaving rest: Rest?) -> Refusal {
        switch rest {
        case nil: .stopping
        case .kept, .task:
            Refusal(
                .unavailable,
                reason: .stopping,
                message: """
                    the server is stopping when a part of this call is done, and goes on with the \
                    rest at its next start: wait for it
                    """,
                hint: .repeatWithSameKey,
                retryAfterNanoseconds: 1_000_000_000
            )
        case .retry:
            Refusal(
                .unavailable,
                reason: .stopping,
                message: """
                    the server is stopping when a part of this call is done, and the rest is not \
                    done by itself: wait for the next start
                    """,
                hint: .repeatWithSameKey,
                retryAfterNanoseconds: 1_000_000_000
            )
        }
    }

    /// The server stops: nothing happened.
    package static let stopping = Refusal(
        .unavailable,
        reason: .stopping,
        message: "the server is stopping: retry elsewhere or later",
        retryAfterNanoseconds: 1_000_000_000
    )
}
