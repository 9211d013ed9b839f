/// A refused command: the problem and its fields, from which the service makes the wire's status,
/// reason and fields.
///
/// The text is for a person to act on and never holds a notification's content. It has no words of
/// the wire: the service adds these.
@usableFromInline
package struct Refusal: Error, Hashable, Sendable {
    /// The kinds of refusals; the numbers are stored and are gRPC's codes.
    package enum Kind: UInt8, Hashable, Sendable {
        /// The request can never be right as it stands.
        case invalidArgument = 3
        /// The named thing does not exist.
        case notFound = 5
        /// Something else has what the command asks for.
        case alreadyExists = 6
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
        /// The server could not do what it should have been able to do.
        case internalError = 13
        /// The server is stopping or its store has failed.
        case unavailable = 14
        /// Stored data can no longer be read.
        case dataLoss = 15
        /// The deadline passed before the command began.
        case deadlineExceeded = 4
    }

    package struct WrongField: Hashable, Sendable {
        package var path: FieldPath
        /// The problem of the field, for a person.
        package var problem: String

        package init(_ path: FieldPath, _ problem: String) {
            self.path = path
            self.problem = problem
        }
    }

    /// A fact that belongs to a reason; the names are stored.
    package struct Fact: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The limit that is reached.
        package static let limit = Fact(rawValue: "limit")
        package static let app = Fact(rawValue: "app")
        package static let device = Fact(rawValue: "device")
        /// The way in which the caller proved its identity, such as a token.
        package static let callerKind = Fact(rawValue: "callerKind")
        package static let callback = Fact(rawValue: "callback")
        /// The number of the first event that is kept.
        package static let firstEvent = Fact(rawValue: "firstEvent")
        /// The number of the newest event.
        package static let lastEvent = Fact(rawValue: "lastEvent")
        package static let byteCount = Fact(rawValue: "byteCount")
        /// The table of a damaged row.
        package static let table = Fact(rawValue: "table")
        /// An instant, in milliseconds since 1970-01-01T00:00:00Z.
        package static let timestamp = Fact(rawValue: "timestamp")
        /// The byte of a text where it is wrong, counted from 0.
        package static let position = Fact(rawValue: "position")
        /// The key of a damaged row.
        package static let key = Fact(rawValue: "key")
    }

    /// The end of a message, where only the service has the words for it.
    package enum Hint: Hashable, Sendable {
        /// The app has to ask for permission first.
        case askForPermission
        case lacks(MissingPermission)
        /// An app says that it has settings of its own when it asks for permission.
        case askForAppSettings
        case startWithManualClock
        /// The call may be repeated under its idempotency key.
        case repeatWithSameKey
        /// A subscriber may take a snapshot, or begin with the first event.
        case beginAnew
        case repairStore
    }

    package var kind: Kind
    package var reason: Reason
    /// The problem and its remedy in the domain's words, for a person.
    package var message: String
    /// Whether the wire's message begins with the names of ``fields``.
    package var namesFields: Bool
    package var fields: [WrongField]
    /// Facts that belong to the reason, such as a limit's number.
    package var facts: [Fact: String]
    /// How the message ends.
    package var hint: Hint?
    /// How long to wait before a retry, in nanoseconds; nil where a retry does not help.
    package var retryAfterNanoseconds: Int64?

    /// Makes a refusal.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - reason: The reason.
    ///   - message: What happened and what to do.
    ///   - fields: The fields that are wrong.
    ///   - namesFields: Whether the wire's message begins with the names of the fields.
    ///   - facts: Facts that belong to the reason.
    ///   - hint: How the message ends.
    ///   - retryAfterNanoseconds: How long to wait before a retry, where it helps.
    package init(
        _ kind: Kind,
        reason: Reason,
        message: String,
        fields: [WrongField] = [],
        namesFields: Bool = true,
        facts: [Fact: String] = [:],
        hint: Hint? = nil,
        retryAfterNanoseconds: Int64? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.message = message
        self.fields = fields
        self.namesFields = namesFields && !fields.isEmpty
        self.facts = facts
        self.hint = hint
        self.retryAfterNanoseconds = retryAfterNanoseconds
    }

    /// Gives this refusal with `prefix` before the path of each field.
    package func within(_ prefix: FieldPath) -> Refusal {
        var refusal = self
        refusal.fields = fields.map { field in
            WrongField(FieldPath(prefix.steps + field.path.steps), field.problem)
        }
        return refusal
    }
}
