extension Server {
    /// An address on which a server can listen.
    package enum Listener: Sendable, Equatable, CustomStringConvertible {
        /// A unix socket of this server.
        ///
        /// A missing directory is created, for this user alone. The file `<path>.lock` is locked
        /// while the server exists, and is kept afterwards.
        case unix(path: String)
        /// A port of TCP on the addresses that `host` resolves to; port 0 takes a free port.
        case tcp(host: String, port: UInt16)
        /// A TCP port whose clients use TLS, with the keys of the options.
        case tls(host: String, port: UInt16)
        /// A unix socket that a service manager made, listens on and passed to this process. The
        /// server takes the descriptor, and leaves the socket's file when it stops. The path is
        /// told to people and programs alone.
        case inherited(descriptor: Int32, path: String)

        /// The address in the form of a channel's target: `unix:/path` or `host:port`.
        package var description: String {
            switch self {
            case .unix(let path): "unix:\(path)"
            case .inherited(_, let path): "unix:\(path)"
            case .tcp(let host, let port), .tls(let host, let port):
                host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
            }
        }
    }
}

/// The reason why a server could not be made.
package enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A listener could not be bound; the reason says why, in one line.
    case cannotListen(Server.Listener, reason: String)
    /// gRPC or the system refused a resource that a server needs, such as a descriptor.
    case cannotStart

    package var description: String {
        switch self {
        case .cannotListen(let listener, let reason): "cannot listen on \(listener): \(reason)"
        case .cannotStart: "cannot start: gRPC or the system refused"
        }
    }
}
