internal import BelfryGRPC
public import NotificationProtocol

extension NotificationCenterClient {
    /// Schedules a notification, or delivers it now.
    ///
    /// - Parameters:
    ///   - request: What and when. An empty identifier lets the server make one.
    ///   - key: The idempotency key, if any.
    /// - Returns: Its identifier, where it is now and when it fires.
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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
    ///   - requests: What and when.
    ///   - key: The idempotency key, if any.
    /// - Returns: What became of each.
    /// - Throws: ``ClientError`` where the batch was refused as a whole, and nothing was added.
    ///   What was refused alone is a failure among the results.
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

    /// Gives one page of the pending requests.
    ///
    /// - Parameters:
    ///   - filter: Which; by default all.
    ///   - order: In which order.
    ///   - pageSize: How many at most, 1 to 1,000; 0 is the server's choice.
    ///   - pageToken: Where to go on, from the page before; empty is the beginning.
    /// - Returns: The page, and where to go on.
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

    /// Removes pending requests, and gives the identifiers of those that were there.
    ///
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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

    /// Removes all pending requests, and gives their number.
    ///
    /// - Throws: ``ClientError`` with the server's refusal, which changed nothing.
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
