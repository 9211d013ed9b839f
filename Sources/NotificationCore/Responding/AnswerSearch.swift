/// The person's act on a notification, for a caller that waits for the answer to it (RSP-10).
package struct Answer: Hashable, Sendable {
    package var actionIdentifier: String
    /// The typed text; nil where the action takes no text.
    package var userText: String?
    package var delivery: DeliveryNumber
    /// The question to the app, while the app has not handled the answer.
    package var callback: CallbackNumber?

    package init(
        actionIdentifier: String,
        userText: String?,
        delivery: DeliveryNumber,
        callback: CallbackNumber? = nil
    ) {
        self.actionIdentifier = actionIdentifier
        self.userText = userText
        self.delivery = delivery
        self.callback = callback
    }
}

/// Why no answer will come; the numbers are the wire's.
package enum NoAnswerReason: UInt8, Hashable, Sendable, CaseIterable {
    /// The person dismissed the notification, and the app is not told of that.
    case dismissed = 1
    /// The app or its provider removed it.
    case removed = 2
    /// Another request or notification took its place.
    case replaced = 3
    /// It left the list or the screen by itself, or had no further date.
    case expired = 4
    /// It was found too late to deliver.
    case missed = 5
    case notPresented = 6
    /// The limit of pending requests pushed it out.
    case evicted = 7

    /// Gives the reason for a caller that waits, of a removal.
    package init(_ reason: RemovalReason) {
        switch reason {
        case .person: self = .dismissed
        case .app, .provider: self = .removed
        case .replaced: self = .replaced
        case .retention: self = .expired
        }
    }
}

/// The outcome of the wait for an answer.
package enum AnswerOutcome: Hashable, Sendable {
    case answered(Answer)
    /// No answer will come.
    case unanswered(NoAnswerReason)
}

/// A fact of an event about the request that is waited for.
package enum AnswerFact: Hashable, Sendable {
    /// An occurrence of the request was delivered.
    case delivered(DeliveryNumber)
    /// The person answered a delivery, of whatever request.
    case answered(Answer)
    /// A delivery, of whatever request, is gone.
    case left(DeliveryNumber, NoAnswerReason)
    /// The request, or an occurrence of it, is gone without a delivery.
    case passed(NoAnswerReason)
}

/// Finds the outcome of one request's notification in a center's events (RSP-10).
///
/// The first of its deliveries that is answered or gone decides, also where the request repeats.
package struct AnswerSearch: Hashable, Sendable {
    /// The request's deliveries.
    private var deliveries: Set<DeliveryNumber> = []
    private var found: AnswerOutcome?
    /// Why the request is gone, where it is.
    private var passed: NoAnswerReason?

    /// Makes a search that has found nothing yet.
    package init() {}

    package func has(_ delivery: DeliveryNumber) -> Bool { deliveries.contains(delivery) }

    /// Whether the request was delivered, as far as the facts say.
    package var isDelivered: Bool { !deliveries.isEmpty }

    /// Whether the facts say nothing of the request's end.
    package var isWithoutFacts: Bool { found == nil && passed == nil && deliveries.isEmpty }

    /// Notes a fact; facts come in the order of the events.
    package mutating func note(_ fact: AnswerFact) {
        switch fact {
        case .delivered(let delivery): deliveries.insert(delivery)
        case .answered(let answer):
            // Let an answer take the place of its removal, which is told first.
            guard deliveries.contains(answer.delivery) else { return }
            if case .answered? = found { return }
            found = .answered(answer)
        case .left(let delivery, let reason):
            guard found == nil, deliveries.contains(delivery) else { return }
            found = .unanswered(reason)
        case .passed(let reason): passed = reason
        }
    }

    /// Gives the outcome of the wait.
    ///
    /// - Parameter isThere: Whether the request is pending, arriving, in the list, on the screen or
    ///   snoozed, after all facts that were noted.
    /// - Returns: The outcome; nil while an answer may still come.
    package func outcome(isThere: Bool) -> AnswerOutcome? {
        if let found { return found }
        guard !isThere else { return nil }
        return .unanswered(passed ?? (isDelivered ? .expired : .replaced))
    }
}
