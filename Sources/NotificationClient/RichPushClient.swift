public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Creates rich pushes as an app's provider does, and lists, fetches and reads them as the app.
///
/// Each method is one rpc of `RichPushService`; the comments in the `.proto` files are the
/// reference. The client is a value that uses a channel and does not close it. It is safe on any
/// thread.
public struct RichPushClient: Sendable {
    /// The app, and the device that reads.
    public let center: Belfry_V1_Center
    private let caller: Caller

    /// Makes a client for an app's rich pushes; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - center: The app, and the device that reads.
    ///   - options: How calls are made.
    public init(channel: Channel, center: Belfry_V1_Center, options: CallOptions = CallOptions()) {
        self.center = center
        caller = Caller(channel: channel, options: options)
    }

    /// Stores a payload, and pushes its number to the devices whose tags fit.
    ///
    /// - Parameter request: To whom and what; the app is the client's.
    /// - Returns: The number of the rich push, and the name of its push.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was stored.
    public func create(
        _ request: Belfry_V1_CreateRichPushRequest
    ) async throws(ClientError) -> Belfry_V1_CreateRichPushResponse {
        var request = request
        request.appID = center.appID
        return try await caller.call(Self.path("CreateRichPush"), request)
    }

    /// Gets what a rich push is, and whether the device has read it.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func get(_ number: UInt64) async throws(ClientError) -> Belfry_V1_RichPush {
        var request = Belfry_V1_GetRichPushRequest()
        request.center = center
        request.richID = number
        let response: Belfry_V1_GetRichPushResponse = try await caller.call(
            Self.path("GetRichPush"),
            request
        )
        return response.richPush
    }

    /// Gets one page of the device's rich pushes, newest first.
    ///
    /// - Parameters:
    ///   - unreadOnly: Only those that the device has not read.
    ///   - pageSize: The largest number, 1 to 1,000; 0 leaves the number to the server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func list(
        unreadOnly: Bool = false,
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListRichPushesResponse {
        var request = Belfry_V1_ListRichPushesRequest()
        request.center = center
        request.unreadOnly = unreadOnly
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await caller.call(Self.path("ListRichPushes"), request)
    }

    /// Fetches the payload of a rich push.
    ///
    /// The download lasts as long as the payload needs: the time limit of the options does not
    /// apply.
    ///
    /// - Parameters:
    ///   - number: The number of the rich push.
    ///   - offset: The first byte to fetch.
    ///   - onChunk: Called with what the rich push is and its next bytes; the first call has no
    ///     bytes.
    /// - Throws: ``ClientError`` with the server's refusal, or the error of `onChunk`, which ends
    ///   the download.
    public func download(
        _ number: UInt64,
        from offset: UInt64 = 0,
        onChunk: (Belfry_V1_RichPush, [UInt8]) throws -> Void
    ) async throws {
        var request = Belfry_V1_DownloadRichPayloadRequest()
        request.center = center
        request.richID = number
        request.offset = offset
        let stream = try await caller.open(Self.path("DownloadRichPayload"), request)
        var push = Belfry_V1_RichPush()
        while let bytes = try await stream.nextMessage() {
            let response: Belfry_V1_DownloadRichPayloadResponse = try decode(bytes)
            if case .richPush(let told) = response.part { push = told }
            try onChunk(push, [UInt8](response.chunk))
        }
    }

    /// Marks a rich push as read on the device, and gives since when it is.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func markRead(
        _ number: UInt64,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_MarkRichPushReadResponse {
        var request = Belfry_V1_MarkRichPushReadRequest()
        request.center = center
        request.idempotencyKey = key
        request.richID = number
        return try await caller.call(Self.path("MarkRichPushRead"), request)
    }

    private static func path(_ rpc: String) -> String { "/belfry.v1.RichPushService/\(rpc)" }
}
