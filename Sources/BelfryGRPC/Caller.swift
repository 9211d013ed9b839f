internal import CBelfryGRPC

/// The maker of a call, as far as its connection and its metadata tell.
///
/// It is lent while the call is open. Reading ``peer`` and ``authorization`` allocates.
package struct Caller: Sendable {
    private let call: CallHandle

    init(of call: CallHandle) { self.call = call }

    package var peer: Peer { call.peer }
    /// The value of the `authorization` metadata, such as "Bearer ..."; nil where there is none.
    package var authorization: String? { call.metadata(named: "authorization") }
    /// The name in the client's certificate, over TLS; nil without one that the server trusts.
    package var certificate: String? { call.certificate }
    /// The identifier of the call's connection, as ``ServerCall/connection``.
    package var connection: ConnectionIdentifier { call.connection }
    package var hasEnded: Bool { call.isCancelled }
    /// How the calling client is connected.
    package var transport: Peer.Transport {
        switch call {
        case .grpc(let call): unsafe cgrpc_call_peer(call).withSpan(Peer.transport(of:))
        case .carried(let call): call.peer.transport
        }
    }
    /// The user of the calling process, over a unix socket; nil over TCP.
    package var user: UInt32? {
        switch call {
        case .grpc(let call): unsafe cgrpc_call_peer(call).withSpan(Peer.user(of:))
        case .carried(let call): call.peer.uid
        }
    }
}
