package import SwiftProtobuf

/// An rpc of the contract: its messages, and who streams.
package struct ContractMethod: Sendable {
    /// The type of its request.
    package let request: any Message.Type
    /// The type of its response.
    package let response: any Message.Type
    /// Whether the client sends several messages.
    package let isClientStream: Bool
    /// Whether the server sends several messages.
    package let isServerStream: Bool

    init(
        _ request: any Message.Type,
        _ response: any Message.Type,
        isClientStream: Bool = false,
        isServerStream: Bool = false
    ) {
        self.request = request
        self.response = response
        self.isClientStream = isClientStream
        self.isServerStream = isServerStream
    }
}
