/// gRPC's status codes; the raw values are the numbers on the wire.
public enum StatusCode: Int32, Sendable, CaseIterable {
    case ok = 0
    case cancelled
    /// The error has no known code.
    case unknown
    /// The request is wrong in every state of the server.
    case invalidArgument
    /// The deadline passed; it is unknown whether the work was done.
    case deadlineExceeded
    /// A thing that the request names does not exist.
    case notFound
    /// The thing that the request would create exists already.
    case alreadyExists
    /// The caller is known, but may not make this call.
    case permissionDenied
    /// A limit was reached.
    case resourceExhausted
    /// The server's state does not allow the call; a retry does not help until the state changes.
    case failedPrecondition
    /// The call conflicts with other work; the caller may start again.
    case aborted
    case outOfRange
    /// The method does not exist.
    case unimplemented
    case internalError
    /// The server cannot be reached or is stopping; the caller may retry.
    case unavailable
    /// Data was lost or is damaged.
    case dataLoss
    /// The caller is unknown.
    case unauthenticated
}
