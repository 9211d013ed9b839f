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

    static func eventsTrimmed(first: UInt64) -> Refusal {
        Refusal(
            .outOfRange,
            reason: "EVENTS_TRIMMED",
            message: """
                after: the events up to \(first - 1) are not kept any more: ask for a snapshot, \
                or begin with after 0
                """,
            fields: [Refusal.Field("after", "is older than the oldest event that is kept")],
            metadata: ["first_number": "\(first)"]
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
}
