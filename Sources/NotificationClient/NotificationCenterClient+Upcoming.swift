public import NotificationProtocol
internal import SwiftProtobuf

extension NotificationCenterClient {
    /// Gets one page of the dates at which pending requests will fire, from now on.
    ///
    /// - Parameters:
    ///   - filter: The requests to list; by default all.
    ///   - window: How far ahead, at most 366 days.
    ///   - datesPerRequest: The most dates of one request, 1 to 1,000; 0 leaves the number to the
    ///     server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page in identifier order, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listUpcoming(
        _ filter: Belfry_V1_NotificationFilter = .init(),
        window: Duration = .seconds(7 * 86_400),
        datesPerRequest: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListUpcomingResponse {
        var request = Belfry_V1_ListUpcomingRequest()
        request.center = center
        request.filter = filter
        request.window = Google_Protobuf_Duration(rounding: window)
        request.datesPerRequest = datesPerRequest
        request.pageToken = pageToken
        return try await call("ListUpcoming", request)
    }
}
