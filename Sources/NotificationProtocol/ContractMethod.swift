package import SwiftProtobuf

/// An rpc of the contract: its messages, and whether the server streams.
package struct ContractMethod: Sendable {
    package let request: any Message.Type
    package let response: any Message.Type
    /// Whether the server sends several messages.
    package let isServerStream: Bool

    init(
        _ request: any Message.Type,
        _ response: any Message.Type,
        isServerStream: Bool = false
    ) {
        self.request = request
        self.response = response
        self.isServerStream = isServerStream
    }
}
