public import BelfryGRPC
public import NotificationProtocol
internal import StandardServices

/// Asks a server what it is and whether it serves.
///
/// It is a value over a channel, which it does not close. Safe on any thread.
public struct ServerClient: Sendable {
    /// Whether a server serves, as `grpc.health.v1.Health` tells it.
    public enum Health: Int, Sendable {
        /// It does not know.
        case unknown = 0
        /// It serves.
        case serving = 1
        /// It is starting, stopping or broken.
        case notServing = 2
    }

    private let channel: Channel
    private let options: CallOptions

    /// Makes a client; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - options: How calls are made.
    public init(channel: Channel, options: CallOptions = CallOptions()) {
        self.channel = channel
        self.options = options
    }

    /// Gives the server's version, profile, limits and clock.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func serverInfo() async throws(ClientError) -> Belfry_V1_GetServerInfoResponse {
        try await Caller(channel: channel, options: options).call(
            "/belfry.v1.ServerService/GetServerInfo",
            Belfry_V1_GetServerInfoRequest()
        )
    }

    /// Gives whether the server as a whole serves.
    ///
    /// - Throws: ``ClientError`` where it does not answer.
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
