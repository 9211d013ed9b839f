extension Refusal {
    /// Refuses a tag expression that cannot be read (AZ-9).
    package static func tagExpressionInvalid(
        _ fault: TagExpressionFault,
        _ path: FieldPath = [.tagExpression]
    ) -> Refusal {
        var refusal = Refusal.invalid(
            path,
            "at byte \(fault.position): \(fault.problem)",
            reason: .tagExpressionInvalid
        )
        refusal.facts = [.position: "\(fault.position)"]
        return refusal
    }

    /// Refuses a push to many that nobody could repeat.
    package static let idempotencyKeyRequired = Refusal.invalid(
        [.idempotencyKey],
        "is required: it names the push to a caller that lost the answer",
        reason: .idempotencyKeyRequired
    )

    /// Refuses a push to many that is not known, or ended long ago.
    package static let pushNotFound = Refusal(
        .notFound,
        reason: .pushNotFound,
        message: "there is no such push to many, or it ended more than 7 days ago"
    )

    /// Refuses a push to many beyond the limit of an app's open ones.
    package static func pushLimit(_ limit: Int) -> Refusal {
        let message = "the app has \(limit) pushes to many that have not ended, its limit"
        return limitReached(.pushLimit, limit, message)
    }

    /// Refuses an outcome that no push has had yet.
    package static func outcomeUnknown(newest: UInt64) -> Refusal {
        .invalid([.afterOutcome], "is beyond the last outcome so far, \(newest)")
    }

    /// Refuses a rich push that this device was not sent.
    package static let richPushNotFound = Refusal(
        .notFound,
        reason: .richPushNotFound,
        message: "this device has no such rich push"
    )

    /// Refuses a rich push whose announcement is larger than a push may be.
    package static let richPushTooLarge = Refusal.invalid(
        [.message],
        "makes the push larger than \(Limits.payloadBytes) bytes",
        reason: .payloadTooLarge
    )
}
