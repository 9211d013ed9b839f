public import NotificationProtocol

extension NotificationCenterClient {
    /// Gives one page of the delivered notifications.
    ///
    /// - Parameters:
    ///   - filter: Which; by default all.
    ///   - order: In which order.
    ///   - pageSize: How many at most, 1 to 1,000; 0 is the server's choice.
    ///   - pageToken: Where to go on, from the page before; empty is the beginning.
    /// - Returns: The page, and where to go on.
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

    /// Removes delivered notifications, and gives the identifiers of those that were there.
    ///
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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

    /// Removes all delivered notifications, and gives their number.
    ///
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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
