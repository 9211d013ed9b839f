internal import NotificationCore

extension Refusal {
    static func tooManySubscriptions(_ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: "SUBSCRIPTION_LIMIT",
            message: "the server has \(limit) subscriptions, its limit",
            metadata: ["limit": "\(limit)"]
        )
    }

    static func eventNumberUnknown(newest: UInt64) -> Refusal {
        Refusal(
            .outOfRange,
            reason: "EVENT_NUMBER_UNKNOWN",
            message: "after: there is no such event yet, the newest is \(newest)",
            fields: [Field("after", "the newest event is \(newest)")],
            metadata: ["last_event_number": "\(newest)"]
        )
    }

    static let subscriptionLost = Refusal(
        .notFound,
        reason: "SUBSCRIPTION_UNKNOWN",
        message: """
            resume_subscription_id: nothing is kept of this subscription: subscribe with its role \
            and state
            """,
        fields: [Field("resume_subscription_id", "nothing is kept of this subscription")]
    )

    static let takenUp = Refusal(
        .aborted,
        reason: "SUBSCRIPTION_RESUMED",
        message: "another stream took this subscription up"
    )

    static let stalled = Refusal(
        .resourceExhausted,
        reason: "SUBSCRIBER_STALLED",
        message: "the subscriber took nothing for 60 s: subscribe again after the last bookmark"
    )

    static let watcherBehind = Refusal(
        .resourceExhausted,
        reason: "SUBSCRIBER_STALLED",
        message: "the watcher is too far behind: watch again for a new snapshot"
    )

    /// No open subscription of the app has this identifier.
    static let subscriptionUnknown = Refusal(
        .notFound,
        reason: "SUBSCRIPTION_UNKNOWN",
        message: "subscription_id: the app has no open subscription with this identifier",
        fields: [Field("subscription_id", "no open subscription has it")]
    )

    static func tooManyShown(_ limit: Int) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: "LIST_TOO_LARGE",
            message: "the device shows more than \(limit) notifications: name fewer apps",
            fields: [Field("app_ids", "the list is put in order up to \(limit) notifications")],
            metadata: ["limit": "\(limit)"]
        )
    }
}
