internal import BelfryGRPC
public import NotificationProtocol

extension NotificationCenterClient {
    /// Subscribes as the app that handles what its person does with notifications.
    ///
    /// The frames are those of ``subscribe(from:reconnects:configure:)``; each `didReceive`
    /// question is to be answered with ``completeResponse(_:subscription:)``. Another subscriber
    /// that speaks for the app is demoted.
    ///
    /// - Parameter start: The event at which to begin.
    /// - Returns: The frames, as a sequence to iterate once.
    public func subscribeToResponses(from start: SubscriptionStart = .now) -> Subscription {
        subscribe(from: start) { request in
            request.role = .primary
            request.capabilities = [.didReceive]
        }
    }

    /// Says that the app has handled what the person did, which is not offered again then.
    ///
    /// - Parameters:
    ///   - callback: The `callback_id` of the question.
    ///   - subscription: The `subscription_id` of the `started` frame before it; empty for an
    ///     answer that ``awaitAnswer(to:)`` told.
    /// - Throws: ``ClientError`` with the server's refusal, also where the question is closed.
    public func completeResponse(
        _ callback: String,
        subscription: String = ""
    ) async throws(ClientError) {
        var request = Belfry_V1_CompleteResponseRequest()
        request.center = center
        request.subscriptionID = subscription
        var answer = Belfry_V1_ResponseAnswer()
        answer.callbackID = callback
        request.answers = [answer]
        let response: Belfry_V1_CompleteResponseResponse = try await Caller(
            channel: channel,
            options: options
        ).call("/belfry.v1.DelegateService/CompleteResponse", request)
        guard let refused = response.refused.first else { return }
        throw ClientError(refused.error)
    }

    /// Waits until the person answers a request's notification, or until no answer can come.
    ///
    /// The app's subscribers stay what they are. When the connection is cut, or the server stops,
    /// the wait goes on with a new connection, and misses nothing. To end it, cancel the task.
    ///
    /// - Parameter added: What was told when the request was added.
    /// - Returns: A message with its outcome. An answer with a `callback_id` is told again until it
    ///   is completed by ``completeResponse(_:subscription:)``.
    /// - Throws: ``ClientError`` with the server's refusal, or `CANCELLED`.
    public func awaitAnswer(
        to added: Belfry_V1_AddResponse
    ) async throws(ClientError) -> Belfry_V1_AwaitAnswerResponse {
        var request = Belfry_V1_AwaitAnswerRequest()
        request.center = center
        request.identifier = added.identifier
        request.requestNumber = added.requestNumber
        request.after = added.asOfEvent
        let caller = Caller(channel: channel, options: options)
        var pause = Backoff()
        while true {
            do throws(ClientError) {
                return try await caller.follow("/belfry.v1.DelegateService/AwaitAnswer", request) {
                    (response: Belfry_V1_AwaitAnswerResponse) in
                    if response.outcome == nil { pause = Backoff() }
                    return response.outcome == nil ? nil : response
                }
            } catch {
                guard error.isCut(of: channel) else { throw error }
            }
            do {
                try await Task.sleep(for: pause.next())
            } catch {
                throw ClientError(code: .cancelled, message: "the wait was cancelled")
            }
        }
    }
}
