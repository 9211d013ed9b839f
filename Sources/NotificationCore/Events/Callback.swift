/// A question to an app, as its primary subscriber is told it (W-15).
public struct Callback: Hashable, Sendable {
    /// What the app is asked.
    public enum Question: Hashable, Sendable {
        /// How to present a notification that arrives while the app is in front (§9).
        ///
        /// It has no delivery number yet.
        case willPresent(DeliveredNotification)
        /// To take what the person did with a notification (§17).
        case didReceive(NotificationResponse)
    }

    /// Its number, which no other callback of the store has.
    public var number: UInt64
    /// When it ends without an answer, if nobody sets the clock meanwhile.
    public var deadline: WallInstant
    /// What the app is asked.
    public var question: Question

    /// Makes a callback.
    public init(number: UInt64, deadline: WallInstant, question: Question) {
        self.number = number
        self.deadline = deadline
        self.question = question
    }
}

/// What the person did with a notification (§3.4).
public struct NotificationResponse: Hashable, Sendable {
    /// The notification as it was then.
    public var notification: DeliveredNotification
    /// What was done: the default or dismiss constant, or an action's identifier.
    public var actionIdentifier: String
    /// What the person typed; nil unless the action takes text.
    public var userText: String?

    /// Makes a response.
    public init(
        notification: DeliveredNotification,
        actionIdentifier: String,
        userText: String? = nil
    ) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
        self.userText = userText
    }
}

/// How a callback ended; the numbers are stored and are the wire's.
public enum CallbackOutcome: UInt8, Hashable, Sendable, CaseIterable {
    /// The app completed it.
    case completed = 1
    /// Its deadline passed.
    case timedOut = 2
    /// What it was about is gone.
    case withdrawn = 3
}

/// A callback that ended, and how.
public struct CallbackEnd: Hashable, Sendable {
    /// The callback's number.
    public var callback: UInt64
    /// How it ended.
    public var outcome: CallbackOutcome

    /// Says how a callback ended.
    public init(callback: UInt64, outcome: CallbackOutcome) {
        self.callback = callback
        self.outcome = outcome
    }
}

/// What an app answers.
public enum CallbackAnswer: Hashable, Sendable {
    /// How to present it; none leaves it to the app.
    case present(PresentationOptions)
    /// The response was taken.
    case taken
}
