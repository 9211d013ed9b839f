public import BelfryGRPC
public import NotificationProtocol
internal import StandardServices

/// Asks a server for its version, limits and health.
///
/// The client is a value that uses a channel and does not close it. It is safe on any thread.
public struct ServerClient: Sendable {
    /// The health of a server, as `grpc.health.v1.Health` reports it.
    public enum Health: Int, Sendable {
        /// The server does not know its health.
        case unknown = 0
        case serving = 1
        /// The server is starting, stopping or broken.
        case notServing = 2
    }

    private let channel: Channel
    private let options: CallOptions

    /// Makes a client for a server's condition; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - options: How calls are made.
    public init(channel: Channel, options: CallOptions = CallOptions()) {
        self.channel = channel
        self.options = options
    }

    /// Gets the server's version, profile, limits and clock.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func serverInfo() async throws(ClientError) -> Belfry_V1_GetServerInfoResponse {
        try await Caller(channel: channel, options: options).call(
            "/belfry.v1.ServerService/GetServerInfo",
            Belfry_V1_GetServerInfoRequest()
        )
    }

    /// Gets the health of the server as a whole.
    ///
    /// - Throws: ``ClientError`` when the server does not answer.
    public func health() async throws(ClientError) -> Health {
        // An empty request asks for the server as a whole.
        let answer: Grpc_Health_V1_HealthCheckResponse = try await Caller(
            channel: channel,
            options: options
        )
        .call("/grpc.health.v1.Health/Check", Grpc_Health_V1_HealthCheckRequest())
        return Health(rawValue: answer.status.rawValue) ?? .unknown
    }
}
