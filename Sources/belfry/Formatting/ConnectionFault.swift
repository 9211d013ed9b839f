internal import BelfryGRPC
internal import NotificationClient

/// Why a command has no connection to a server, where it is another reason than that none answers.
///
/// gRPC tells a connection's error by its text alone.
enum ConnectionFault {
    case forbiddenSocket
    case unknownHost
    case untrusted
    case otherName
    case noTLS
    case needsTLS
    case otherProtocol

    init?(_ error: ClientError) {
        guard error.code == .unavailable else { return nil }
        let text = error.message
        func says(_ parts: String...) -> Bool { parts.contains { text.contains($0) } }
        if text.contains("unix:"), text.hasSuffix("Permission denied") {
            self = .forbiddenSocket
        } else if says("DNS resolution failed") {
            self = .unknownHost
        } else if says("certificate verify failed", "EVP lib") {
            // The second text is of a wrong signature: of another authority with the same name.
            self = .untrusted
        } else if says("Hostname Verification Check failed", "is not in peer certificate") {
            self = .otherName
        } else if says("wrong version number") {
            self = .noTLS
        } else if says("http1.x server") {
            self = .otherProtocol
        } else if says("failed to connect"), says("Socket closed", "Connection reset") {
            self = .needsTLS
        } else {
            return nil
        }
    }

    /// The problem, with the name of the server.
    func sentence(_ target: String) -> String {
        switch self {
        case .forbiddenSocket: "your user may not open \(target)"
        case .unknownHost: "no machine is known by the name in \(target)"
        case .untrusted: "nobody whom you trust signed the certificate of the server at \(target)"
        case .otherName: "the certificate of the server at \(target) is for another name"
        case .noTLS: "what answers at \(target) does not speak TLS"
        case .needsTLS: "what answers at \(target) ends a connection without TLS"
        case .otherProtocol: "what answers at \(target) speaks HTTP/1.1, and not gRPC"
        }
    }

    var hint: String {
        switch self {
        case .forbiddenSocket: "A server lets other users in with --socket-group and --allow-uid."
        case .unknownHost: "Name a server as unix:/path/to.sock, tcp:host:port or tls:host:port."
        case .untrusted: "Name the file of who signed it with --tls-ca or $BELFRY_TLS_CA."
        case .otherName: "Name the server as its certificate does."
        case .noTLS: "Name it as tcp:host:port, if nobody else is on the way to it."
        case .needsTLS: "Where the server has TLS, name it as tls:host:port."
        case .otherProtocol: "Name an address of the server's --listen, not of --http-listen."
        }
    }
}
