/// What an app in front does about a notification that arrives (FG-3).
public enum ForegroundDelegate: Hashable, Sendable {
    /// There is no delegate: the notification's own options apply.
    case none
    /// The delegate does not decide about presentation: nothing is presented.
    case withoutWillPresent
    /// The delegate wants to be asked each time.
    case asks
    /// The delegate answered in advance.
    case standing(PresentationOptions)
}

/// Where an app is, as far as notifications go (FG-8).
public enum AppPresence: Hashable, Sendable {
    /// It has no connection.
    case notRunning
    /// It is connected, but runs only when it is woken.
    case suspended
    /// It runs, not in front.
    case background
    /// It is in front of the person.
    case foreground(ForegroundDelegate)

    /// Gives where the app counts to be after it missed a deadline (D-14).
    ///
    /// Under ``Profile/server`` it counts as in the background until it calls again, so that one
    /// that hangs does not delay every notification.
    public func afterMissedDeadline(_ profile: Profile) -> AppPresence {
        switch (self, profile) {
        case (.foreground, .server): .background
        default: self
        }
    }
}

/// Whether a presentation is decided, or the app has a say.
public enum PresentationStep: Hashable, Sendable {
    /// It is decided.
    case settled(PresentationDecision)
    /// The app is asked first (FG-1), with the full content (FG-4).
    case ask
}

extension PresentationOptions {
    /// The same effects without ``alert``, which stands for a banner and the list (FG-5).
    public var withoutAlert: PresentationOptions {
        contains(.alert) ? subtracting(.alert).union([.list, .banner]) : self
    }
}
