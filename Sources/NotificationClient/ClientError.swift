public import BelfryGRPC
public import NotificationProtocol
internal import StandardServices

/// The reason why a call was refused or failed.
///
/// An error is made from a call's status, or from the error of one item of a batch; both have the
/// same fields. The text never holds the content of a notification.
public struct ClientError: Error, Sendable, Equatable {
    /// A field of the request that is wrong, and why.
    public struct Field: Sendable, Equatable {
        /// The path to the field from the request, as "request.trigger.time_interval.interval".
        public var path: String
        /// The problem of the field, as a sentence.
        public var explanation: String
    }

    /// The canonical code.
    public var code: StatusCode
    /// A sentence that a person can act on.
    public var message: String
    /// The stable reason in UPPER_SNAKE_CASE; empty when no server answered.
    public var reason: String
    /// The domain that defines the reason: "UNErrorDomain" or "belfry".
    public var domain: String
    /// Details of the reason: for the domain "UNErrorDomain", `code` is Apple's number.
    public var metadata: [String: String]
    /// The wrong fields of the request.
    public var fields: [Field]
    /// How long to wait before a retry; nil unless the server says that a retry can help.
    public var retryDelay: Duration?

    /// Makes the error of a whole call.
    package init(_ status: Status) {
        self.init(code: status.code, message: status.message)
        for detail in status.details {
            switch detail {
            case .errorInfo(let reason, let domain, let metadata):
                self.reason = reason
                self.domain = domain
                self.metadata = metadata
            case .badRequest(let violations):
                fields += violations.map { Field(path: $0.field, explanation: $0.description) }
            case .retryInfo(let delayNanoseconds):
                retryDelay = .nanoseconds(delayNanoseconds)
            }
        }
    }

    /// Makes the error of one item of a batch.
    ///
    /// A code that this client does not know becomes ``StatusCode/unknown``.
    public init(_ item: Belfry_V1_ItemError) {
        self.init(code: StatusCode(rawValue: item.code) ?? .unknown, message: item.message)
        reason = item.reason
        domain = item.domain
        metadata = item.metadata
        fields = item.fieldViolations.map { Field(path: $0.field, explanation: $0.description_p) }
    }

    /// Makes an error without details.
    init(code: StatusCode, message: String) {
        self.code = code
        self.message = message
        self.reason = ""
        self.domain = ""
        self.metadata = [:]
        self.fields = []
        self.retryDelay = nil
    }
}

extension ClientError {
    /// Whether a stream ended because the server stopped or the connection was lost, so that
    /// another one may go on.
    ///
    /// A server that stops ends a stream with UNAVAILABLE; where its connection goes first, gRPC
    /// says CANCELLED, as it does of a call that this side cancelled.
    func isCut(of channel: Channel) -> Bool {
        guard !Task.isCancelled, !channel.isClosed else { return false }
        return code == .unavailable || code == .cancelled
    }
}

extension ClientError: CustomStringConvertible {
    /// One line: the message, the fields, and the names of the code and the reason.
    public var description: String {
        var text = message.isEmpty ? code.name : message
        for field in fields {
            text += "; \(field.path): \(field.explanation)"
        }
        let names = reason.isEmpty ? [code.name] : [code.name, reason]
        return "\(text) (\(names.joined(separator: ", ")))"
    }
}

extension StatusCode {
    /// The code as gRPC's documentation writes it, for example "NOT_FOUND".
    public var name: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internalError: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }
}
