internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol

/// Adds a request, and waits until the person answers its notification.
///
/// One subscriber speaks for the app at a time. Where a newer one does, the wait follows the events
/// alone, and speaks for the app again when its notification leaves the list: the answer is told
/// again to whoever speaks for the app, until it is completed.
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
        /// The person answered, and another program handled it: the action.
        case taken(String)
        /// The notification is gone without an answer: why, for a person.
        case gone(String)
    }

    private struct Known {
        var identifier: String?
        var deliveries: Set<UInt64> = []
        /// The question whose answer was printed, and could not be completed.
        var printed: String?
    }

    /// What follows when a subscription is over.
    private enum Turn {
        case end(End)
        /// To speak for the app again, from this event on.
        case speakAgain(after: UInt64)
    }

    /// How long another program that speaks for the app has to complete the answer.
    private static let grace = Duration.seconds(1)

    /// Waits, and completes the answer.
    ///
    /// Responses to other notifications, and to earlier deliveries of this one, are left to those
    /// who wait for them.
    func run() async throws -> End {
        var known = Known()
        var start: UInt64?
        while true {
            switch try await follow(from: start, &known) {
            case .end(let end): return end
            case .speakAgain(let number):
                start = number
                try await Task.sleep(for: Self.grace)
            }
        }
    }

    /// Speaks for the app until another does; where events are told again, an end that they tell
    /// counts when all are told.
    private func follow(from number: UInt64?, _ known: inout Known) async throws -> Turn {
        var subscription = ""
        var isDemoted = false
        var newest = number ?? 0
        var end: String?
        // After a cut, an answer is told before the delivery that it answers.
        var early: [UInt64: Belfry_V1_Callback] = [:]
        let start = number.map { NotificationCenterClient.SubscriptionStart.after($0) } ?? .now
        for try await frame in session.notifications.subscribeToResponses(from: start) {
            switch frame.kind {
            case .started(let started):
                subscription = started.subscriptionID
                isDemoted = started.role != .primary
                if newest == 0 { newest = started.lastEventNumber }
                // Also after a cut: it is added once.
                if known.identifier == nil { known.identifier = try await add() }
            case .demoted: isDemoted = true
            case .event(let event):
                if case .delivered(let delivered) = event.kind,
                    delivered.notification.request.identifier == known.identifier
                {
                    let delivery = delivered.notification.delivery
                    known.deliveries.insert(delivery)
                    if let callback = early[delivery] {
                        return try await answered(callback, subscription, newest, &known)
                    }
                } else if case .responseCompleted(let completed) = event.kind,
                    completed.notification.identifier == known.identifier,
                    known.deliveries.contains(completed.notification.delivery)
                {
                    let action = ResponseText.action(completed.actionIdentifier)
                    return .end(known.printed == nil ? .taken(action) : .answered)
                } else if let reason = self.end(event, of: known) {
                    guard event.removed.cause == .person else { return .end(.gone(reason)) }
                    // Only who speaks for the app knows whether that was an answer.
                    if isDemoted { return .speakAgain(after: event.number - 1) }
                    if number == nil { return .end(.gone(reason)) }
                    end = reason
                }
                newest = event.number
            case .caughtUp:
                guard let end, let number else { continue }
                return isDemoted ? .speakAgain(after: number) : .end(.gone(end))
            case .callback(let callback):
                let delivery = callback.didReceive.notification.delivery
                guard callback.didReceive.notification.request.identifier == known.identifier else {
                    continue
                }
                guard known.deliveries.contains(delivery) else {
                    early[delivery] = callback
                    continue
                }
                return try await answered(callback, subscription, newest, &known)
            default: continue
            }
        }
        return .end(.gone("the server closed the stream"))
    }

    /// Prints an answer, then completes it.
    private func answered(
        _ callback: Belfry_V1_Callback,
        _ subscription: String,
        _ newest: UInt64,
        _ known: inout Known
    ) async throws -> Turn {
        if known.printed != callback.callbackID { try print(callback.didReceive) }
        known.printed = callback.callbackID
        do throws(ClientError) {
            try await session.notifications.completeResponse(
                callback.callbackID,
                subscription: subscription
            )
        } catch {
            // Another began to speak for the app at the same time.
            if error.reason == "NOT_PRIMARY" { return .speakAgain(after: newest) }
            // It is told again, to whoever asks next.
            let isCut = error.code == .unavailable || error.reason == "SUBSCRIPTION_UNKNOWN"
            guard isCut else { throw error }
        }
        return .end(.answered)
    }

    /// Why no answer will come; nil where one may.
    ///
    /// An answer is told before the removal of what it answers.
    private func end(_ event: Belfry_V1_Event, of known: Known) -> String? {
        let identifier = known.identifier
        switch event.kind {
        case .removed(let removed) where removed.identifier == identifier:
            // An earlier delivery makes place for this one.
            guard !removed.hasDelivery || known.deliveries.contains(removed.delivery) else {
                return nil
            }
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
