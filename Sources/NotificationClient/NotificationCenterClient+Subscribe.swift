public import NotificationProtocol

extension NotificationCenterClient {
    /// Where a subscription begins.
    public enum SubscriptionStart: Sendable, Equatable {
        /// With what happens from now on.
        case now
        /// After the event with this number; 0 is the oldest that is kept.
        case after(UInt64)
        /// With the state of the center, and what happens after it.
        case snapshot
    }

    /// Follows this center.
    ///
    /// The call is made when the subscription is iterated.
    ///
    /// - Parameters:
    ///   - start: Where to begin.
    ///   - reconnects: Whether to go on after a cut, instead of throwing `UNAVAILABLE`.
    ///   - configure: Sets what else the request says: role, capabilities, the app's state, and a
    ///     standing presentation.
    /// - Returns: The frames, to iterate once.
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
