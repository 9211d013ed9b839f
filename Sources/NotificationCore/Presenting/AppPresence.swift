/// How the delegate of an app in front answers for an arriving notification (FG-3).
package enum ForegroundDelegate: Hashable, Sendable {
    /// There is no delegate: the notification's own options apply.
    case none
    /// The delegate does not decide about presentation: nothing is presented.
    case withoutWillPresent
    /// The delegate wants to be asked each time.
    case asks
    /// The delegate answered in advance.
    case standing(PresentationOptions)
}

/// Whether an app runs and is in front, as far as notifications are concerned (FG-8).
package enum AppPresence: Hashable, Sendable {
    /// The app has no connection.
    case notRunning
    /// The app is connected, but runs only when it is woken.
    case suspended
    /// The app runs behind another app.
    case background
    /// The app is in front of the person.
    case foreground(ForegroundDelegate)

    /// Gives the presence that an app counts as having after it missed a deadline (D-14).
    ///
    /// Under ``Profile/server`` the app counts as in the background until it calls again, so that
    /// an app that hangs does not delay every notification.
    package func afterMissedDeadline(_ profile: Profile) -> AppPresence {
        switch (self, profile) {
        case (.foreground, .server): .background
        default: self
        }
    }
}

/// Whether a presentation is decided, or the app has to be asked.
package enum PresentationStep: Hashable, Sendable {
    case settled(PresentationDecision)
    /// The app is asked first (FG-1), with the full content (FG-4).
    case ask
}

extension PresentationOptions {
    /// The same effects without ``alert``, which stands for a banner and the list (FG-5).
    package var withoutAlert: PresentationOptions {
        contains(.alert) ? subtracting(.alert).union([.list, .banner]) : self
    }
}
