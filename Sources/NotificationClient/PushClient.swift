public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Pushes to an app's devices as its provider does, and lists and tags the devices.
///
/// Each method is one rpc of `PushService`; the comments in the `.proto` files are the reference.
/// The client is a value that uses a channel and does not close it. It is safe on any thread.
public struct PushClient: Sendable {
    /// The app that the pushes are for.
    public let app: String
    private let caller: Caller

    /// Makes a client for an app's provider; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - app: The app that the pushes are for.
    ///   - options: How calls are made.
    public init(channel: Channel, app: String, options: CallOptions = CallOptions()) {
        self.app = app
        caller = Caller(channel: channel, options: options)
    }

    /// Pushes to one device.
    ///
    /// - Parameters:
    ///   - target: The device, by its token or its center.
    ///   - payload: One JSON object with "aps" and the app's own data.
    ///   - headers: What APNs has in headers.
    ///   - key: The idempotency key, if any.
    /// - Returns: The push, and what became of it so far.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was pushed.
    public func push(
        to target: Belfry_V1_PushRequest.OneOf_Target,
        payload: String,
        headers: Belfry_V1_PushHeaders = .init(),
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_PushResponse {
        var request = Belfry_V1_PushRequest()
        request.target = target
        request.idempotencyKey = key
        request.headers = headers
        request.payloadJson = payload
        return try await call("Push", request)
    }

    /// Gets one page of the app's registrations, by device.
    ///
    /// - Parameters:
    ///   - tagExpression: Only those whose tags fit; empty is all.
    ///   - pageSize: The largest number, 1 to 1,000; 0 leaves the number to the server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listRegistrations(
        tagExpression: String = "",
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListRegistrationsResponse {
        var request = Belfry_V1_ListRegistrationsRequest()
        request.appID = app
        request.tagExpression = tagExpression
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListRegistrations", request)
    }

    /// Replaces the tags of a device, and gives them in the order of their bytes.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func setTags(
        _ tags: [String],
        ofToken token: String,
        key: String = ""
    ) async throws(ClientError) -> [String] {
        var request = Belfry_V1_SetTagsRequest()
        request.appID = app
        request.idempotencyKey = key
        request.token = token
        request.tags = tags
        let response: Belfry_V1_SetTagsResponse = try await call("SetTags", request)
        return response.tags
    }

    /// Pushes to every device whose tags fit, and follows the push until it has reached all.
    ///
    /// The call lasts as long as the push: the time limit of the options does not apply. The push
    /// goes on without the caller; a caller that lost the stream calls again with the same key.
    ///
    /// - Parameters:
    ///   - request: To whom and what; the app is the client's. It needs an idempotency key.
    ///   - onStarted: Called with the name of the push, which is durable then.
    ///   - onOutcomes: Called with the devices that were reached.
    /// - Returns: How many devices had which outcome.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func pushToTags(
        _ request: Belfry_V1_PushToTagsRequest,
        onStarted: (String) -> Void = { _ in },
        onOutcomes: ([Belfry_V1_DeviceOutcome]) -> Void = { _ in }
    ) async throws(ClientError) -> Belfry_V1_PushTotals {
        var request = request
        request.appID = app
        return try await caller.follow(Self.path("PushToTags"), request) {
            (response: Belfry_V1_PushToTagsResponse) in
            switch response.kind {
            case .started(let started): onStarted(started.pushID)
            case .outcomes(let outcomes): onOutcomes(outcomes.outcomes)
            case .totals(let totals): return totals
            case nil: break
            }
            return nil
        }
    }

    /// Gets how far a push to many is.
    ///
    /// - Throws: ``ClientError`` with the server's refusal.
    public func status(
        of push: String
    ) async throws(ClientError) -> Belfry_V1_GetPushStatusResponse {
        var request = Belfry_V1_GetPushStatusRequest()
        request.appID = app
        request.pushID = push
        return try await call("GetPushStatus", request)
    }

    /// Cancels the rest of a push to many.
    ///
    /// - Parameters:
    ///   - push: The push.
    ///   - key: The idempotency key, if any.
    /// - Returns: How many devices it has reached.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func cancel(
        _ push: String,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_PushTotals {
        var request = Belfry_V1_CancelPushRequest()
        request.appID = app
        request.idempotencyKey = key
        request.pushID = push
        let response: Belfry_V1_CancelPushResponse = try await call("CancelPush", request)
        return response.totals
    }

    /// Takes delivered notifications back.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the notifications, which are collapse ids.
    ///   - target: The device with a token, or the devices whose tags fit.
    ///   - key: The idempotency key, if any.
    /// - Returns: How many notifications are gone, on all devices.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was taken back.
    public func withdraw(
        _ identifiers: [String],
        from target: Belfry_V1_WithdrawNotificationsRequest.OneOf_Target,
        key: String = ""
    ) async throws(ClientError) -> UInt64 {
        var request = Belfry_V1_WithdrawNotificationsRequest()
        request.appID = app
        request.idempotencyKey = key
        request.target = target
        request.identifiers = identifiers
        let response: Belfry_V1_WithdrawNotificationsResponse = try await call(
            "WithdrawNotifications",
            request
        )
        return response.withdrawnCount
    }

    private func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call(Self.path(rpc), message)
    }

    private static func path(_ rpc: String) -> String { "/belfry.v1.PushService/\(rpc)" }
}
