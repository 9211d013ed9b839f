/// A question to an app with a deadline, as its primary subscriber is told (W-15).
package struct Callback: Hashable, Sendable {
    /// The question, and the facts that the app needs to answer it.
    package enum Question: Hashable, Sendable {
        /// How to present a notification that arrives while the app is in front (§9).
        ///
        /// The notification has no delivery number yet.
        case willPresent(DeliveredNotification)
        /// To take the response of the person to a notification (§17).
        case didReceive(NotificationResponse)
        /// To work on a push in the background (BG-2).
        case backgroundPush(BackgroundPush)
    }

    /// The callback's number, which no other callback of the store has.
    package var number: CallbackNumber
    /// When the callback times out, unless the clock is set before that.
    package var deadline: WallInstant
    package var question: Question

    package init(number: CallbackNumber, deadline: WallInstant, question: Question) {
        self.number = number
        self.deadline = deadline
        self.question = question
    }
}

/// A push that the app works on in the background.
package struct BackgroundPush: Hashable, Sendable {
    package var apnsID: String
    /// The payload, byte for byte as it was received.
    package var userInfoJSON: String
    package var trace: TraceContext?

    package init(apnsID: String, userInfoJSON: String, trace: TraceContext? = nil) {
        self.apnsID = apnsID
        self.userInfoJSON = userInfoJSON
        self.trace = trace
    }
}

/// The person's act on a notification (§3.4).
package struct NotificationResponse: Hashable, Sendable {
    /// The notification as it was when the person acted.
    package var notification: DeliveredNotification
    /// The action: the default or dismiss constant, or a custom action's identifier.
    package var actionIdentifier: String
    /// The text that the person typed; nil unless the action takes text.
    package var userText: String?

    package init(
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
package enum CallbackOutcome: UInt8, Hashable, Sendable, CaseIterable {
    case completed = 1
    /// Its deadline passed.
    case timedOut = 2
    /// The notification of the callback no longer exists.
    case withdrawn = 3
}

package struct CallbackEnd: Hashable, Sendable {
    package var callback: CallbackNumber
    package var outcome: CallbackOutcome

    package init(callback: CallbackNumber, outcome: CallbackOutcome) {
        self.callback = callback
        self.outcome = outcome
    }
}

/// An app's or an extension's answer to a callback.
package enum CallbackAnswer: Hashable, Sendable {
    /// How to present the notification; with no option the app presents it itself.
    case present(PresentationOptions)
    case taken
    /// The content in place of a push, by its fingerprint, and the outcome of the answer (NSE-11).
    case content(UInt128, ExtensionOutcome)
    /// The result of the work on a push.
    case fetched(BackgroundFetchResult)
    /// The way to go on with an act of the person on an open notification.
    case option(ContentAnswer)
}
