internal import BelfryGRPC
public import NotificationProtocol

extension NotificationCenterClient {
    /// Schedules a notification, or delivers it now.
    ///
    /// - Parameters:
    ///   - request: The content and the trigger. For an empty identifier the server makes an
    ///     identifier.
    ///   - key: The idempotency key, if any.
    /// - Returns: The request's identifier, its state, and when it fires.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func add(
        _ request: Belfry_V1_NotificationRequest,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_AddResponse {
        var message = Belfry_V1_AddRequest()
        message.center = center
        message.idempotencyKey = key
        message.request = request
        return try await call("Add", message)
    }

    /// Adds up to 1,000 requests in one transaction and gives the result of each, in order.
    ///
    /// - Parameters:
    ///   - requests: The contents and the triggers.
    ///   - key: The idempotency key, if any.
    /// - Returns: The result of each request.
    /// - Throws: ``ClientError`` when the whole batch was refused; nothing was added. A single
    ///   refused request is a failure among the results.
    public func addBatch(
        _ requests: [Belfry_V1_NotificationRequest],
        key: String = ""
    ) async throws(ClientError) -> [Result<Belfry_V1_AddResponse, ClientError>] {
        var message = Belfry_V1_AddBatchRequest()
        message.center = center
        message.idempotencyKey = key
        message.requests = requests
        let response: Belfry_V1_AddBatchResponse = try await call("AddBatch", message)
        return response.results.map { result in
            switch result.outcome {
            case .added(let added): .success(added)
            case .error(let error): .failure(ClientError(error))
            case nil:
                .failure(
                    ClientError(code: .internalError, message: "the server gave no result for it")
                )
            }
        }
    }

    /// Gets one page of the pending requests.
    ///
    /// - Parameters:
    ///   - filter: The requests to list; by default all.
    ///   - order: The order of the list.
    ///   - pageSize: The largest number of requests, 1 to 1,000; 0 leaves the number to the server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listPending(
        _ filter: Belfry_V1_NotificationFilter = .init(),
        order: Belfry_V1_PendingOrder = .identifier,
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListPendingResponse {
        var request = Belfry_V1_ListPendingRequest()
        request.center = center
        request.filter = filter
        request.order = order
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListPending", request)
    }

    /// Skips the next occurrence of a pending request, and gives the skipped date and the next one.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func skipNext(
        _ identifier: String,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_SkipNextResponse {
        var request = Belfry_V1_SkipNextRequest()
        request.center = center
        request.idempotencyKey = key
        request.identifier = identifier
        return try await call("SkipNext", request)
    }

    /// Removes pending requests, and gives the identifiers of the removed requests.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func removePending(
        _ identifiers: [String],
        key: String = ""
    ) async throws(ClientError) -> [String] {
        var request = Belfry_V1_RemovePendingRequest()
        request.center = center
        request.idempotencyKey = key
        request.identifiers = identifiers
        let response: Belfry_V1_RemovePendingResponse = try await call("RemovePending", request)
        return response.removedIdentifiers
    }

    /// Removes all pending requests, and gives the number of removed requests.
    ///
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func removeAllPending(key: String = "") async throws(ClientError) -> UInt64 {
        var request = Belfry_V1_RemoveAllPendingRequest()
        request.center = center
        request.idempotencyKey = key
        let response: Belfry_V1_RemoveAllPendingResponse = try await call(
            "RemoveAllPending",
            request
        )
        return response.removedCount
    }
}
