/// The result of a call: a code, a message for a person, and machine-readable details.
///
/// The code and the message are sent as gRPC's own. Keep details under 4 KiB, since clients accept
/// 8 KiB of metadata by default.
package struct Status: Error, Sendable, Equatable {
    package var code: StatusCode
    /// The message for a person.
    ///
    /// The message never holds the content of a request or a reply.
    package var message: String
    /// The bytes of `grpc-status-details-bin`; empty without details.
    ///
    /// By convention they are a serialized `google.rpc.Status`.
    package var detailBytes: [UInt8]

    package static let ok = Status(code: .ok, message: "")

    package init(code: StatusCode, message: String, detailBytes: [UInt8] = []) {
        self.code = code
        self.message = message
        self.detailBytes = detailBytes
    }
}

extension Status: CustomStringConvertible {
    /// The code and the message, for logs.
    package var description: String {
        message.isEmpty ? "\(code)" : "\(code): \(message)"
    }
}
