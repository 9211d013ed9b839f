/// gRPC's status codes; the raw values are those of the wire.
public enum StatusCode: Int32, Sendable, CaseIterable {
    /// The call succeeded.
    case ok = 0
    /// The caller gave up.
    case cancelled
    /// Nothing better is known.
    case unknown
    /// The request is wrong, whatever the server's state.
    case invalidArgument
    /// The time ran out; whether the work was done is not known.
    case deadlineExceeded
    /// What the request names does not exist.
    case notFound
    /// What the request would create exists.
    case alreadyExists
    /// The caller is known and may not do this.
    case permissionDenied
    /// A limit was reached.
    case resourceExhausted
    /// The server's state does not allow it; trying again does not help until that changes.
    case failedPrecondition
    /// A conflict with other work; the caller may start over.
    case aborted
    /// A position outside of what exists.
    case outOfRange
    /// The method does not exist.
    case unimplemented
    /// An invariant broke.
    case internalError
    /// The server cannot be reached or is stopping; the caller may try again.
    case unavailable
    /// Data was lost or is damaged.
    case dataLoss
    /// The caller is not known.
    case unauthenticated
}
