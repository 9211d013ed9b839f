/// What a person does with a notification (§17).
public enum PersonAct: Hashable, Sendable {
    /// Taps it, or opens the app from it.
    case open
    /// Clears it, alone or with its group.
    case dismiss
    /// Swipes its banner away, or ignores it.
    case swipeAway
    /// Presses one of its buttons; the text is what was typed, absent where nothing was.
    case action(identifier: String, text: String?)
}

/// What the app is told of an act (§3.4).
public struct ActResponse: Hashable, Sendable {
    /// The action's identifier, or one of Apple's two constants.
    public var actionIdentifier: String
    /// What was typed into a text action; absent for all else.
    public var userText: String?
}

/// How the app comes to run for a response.
public enum AppLaunch: UInt8, Hashable, Sendable, CaseIterable {
    /// It does not: it is told nothing.
    case none = 0
    /// In the background.
    case background = 1
    /// In front of the person.
    case foreground = 2
}

/// What an act leads to.
public struct ActDecision: Hashable, Sendable {
    /// What the app is told; absent tells it nothing.
    public var response: ActResponse?
    /// Whether the device has to be unlocked first; if that is refused, nothing happens (RSP-5).
    public var needsUnlock: Bool
    /// How the app comes to run.
    public var launch: AppLaunch
    /// Whether the notification leaves the list (NC-2).
    public var leavesList: Bool
}
