/// A call that reaches the server's handlers by another protocol than gRPC, such as HTTP/1.1.
///
/// The methods are safe on any thread, and do not block.
package protocol CallCarrier: AnyObject, Sendable {
    var path: String { get }
    var peer: Peer { get }
    /// The identifier of the call's connection, which differs from those of gRPC's connections.
    var connection: ConnectionIdentifier { get }
    var remainingTime: Duration? { get }
    /// Whether the client is known to have gone, or its deadline to have passed.
    var isCancelled: Bool { get }

    /// The value of the request's metadata for `name`, which is in lower case; several have commas
    /// between them.
    func metadata(named name: String) -> String?

    /// Sends a message of a stream; the carrier tells the stream's delegate when it is sent.
    func send(_ message: [UInt8])

    /// Finishes a unary call with `message` and OK; `object` is kept until the client has it or the
    /// call is over.
    func finish(with message: [UInt8], keeping object: (any AnyObject & Sendable)?)

    /// Finishes the call with `status`, a stream after an outstanding message. The first finish
    /// counts.
    func finish(_ status: Status)

    /// Ends the call with `status` at once, and drops an outstanding message.
    func abort(_ status: Status)
}

extension ConnectionIdentifier {
    /// The identifier of a connection of another protocol than gRPC.
    ///
    /// The numbers of gRPC's connections count from the other end.
    ///
    /// - Parameter number: A number that no other connection of the protocol has had.
    package init(carried number: UInt) {
        self.init(number: .max - number)
    }
}
