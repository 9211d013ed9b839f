internal import CBelfryGRPC

/// Who makes a call, as far as its connection and its metadata tell.
///
/// It is lent while the call is open. Reading ``peer`` and ``authorization`` allocates.
package struct Caller: Sendable {
    private let call: cgrpc_call

    init(of call: cgrpc_call) { self.call = call }

    /// The calling client.
    package var peer: Peer { call.peer }
    /// The value of the `authorization` metadata, such as "Bearer ..."; nil where there is none.
    package var authorization: String? { call.metadata(named: "authorization") }
    /// Whether the call was cancelled.
    package var hasEnded: Bool { call.isCancelled }
    /// How the calling client is connected.
    package var transport: Peer.Transport {
        unsafe cgrpc_call_peer(call).withSpan(Peer.transport(of:))
    }
    /// The user of the peer's process, over a unix socket; nil over TCP.
    package var user: UInt32? { unsafe cgrpc_call_peer(call).withSpan(Peer.user(of:)) }
}
