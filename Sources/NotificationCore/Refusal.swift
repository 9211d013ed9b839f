/// Why a command was refused: the source of the wire's status, reason and fields.
///
/// The text is for a person to act on and never holds a notification's content.
public struct Refusal: Error, Hashable, Sendable {
    /// The kinds of refusals; the numbers are stored and are gRPC's codes.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The request can never be right as it stands.
        case invalidArgument = 3
        /// The named thing does not exist.
        case notFound = 5
        /// The person, or the server's operator, does not allow the command.
        case permissionDenied = 7
        /// The command is right in itself and wrong in the present state.
        case failedPrecondition = 9
        /// A limit is reached.
        case resourceExhausted = 8
        /// Another call replaced this one.
        case aborted = 10
        /// The requested position is no longer kept.
        case outOfRange = 11
        /// This version does not implement the command.
        case unimplemented = 12
        /// The server could not do what it should have been able to do.
        case internalError = 13
        /// The server is stopping or its store has failed.
        case unavailable = 14
        /// Stored data can no longer be read.
        case dataLoss = 15
        /// The deadline passed before the command began.
        case deadlineExceeded = 4
    }

    /// A field that is wrong, and why.
    public struct Field: Hashable, Sendable {
        /// The path of the field in the request, such as `request.trigger.time_interval`.
        public var path: String
        /// What is wrong with it.
        public var problem: String

        /// Names a field and what is wrong with it.
        public init(_ path: String, _ problem: String) {
            self.path = path
            self.problem = problem
        }
    }

    /// The kind of refusal.
    public var kind: Kind
    /// The reason in UPPER_SNAKE_CASE, stable for programs.
    public var reason: String
    /// What happened and what to do, for a person.
    public var message: String
    /// The number in `UNErrorDomain` where Apple has one (§2.9).
    public var unErrorCode: Int?
    /// The fields that are wrong.
    public var fields: [Field]
    /// Facts that belong to the reason, such as a limit's number.
    ///
    /// Bounded: its names are the server's own.
    public var metadata: [String: String]
    /// How long to wait before a retry, in nanoseconds; nil where a retry does not help.
    public var retryAfterNanoseconds: Int64?

    /// Makes a refusal.
    public init(
        _ kind: Kind,
        reason: String,
        message: String,
        unErrorCode: Int? = nil,
        fields: [Field] = [],
        // Bounded: as above.
        metadata: [String: String] = [:],
        retryAfterNanoseconds: Int64? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.message = message
        self.unErrorCode = unErrorCode
        self.fields = fields
        self.metadata = metadata
        self.retryAfterNanoseconds = retryAfterNanoseconds
    }

    /// The reason of a field that has no reason of its own.
    public static let invalidField = "INVALID_FIELD"

    /// Refuses a request for one field that is wrong.
    public static func invalid(
        _ path: String,
        _ problem: String,
        reason: String = invalidField
    ) -> Refusal {
        Refusal(
            .invalidArgument,
            reason: reason,
            message: "\(path): \(problem)",
            fields: [Field(path, problem)]
        )
    }

    /// Refuses an identifier that no request can have.
    public static func identifierInvalid(_ path: String) -> Refusal {
        invalid(
            path,
            "an identifier is 1-\(Limits.identifierBytes) bytes of UTF-8",
            reason: "IDENTIFIER_INVALID"
        )
    }

    /// Refuses a part of the contract that this version does not implement yet.
    public static func unimplemented(_ path: String, _ what: String) -> Refusal {
        Refusal(
            .unimplemented,
            reason: "NOT_IMPLEMENTED",
            message: "\(path): \(what) not implemented in this version",
            fields: [Field(path, "not implemented in this version")]
        )
    }

    /// Refuses a command for a center whose app is not registered (W-2).
    public static func notRegistered(_ center: CenterName) -> Refusal {
        Refusal(
            .notFound,
            reason: "APP_NOT_REGISTERED",
            message: """
                app \(center.app) is not registered on device \(center.device): \
                call RequestAuthorization first
                """,
            metadata: ["app_id": center.app, "device_id": center.device]
        )
    }

    /// Refuses a date that never comes (`UNErrorDomain` 1400).
    public static func noDate(_ path: String) -> Refusal {
        Refusal(.notificationInvalidNoDate, path, "no date to come matches")
    }

    /// Refuses a time zone that the machine's zone database does not have.
    public static func timeZoneUnknown(_ path: String) -> Refusal {
        invalid(
            path,
            "is not a zone of the zone database, such as Europe/Rome",
            reason: "TIME_ZONE_UNKNOWN"
        )
    }

    /// Refuses a request that a person could not perceive (`UNErrorDomain` 1401).
    public static func noContent(_ path: String) -> Refusal {
        Refusal(
            .notificationInvalidNoContent,
            path,
            "needs at least one of title, subtitle, body, sound, badge, attachments"
        )
    }

    /// Refuses an attachment that is not in the data store (`UNErrorDomain` 103).
    public static func attachmentNotInDataStore(_ path: String) -> Refusal {
        Refusal(
            .notFound,
            reason: "ATTACHMENT_NOT_IN_DATA_STORE",
            message: "\(path): no attachment with this id is in the data store",
            unErrorCode: 103,
            fields: [Field(path, "not in the data store")]
        )
    }

    /// Refuses a badge count that is not acceptable (`UNErrorDomain` 1600, B-3).
    public static func badgeInvalid(_ path: String) -> Refusal {
        Refusal(.badgeInputInvalid, path, "a badge count is 0-\(Int32.max)")
    }

    /// Refuses an add beyond the center's limit of pending requests (D-2).
    public static func pendingLimit(_ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: "PENDING_LIMIT",
            message: """
                the center holds \(limit) pending requests, its limit: \
                remove some before adding more
                """,
            metadata: ["limit": "\(limit)"]
        )
    }

    /// Gives this refusal with `prefix` before the path of each field and before the message.
    public func prefixed(_ prefix: String) -> Refusal {
        var refusal = self
        refusal.fields = fields.map { Field(prefix + $0.path, $0.problem) }
        if let first = fields.first, message.utf8.starts(with: first.path.utf8) {
            refusal.message = prefix + message
        }
        return refusal
    }
}
