internal import NotificationProtocol

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
    ///   - subscription: The `subscription_id` of the `started` frame before it.
    /// - Throws: ``ClientError`` with the server's refusal, also where the question is closed.
    public func completeResponse(
        _ callback: String,
        subscription: String
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
}
