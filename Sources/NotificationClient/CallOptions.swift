/// The time limit and the credentials of calls.
public struct CallOptions: Sendable {
    /// How long to wait for the answer to a unary call; `nil` waits for ever.
    ///
    /// When the answer to a change does not arrive in time, the change may or may not have been
    /// made. Streams have no limit.
    public var timeout: Duration?

    /// The bearer token that identifies the caller.
    ///
    /// The server's own user needs no token on the unix socket.
    public var token: String?

    /// Makes options: by default 10 seconds and no token.
    public init(timeout: Duration? = .seconds(10), token: String? = nil) {
        self.timeout = timeout
        self.token = token
    }

    /// The metadata of each call.
    var metadata: [(String, String)] {
        guard let token else { return [] }
        return [("authorization", "Bearer \(token)")]
    }
}
