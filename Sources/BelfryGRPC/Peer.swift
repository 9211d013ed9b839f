/// The client at the other end of a call.
public struct Peer: Sendable, Equatable {
    /// How a peer is connected.
    public enum Transport: Sendable, Equatable {
        /// Over the server's unix socket.
        case unix
        /// Over TCP.
        case tcp
    }

    /// How the peer is connected.
    public let transport: Transport
    /// The user of the peer's process, over a unix socket; nil over TCP.
    ///
    /// The socket accepts only the server's own user.
    public let uid: UInt32?
    /// The address as gRPC names it, such as `ipv4:127.0.0.1:51234` or `unix:`.
    ///
    /// The address is not authenticated.
    public let address: String
}
