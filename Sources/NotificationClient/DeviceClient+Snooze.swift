public import NotificationProtocol
internal import SwiftProtobuf

extension DeviceClient {
    /// Snoozes a notification as the person: it leaves the list, and comes back as itself.
    ///
    /// A notification that is snoozed already gets a new end.
    ///
    /// - Parameters:
    ///   - notification: The notification in the version that the person saw.
    ///   - end: When it comes back: after a duration, or at an instant.
    ///   - key: The idempotency key, if any.
    /// - Returns: The answer, which says when the notification comes back.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func snooze(
        _ notification: Belfry_V1_NotificationRef,
        _ end: Belfry_V1_SnoozeRequest.OneOf_End,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_SnoozeResponse {
        var request = Belfry_V1_SnoozeRequest()
        request.deviceID = device
        request.idempotencyKey = key
        request.notification = notification
        request.end = end
        return try await call("Snooze", request)
    }

    /// Gets one page of the notifications that the person snoozed, by app.
    ///
    /// - Parameters:
    ///   - apps: The apps to list; an empty array lists all apps.
    ///   - pageSize: The largest number of notifications, 1 to 1,000; 0 leaves the number to the
    ///     server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listSnoozed(
        apps: [String] = [],
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListSnoozedResponse {
        var request = Belfry_V1_ListSnoozedRequest()
        request.deviceID = device
        request.appIds = apps
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListSnoozed", request)
    }
}
