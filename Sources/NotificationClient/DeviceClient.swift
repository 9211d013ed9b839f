public import BelfryGRPC
internal import SwiftProtobuf

/// Acts for a device and its person: changes the device's state, lists the notifications that the
/// device shows, and responds to notifications.
///
/// The client is a value that uses a channel and does not close it. It is safe on any thread.
public struct DeviceClient: Sendable {
    /// The device of all calls; empty means the server's local device.
    public let device: String
    let caller: Caller

    /// Makes a client for a device and its person; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - device: The device of all calls; empty means the server's local device.
    ///   - options: How calls are made.
    public init(channel: Channel, device: String = "", options: CallOptions = CallOptions()) {
        self.device = device
        self.caller = Caller(channel: channel, options: options)
    }

    func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call("/belfry.v1.DeviceService/\(rpc)", message)
    }
}
