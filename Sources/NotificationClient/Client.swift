public import BelfryGRPC
internal import NotificationProtocol
internal import SwiftProtobuf

/// Calls one server: a connection, and the clients of its services.
///
/// The client is a value, and is safe on any thread. Get one from
/// ``withClient(to:options:tls:_:)``, or make one over a channel of your own.
public struct Client: Sendable {
    /// The connection to the server.
    public let channel: Channel
    /// The time limit and the credentials of all the client's calls.
    public let options: CallOptions

    /// Makes a client, which does not close the channel; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - options: How calls are made.
    public init(channel: Channel, options: CallOptions = CallOptions()) {
        self.channel = channel
        self.options = options
    }

    /// The notification center of an app on a device; an empty name is the local one.
    public func center(_ app: String, device: String = "") -> NotificationCenterClient {
        NotificationCenterClient(
            channel: channel,
            center: Self.center(app, device),
            options: options
        )
    }

    /// The rich pushes to an app on a device; an empty name is the local one.
    public func richPushes(_ app: String, device: String = "") -> RichPushClient {
        RichPushClient(channel: channel, center: Self.center(app, device), options: options)
    }

    /// The stored files of an app.
    public func attachments(_ app: String) -> AttachmentClient {
        AttachmentClient(channel: channel, app: app, options: options)
    }

    /// The pushes of an app's provider.
    public func pushes(_ app: String) -> PushClient {
        PushClient(channel: channel, app: app, options: options)
    }

    /// The extensions of an app, on all devices.
    public func extensions(_ app: String) -> ExtensionClient {
        ExtensionClient(channel: channel, app: app, options: options)
    }

    /// The client for a device and its person; an empty name is the local device.
    public func device(_ name: String = "") -> DeviceClient {
        DeviceClient(channel: channel, device: name, options: options)
    }

    /// The registration of apps.
    public var installation: InstallationClient {
        InstallationClient(channel: channel, options: options)
    }

    /// The server's statistics, backups and manual clock.
    public var admin: AdminClient { AdminClient(channel: channel, options: options) }

    /// The server's version, limits and health.
    public var server: ServerClient { ServerClient(channel: channel, options: options) }

    private static func center(_ app: String, _ device: String) -> Belfry_V1_Center {
        .with { center in
            center.appID = app
            center.deviceID = device
        }
    }
}

/// Connects to a server while `body` runs.
///
/// When `body` ends, however it ends, the open calls are cancelled and the connection is closed.
/// Cancelling the task cancels the calls that are made in it, at the server too.
///
/// - Parameters:
///   - target: The address of the server: `unix:/path` or `host:port`.
///   - options: How calls are made.
///   - tls: How to use TLS; nil is a connection without it.
///   - body: What is done with the client. The connection is made at its first call.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws.
public func withClient<Result, Failure: Error>(
    to target: String,
    options: CallOptions = CallOptions(),
    tls: Channel.TLS? = nil,
    _ body: (Client) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let channel = Channel(target: target, tls: tls)
    let result: Swift.Result<Result, Failure>
    do throws(Failure) {
        result = .success(try await body(Client(channel: channel, options: options)))
    } catch {
        result = .failure(error)
    }
    await blocking { channel.close() }
    return try result.get()
}
