/// Says how calls are made.
public struct CallOptions: Sendable {
    /// How long to wait for the answer to a unary call; `nil` waits for ever.
    ///
    /// A change whose answer did not come in time may have been made or not. Streams have no limit.
    public var timeout: Duration?

    /// The bearer token that says who calls.
    ///
    /// A server's own user needs none on its unix socket.
    public var token: String?

    /// Makes options: by default 10 seconds and no token.
    public init(timeout: Duration? = .seconds(10), token: String? = nil) {
        self.timeout = timeout
        self.token = token
    }

    /// What is sent beside each request.
    var metadata: [(String, String)] {
        guard let token else { return [] }
        return [("authorization", "Bearer \(token)")]
    }
}
