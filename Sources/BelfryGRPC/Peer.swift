/// The client at the other end of a call.
package struct Peer: Sendable, Equatable {
    /// How a peer is connected.
    package enum Transport: Sendable, Equatable {
        /// Over the server's unix socket.
        case unix
        /// Over TCP.
        case tcp
    }

    /// How the peer is connected.
    package let transport: Transport
    /// The user of the peer's process, over a unix socket; nil over TCP.
    ///
    /// The socket accepts only the server's own user.
    package let uid: UInt32?
    /// The address as gRPC names it, such as `ipv4:127.0.0.1:51234` or `unix:`.
    ///
    /// The address is not authenticated.
    package let address: String
}
