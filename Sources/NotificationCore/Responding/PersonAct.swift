/// An act of a person on a notification (§17).
package enum PersonAct: Hashable, Sendable {
    /// Taps the notification, or opens the app from it.
    case open
    /// Clears the notification, alone or with its group.
    case dismiss
    /// Swipes the notification's banner away, or ignores it.
    case swipeAway
    /// Presses one of the notification's buttons; `text` is what was typed, nil where nothing was
    /// typed.
    case action(identifier: String, text: String?)
}

/// The response that an app is told after an act (§3.4).
package struct ActResponse: Hashable, Sendable {
    /// The action's identifier, or one of Apple's two constants.
    package var actionIdentifier: String
    /// The text that was typed into a text action; nil for any other action.
    package var userText: String?
}

package enum AppLaunch: UInt8, Hashable, Sendable, CaseIterable {
    /// The app is not launched, and is told nothing.
    case none = 0
    case background = 1
    case foreground = 2
}

/// The consequences of an act.
package struct ActDecision: Hashable, Sendable {
    /// The response that the app is told; nil tells it nothing.
    package var response: ActResponse?
    /// Whether the device has to be unlocked first; if the person does not unlock it, nothing
    /// happens (RSP-5).
    package var needsUnlock: Bool
    package var launch: AppLaunch
    /// Whether the notification leaves the list (NC-2).
    package var leavesList: Bool
    /// Until when the notification is snoozed; nil where it is not.
    package var snooze: SnoozeEnd?
}
