public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Calls the notification center of one app on one device.
///
/// Each method is one rpc of `NotificationCenterService`; the comments in the `.proto` files are
/// the reference. The client is a value that uses a channel and does not close it: make a client
/// for each center. It is safe on any thread.
///
/// A method that makes a change returns when the change is on disk. With an idempotency `key` from
/// ``IdempotencyKey/make()``, a retry with the same arguments acts once.
public struct NotificationCenterClient: Sendable {
    /// The app and the device of all calls.
    public let center: Belfry_V1_Center
    /// The time limit and the credentials of the center's calls.
    public let options: CallOptions

    let channel: Channel

    /// Makes a client for a center; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - center: The app and the device of all calls.
    ///   - options: How calls are made.
    public init(channel: Channel, center: Belfry_V1_Center, options: CallOptions = CallOptions()) {
        self.channel = channel
        self.center = center
        self.options = options
    }

    func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message,
        timeout: Duration? = nil
    ) async throws(ClientError) -> Answer {
        try await Caller(channel: channel, options: options).call(
            "/belfry.v1.NotificationCenterService/\(rpc)",
            message,
            timeout: timeout
        )
    }
}
