internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Adds a request, and waits until the person answers its notification.
struct AnswerWait {
    let session: Session
    /// Adds the request, and gives its identifier.
    let add: @Sendable () async throws -> String
    /// Prints the answer; where it throws, the answer is not completed, and is told again.
    let print: @Sendable (Belfry_V1_NotificationResponse) throws -> Void

    /// How the wait ended.
    enum End {
        /// The person answered.
        case answered
        /// The notification is gone without an answer: why, for a person.
        case gone(String)
    }

    /// Waits, and completes the answer.
    ///
    /// Responses to other notifications, and to earlier deliveries of this one, are left to those
    /// who wait for them.
    func run() async throws -> End {
        var subscription = ""
        var identifier: String?
        var deliveries: Set<UInt64> = []
        // After a cut, an answer is told before the delivery that it answers.
        var early: [UInt64: Belfry_V1_Callback] = [:]
        for try await frame in session.notifications.subscribeToResponses() {
            switch frame.kind {
            case .started(let started):
                subscription = started.subscriptionID
                // Also after a cut: it is added once.
                if identifier == nil { identifier = try await add() }
            case .demoted: throw session.demoted
            case .event(let event):
                if case .delivered(let delivered) = event.kind,
                    delivered.notification.request.identifier == identifier
                {
                    let delivery = delivered.notification.delivery
                    deliveries.insert(delivery)
                    if let callback = early[delivery] {
                        return try await answered(callback, subscription)
                    }
                } else if let end = end(event, of: identifier, deliveries) {
                    return .gone(end)
                }
            case .callback(let callback):
                let delivery = callback.didReceive.notification.delivery
                guard callback.didReceive.notification.request.identifier == identifier else {
                    continue
                }
                guard deliveries.contains(delivery) else {
                    early[delivery] = callback
                    continue
                }
                return try await answered(callback, subscription)
            default: continue
            }
        }
        return .gone("the server closed the stream")
    }

    /// Prints an answer, then completes it.
    private func answered(
        _ callback: Belfry_V1_Callback,
        _ subscription: String
    ) async throws -> End {
        try print(callback.didReceive)
        _ = try await session.completeResponse(callback, subscription)
        return .answered
    }

    /// Why no answer will come; nil where one may.
    ///
    /// An answer is told before the removal of what it answers.
    private func end(
        _ event: Belfry_V1_Event,
        of identifier: String?,
        _ deliveries: Set<UInt64>
    ) -> String? {
        switch event.kind {
        case .removed(let removed) where removed.identifier == identifier:
            // An earlier delivery makes place for this one.
            guard !removed.hasDelivery || deliveries.contains(removed.delivery) else { return nil }
            return removed.cause == .person ? "it was dismissed" : "it was removed"
        case .suppressed(let suppressed) where suppressed.identifier == identifier:
            return "it was not shown"
        case .missed(let missed) where missed.identifier == identifier: return "it was missed"
        case .expired(let expired) where expired.identifier == identifier: return "it expired"
        case .evicted(let evicted) where evicted.identifier == identifier:
            return "it was pushed out"
        default: return nil
        }
    }
}
