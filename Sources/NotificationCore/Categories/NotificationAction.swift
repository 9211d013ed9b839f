/// The condition and the effects of an action (§2.6); the bits are Apple's.
package struct ActionOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The device has to be unlocked first.
    package static let authenticationRequired = ActionOptions(rawValue: 1)
    /// The action is highlighted as destructive; the option has no other effect.
    package static let destructive = ActionOptions(rawValue: 2)
    /// The app comes to the front; without this option the app runs in the background.
    package static let foreground = ActionOptions(rawValue: 4)
}

/// The picture of an action (§3.6).
package enum ActionIcon: Hashable, Sendable {
    /// An image of the app, drawn in the system's colour.
    case templateImage(String)
    /// A symbol of the system.
    case systemImage(String)

    /// The name of the image or the symbol.
    package var name: String {
        switch self {
        case .templateImage(let name), .systemImage(let name): name
        }
    }
}

/// The text field of an action that takes text (§3.6).
package struct ActionTextInput: Hashable, Sendable {
    /// The localized text of the button that sends.
    package var buttonTitle: String
    /// The localized text in an empty field.
    package var placeholder: String

    package init(buttonTitle: String = "", placeholder: String = "") {
        self.buttonTitle = buttonTitle
        self.placeholder = placeholder
    }
}

/// A custom action that a person can choose on a notification (§3.6, K-7).
package struct NotificationAction: Hashable, Sendable {
    /// The app's name for the action; not empty, and with one meaning in all of the app's
    /// categories.
    package var identifier: String
    /// The localized text of the action's button.
    package var title: String
    /// The condition and the effects of the action.
    package var options: ActionOptions
    package var icon: ActionIcon?
    /// The action's text field; absent makes the action a plain button.
    package var textInput: ActionTextInput?
    /// The action's title in the person's language, with ``title`` where no table has it.
    package var localizedTitle: LocalizedText?

    package init(
        identifier: String,
        title: String,
        options: ActionOptions = [],
        icon: ActionIcon? = nil,
        textInput: ActionTextInput? = nil,
        localizedTitle: LocalizedText? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.icon = icon
        self.textInput = textInput
        self.localizedTitle = localizedTitle
    }

    /// The action identifier of a response where the person opened the notification (§2.12).
    package static let defaultIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    /// The action identifier of a response where the person dismissed the notification (§2.12).
    package static let dismissIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// The action identifier of the button for a snooze, which the app is not told (SNZ-4).
    package static let snoozeIdentifier = "org.belfry.SnoozeActionIdentifier"

    /// The UTF-8 bytes of the action's texts and names.
    package var byteCount: Int {
        identifier.utf8.count + title.utf8.count + (icon?.name.utf8.count ?? 0)
            + (textInput?.buttonTitle.utf8.count ?? 0) + (textInput?.placeholder.utf8.count ?? 0)
            + (localizedTitle?.byteCount ?? 0)
    }
}
