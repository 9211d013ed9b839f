public import NotificationProtocol

extension NotificationCenterClient {
    /// Gets one page of the delivered notifications.
    ///
    /// - Parameters:
    ///   - filter: The notifications to list; by default all.
    ///   - order: The order of the list.
    ///   - pageSize: The largest number of notifications, 1 to 1,000; 0 leaves the number to the
    ///     server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listDelivered(
        _ filter: Belfry_V1_NotificationFilter = .init(),
        order: Belfry_V1_DeliveredOrder = .identifier,
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListDeliveredResponse {
        var request = Belfry_V1_ListDeliveredRequest()
        request.center = center
        request.filter = filter
        request.order = order
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListDelivered", request)
    }

    /// Removes delivered notifications, and gives the identifiers of the removed notifications.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func removeDelivered(
        _ identifiers: [String],
        key: String = ""
    ) async throws(ClientError) -> [String] {
        var request = Belfry_V1_RemoveDeliveredRequest()
        request.center = center
        request.idempotencyKey = key
        request.identifiers = identifiers
        let response: Belfry_V1_RemoveDeliveredResponse = try await call(
            "RemoveDelivered",
            request
        )
        return response.removedIdentifiers
    }

    /// Removes all delivered notifications, and gives the number of removed notifications.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func removeAllDelivered(key: String = "") async throws(ClientError) -> UInt64 {
        var request = Belfry_V1_RemoveAllDeliveredRequest()
        request.center = center
        request.idempotencyKey = key
        let response: Belfry_V1_RemoveAllDeliveredResponse = try await call(
            "RemoveAllDelivered",
            request
        )
        return response.removedCount
    }
}
