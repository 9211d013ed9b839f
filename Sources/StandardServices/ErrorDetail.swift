/// One machine-readable detail of a ``Status``: the messages of `google/rpc/error_details.proto`
/// that Belfry uses.
package enum ErrorDetail: Sendable, Equatable {
    /// `google.rpc.ErrorInfo`: an UPPER_SNAKE_CASE reason that is unique in its domain.
    ///
    /// Bounded: the keys of the metadata are the server's own names.
    case errorInfo(reason: String, domain: String, metadata: [String: String])
    /// `google.rpc.BadRequest`: which fields of the request are wrong.
    case badRequest([FieldViolation])
    /// `google.rpc.RetryInfo`: when a retry may help, in nanoseconds from now.
    case retryInfo(delayNanoseconds: Int64)
}

/// One wrong field of a request.
package struct FieldViolation: Sendable, Equatable {
    /// The path of the field, such as `content.title`.
    package var field: String
    /// The problem of the field, in words.
    package var description: String

    /// Creates a violation from its parts.
    package init(field: String, description: String) {
        self.field = field
        self.description = description
    }
}
