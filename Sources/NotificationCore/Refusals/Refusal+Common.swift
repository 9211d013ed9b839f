extension Refusal {
    /// Refuses a request for one field that is wrong.
    package static func invalid(
        _ path: FieldPath,
        _ problem: String,
        reason: Reason = .invalidField
    ) -> Refusal {
        Refusal(
            .invalidArgument,
            reason: reason,
            message: problem,
            fields: [WrongField(path, problem)]
        )
    }

    /// Refuses an identifier that no request can have.
    package static func identifierInvalid(_ path: FieldPath) -> Refusal {
        invalid(
            path,
            "an identifier is 1-\(Limits.identifierBytes) bytes of UTF-8",
            reason: .identifierInvalid
        )
    }

    /// Refuses a command for a center whose app is not registered (W-2).
    package static func notRegistered(_ center: CenterName) -> Refusal {
        Refusal(
            .notFound,
            reason: .appNotRegistered,
            message: "app \(center.app) is not registered on device \(center.device)",
            facts: [.app: center.app, .device: center.device],
            hint: .askForPermission
        )
    }

    /// Refuses a date that never comes (`UNErrorDomain` 1400).
    package static func noDate(_ path: FieldPath) -> Refusal {
        Refusal(.notificationInvalidNoDate, path, "no date to come matches")
    }

    /// Refuses a time zone that the machine's zone database does not have.
    package static func timeZoneUnknown(_ path: FieldPath) -> Refusal {
        invalid(
            path,
            "is not a zone of the zone database, such as Europe/Rome",
            reason: .timeZoneUnknown
        )
    }

    /// Refuses a request that a person could not perceive (`UNErrorDomain` 1401).
    package static func noContent(_ path: FieldPath) -> Refusal {
        Refusal(
            .notificationInvalidNoContent,
            path,
            "needs at least one of title, subtitle, body, sound, badge, attachments"
        )
    }

    /// Refuses an attachment that is not in the data store (`UNErrorDomain` 103).
    package static func attachmentNotInDataStore(_ path: FieldPath) -> Refusal {
        Refusal(
            .notFound,
            reason: .attachmentNotInDataStore,
            message: "no attachment with this id is in the data store",
            fields: [WrongField(path, "not in the data store")]
        )
    }

    /// Refuses a badge count that is not acceptable (`UNErrorDomain` 1600, B-3).
    package static func badgeInvalid(_ path: FieldPath) -> Refusal {
        Refusal(.badgeInputInvalid, path, "a badge count is 0-\(Int32.max)")
    }

    /// Refuses what goes beyond a limit, whose number is a fact of the refusal.
    package static func limitReached(
        _ reason: Reason,
        _ limit: Int,
        _ message: String
    ) -> Refusal {
        Refusal(.resourceExhausted, reason: reason, message: message, facts: [.limit: "\(limit)"])
    }

    /// Refuses an add beyond the center's limit of pending requests (D-2).
    package static func pendingLimit(_ limit: Int) -> Refusal {
        let message = """
            the center holds \(limit) pending requests, its limit: \
            remove some before adding more
            """
        return limitReached(.pendingLimit, limit, message)
    }
}
