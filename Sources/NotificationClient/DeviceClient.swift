public import BelfryGRPC
internal import SwiftProtobuf

/// Plays a person and a screen: what a device is doing, what it shows, and what is done with it.
///
/// It is a value over a channel, which it does not close. Safe on any thread.
public struct DeviceClient: Sendable {
    /// The device that calls are about; empty is the server's own.
    public let device: String
    let caller: Caller

    /// Makes a client; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - device: The device that calls are about; empty is the server's own.
    ///   - options: How calls are made.
    public init(channel: Channel, device: String = "", options: CallOptions = CallOptions()) {
        self.device = device
        self.caller = Caller(channel: channel, options: options)
    }

    /// Calls one rpc of the service.
    func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call("/belfry.v1.DeviceService/\(rpc)", message)
    }
}
