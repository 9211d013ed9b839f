package import NotificationCore

extension Refusal {
    static func tooManySubscriptions(_ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .subscriptionLimit,
            message: "the server has \(limit) subscriptions, its limit",
            facts: [.limit: "\(limit)"]
        )
    }

    static func eventNumberUnknown(newest: EventNumber) -> Refusal {
        Refusal(
            .outOfRange,
            reason: .eventNumberUnknown,
            message: "there is no such event yet, the newest is \(newest)",
            fields: [WrongField([.after], "the newest event is \(newest)")],
            facts: [.lastEvent: "\(newest)"]
        )
    }

    static let subscriptionLost = Refusal(
        .notFound,
        reason: .subscriptionUnknown,
        message: """
            nothing is kept of this subscription: subscribe with its role and state
            """,
        fields: [WrongField([.resumedSubscription], "nothing is kept of this subscription")]
    )

    static let takenUp = Refusal(
        .aborted,
        reason: .subscriptionResumed,
        message: "another stream took this subscription up"
    )

    /// A newer call of the extension serves.
    static let servingReplaced = Refusal(
        .aborted,
        reason: .extensionReplaced,
        message: "a newer call of this extension serves"
    )

    static func tooManyServing(_ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .subscriptionLimit,
            message: "\(limit) extensions of the app serve, as many as an app may have",
            facts: [.limit: "\(limit)"]
        )
    }

    static let stalled = Refusal(
        .resourceExhausted,
        reason: .subscriberStalled,
        message: "the subscriber took nothing for 60 s: subscribe again after the last bookmark"
    )

    /// Calls of the caller wait for replies to be read, and there are too many.
    static func repliesNotRead(_ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .overloaded,
            message: """
                the caller may have \(limit) bytes of replies that it has not read, and more calls \
                wait for that than the server takes of one: read them, and retry after the delay
                """,
            facts: [.limit: "\(limit)"],
            retryAfterNanoseconds: 1_000_000_000
        )
    }

    /// The client does not read a reply.
    package static let replyNotRead = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: "the reply was not read for 60 s, or for a second while others waited for its room"
    )

    static let watcherBehind = Refusal(
        .resourceExhausted,
        reason: .subscriberStalled,
        message: "the watcher is too far behind: watch again for a new snapshot"
    )

    /// No open subscription of the app has this identifier.
    static let subscriptionUnknown = Refusal(
        .notFound,
        reason: .subscriptionUnknown,
        message: "the app has no open subscription with this identifier",
        fields: [WrongField([.subscription], "no open subscription has it")]
    )

    static func tooManyShown(_ limit: Int) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: .listTooLarge,
            message: "the device shows more than \(limit) notifications: name fewer apps",
            fields: [
                WrongField([.listedApps], "the list is put in order up to \(limit) notifications")
            ],
            namesFields: false,
            facts: [.limit: "\(limit)"]
        )
    }
}
