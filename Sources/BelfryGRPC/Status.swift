/// How a call ended: a code, a message that a person can act on, and machine-readable details.
///
/// On the wire the code and the message are gRPC's own. Keep details under 4 KiB, since clients
/// accept 8 KiB of metadata by default.
public struct Status: Error, Sendable, Equatable {
    /// What kind of outcome it is.
    public var code: StatusCode
    /// What to tell a person.
    ///
    /// It never holds the content of a message.
    public var message: String
    /// What travels in `grpc-status-details-bin`; empty without details.
    ///
    /// By convention it is a serialized `google.rpc.Status`.
    public var detailBytes: [UInt8]

    /// Success.
    public static let ok = Status(code: .ok, message: "")

    /// Creates a status from its parts.
    public init(code: StatusCode, message: String, detailBytes: [UInt8] = []) {
        self.code = code
        self.message = message
        self.detailBytes = detailBytes
    }
}

extension Status: CustomStringConvertible {
    /// The code and the message, for logs.
    public var description: String {
        message.isEmpty ? "\(code)" : "\(code): \(message)"
    }
}
