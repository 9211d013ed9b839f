public import NotificationProtocol

extension NotificationCenterClient {
    /// The point from which a subscription gives events.
    public enum SubscriptionStart: Sendable, Equatable {
        /// Events from now on.
        case now
        /// Events after the event with this number; 0 begins at the oldest stored event.
        case after(UInt64)
        /// The state of the center, and then the events after that state.
        case snapshot
    }

    /// Subscribes to this center.
    ///
    /// The call is made when iteration begins.
    ///
    /// - Parameters:
    ///   - start: The point from which the subscription gives events.
    ///   - reconnects: Whether the subscription resumes after a cut connection; otherwise it throws
    ///     `UNAVAILABLE`.
    ///   - configure: Sets the other fields of the request: role, capabilities, the app's state,
    ///     and a standing presentation.
    /// - Returns: The frames, as a sequence to iterate once.
    public func subscribe(
        from start: SubscriptionStart = .now,
        reconnects: Bool = true,
        configure: (inout Belfry_V1_SubscribeRequest) -> Void = { _ in }
    ) -> Subscription {
        var request = Belfry_V1_SubscribeRequest()
        request.center = center
        switch start {
        case .now: break
        case .after(let number): request.after = number
        case .snapshot: request.snapshot = true
        }
        configure(&request)
        return Subscription(
            request,
            reconnects: reconnects,
            channel: channel,
            options: options
        )
    }
}
